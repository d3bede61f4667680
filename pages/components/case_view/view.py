"""Everything that is known of one review, one part below the other."""

import streamlit as st

from crscore_core.corpus.review_case import ReviewCase, review_case
from pages.components.case_view.matrix import matrix_view
from pages.components.case_view.tables import reference_rows, score_rows, sentence_rows
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten

__all__ = ["show_case"]

_DIFF_HEIGHT = 420
_MANY_LINES = 20


def show_case(source: Source, position: int, tau: float) -> None:
    """Show the review at a position among those of the source's comparison."""
    case = review_case(source.comparison, position, tau)
    _show_head(source, case)
    st.markdown("**The review, as it was written**")
    plain_text(case.review.text)
    if not case.sentences:
        st.info("The metric finds no sentence in this review: it says nothing and scores 0.")
    calibrated = float(source.table.calibrated[position])
    text_table(score_rows(case, calibrated), caption="Scores and ratings")
    st.markdown("**The change**")
    with st.container(
        height=_DIFF_HEIGHT if case.change.diff.count("\n") > _MANY_LINES else "content",
        border=False,
    ):
        diff_view(case.change.diff, case.change.language or None)
    text_table(
        reference_rows(case),
        wide=("pseudo-reference",),
        caption=f"What a good review could address, at tau {tau:.3f}",
    )
    if case.sentences:
        text_table(
            sentence_rows(case),
            wide=("sentence",),
            caption="What the review says; the best match is a pseudo-reference by its number",
        )
        matrix_view(case)
    st.page_link(
        "pages/heatmap.py",
        label="Look at the similarities in the Heatmap",
        icon=":material/grid_on:",
        query_params={"review": case.review.id},
    )


def _show_head(source: Source, case: ReviewCase) -> None:
    change = case.change
    title = change.title or f"Change {change.id}"
    st.subheader(escape_markdown(shorten(title, 120)), anchor=False)
    facts = {
        "Review": case.review.id,
        "change": change.id,
        "language": change.language or "not known",
        "system": system_name(source, case.review.system),
    }
    st.caption(
        escape_markdown(", ".join(f"{of} {shorten(what, 80)}" for of, what in facts.items()) + ".")
    )
