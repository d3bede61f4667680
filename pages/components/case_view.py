"""Everything that is known of one review, one part below the other."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, change_matrix
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import ComparedChange, ComparedReview
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.match_tables import show_matches
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten


def show_case(source: Source, position: int, tau: float) -> None:
    """Show the review at a position among those of the source's comparison."""
    change = source.comparison.changes[source.comparison[position].change]
    matrix = change_matrix(source.comparison, (position,))
    (review,) = matrix.reviews
    _show_head(source, change, review)
    plain_text(review.text)
    show_warnings(source, (review,))
    if not review.sentences:
        st.info("The metric finds no sentence in this review: it has no score. Tables count it 0.")
    else:
        text_table(score_rows(matrix, tau))
    show_matches(matrix, tau, source.comparison.encoder)
    st.markdown("**The change**")
    diff_view(change.diff, change.language or None)
    st.page_link(
        "pages/heatmap.py",
        label="Look at the similarities in the Heatmap",
        icon=":material/grid_on:",
        query_params={"review": review.id},
    )


def show_warnings(source: Source, reviews: Sequence[ComparedReview]) -> None:
    """Show what a person should know about reviews and their scores, by system if several."""
    for review in reviews:
        of = f"{system_name(source, review.system)}: " if len(reviews) > 1 else ""
        for warning in review.warnings:
            st.warning(escape_markdown(f"{of}{warning}"))


def _show_head(source: Source, change: ComparedChange, review: ComparedReview) -> None:
    title = change.title or f"Change {change.id}"
    st.header(escape_markdown(shorten(title, 120)), anchor=False)
    facts = {
        "Review": review.id,
        "change": change.id,
        "language": change.language or "not known",
        "system": system_name(source, review.system),
    }
    words = ", ".join(f"{name} {shorten(fact, 80)}" for name, fact in facts.items())
    if review.labels:
        labels = (f"{shorten(name, 80)} {value:g}" for name, value in review.labels.items())
        words = f"{words}. Labels: {', '.join(labels)}"
    st.caption(escape_markdown(f"{words}."))


def score_rows(matrix: ChangeMatrix, tau: float) -> list[dict[str, object]]:
    """Return each score of the only review, next to people's rating of the same."""
    (review,), (at_tau,), (without,) = matrix.reviews, matrix.scores(tau), matrix.no_threshold()
    scores = [(name, name, getattr(at_tau, name, None)) for name in reversed(DIMENSIONS)]
    scores.insert(1, ("without a threshold", "relevance", getattr(without, "relevance", None)))
    rows: list[dict[str, object]] = []
    for name, dimension, value in scores:
        rating = getattr(review.ratings, dimension)
        people = "not rated" if rating is None else f"{rating:g}"
        rows.append({"score": name, "metric, 0 to 1": value, "people, 1 to 5": people})
    return rows
