"""The result of the Score page: the scores of each review, and why."""

import json
from collections.abc import Sequence

import streamlit as st

from crscore_core import ReviewScore
from crscore_core.scoring.documents import score_document, scores_csv
from pages.components.charts import show_chart
from pages.components.heatmap import (
    can_be_drawn,
    describe_heatmap,
    score_matrix,
    similarity_heatmap,
)
from pages.components.markup import text_table
from pages.components.score_tables import (
    analyzer_table,
    contribution_table,
    feedback_in_words,
    not_analysed_in_words,
    overview_table,
    reference_table,
    sentence_table,
)
from pages.components.text import escape_markdown

__all__ = ["show_scores"]

_SCORES = ("conciseness", "comprehensiveness", "relevance")
_CALIBRATED = "calibrated relevance"
_CALIBRATED_HELP = (
    "The relevance that people would give, on a scale from 0 to 1, as a model predicts it that was "
    "fitted to the CRScore human study. It does not depend on tau, and does not replace relevance."
)
_CONTRIBUTIONS = (
    "Each row is one thing that the model reads. A plus speaks for a better rating, a minus for a "
    "worse one: 1 makes a better rating nearly three times as likely (its odds, by the factor e)."
)


def show_scores(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """All reviews side by side, one of them in detail, and downloads of everything."""
    st.subheader("Scores")
    for text in not_analysed_in_words(scores[0]):
        st.info(escape_markdown(text), icon=":material/visibility_off:")
    text_table(overview_table(scores, names), wide=["feedback"])
    chosen = st.selectbox(
        "Review in detail",
        range(len(scores)),
        format_func=lambda index: f"{index + 1}. {names[index]}",
        key="shown",
    )
    _show_review(scores[chosen])
    with st.expander("What was analysed, and how this was made"):
        text_table(analyzer_table(scores[0]), wide=["reason"])
        st.code(str(scores[0].signature), language=None, wrap_lines=True)
    _offer_downloads(scores, names)


def _show_review(score: ReviewScore) -> None:
    shown: list[tuple[str, float | None, str | None]] = [
        (name, getattr(score, name), None) for name in _SCORES
    ]
    if score.calibrated_relevance is not None:
        shown.append((_CALIBRATED, score.calibrated_relevance, _CALIBRATED_HELP))
    for column, (name, value, text) in zip(st.columns(len(shown)), shown, strict=True):
        column.metric(name.capitalize(), "no score" if value is None else f"{value:.3f}", help=text)
    for warning in score.warnings:
        st.warning(escape_markdown(warning))
    st.markdown(f"**Feedback.** {escape_markdown(feedback_in_words(score))}")
    st.markdown("**Sentences of the review**")
    text_table(sentence_table(score), wide=["sentence"])
    st.markdown("**Pseudo-references of the change**")
    text_table(reference_table(score), wide=["pseudo-reference"])
    if score.calibrated_contributions:
        with st.expander("What raises and what lowers the calibrated relevance"):
            st.caption(_CONTRIBUTIONS)
            text_table(contribution_table(score), wide=["meaning"])
    matrix = score_matrix(score)
    if can_be_drawn(matrix):
        st.markdown("**Similarity matrix**, outlined where it exceeds tau")
        figure = similarity_heatmap(matrix, score.tau)
        show_chart(figure, "heatmap", describe_heatmap(matrix, score.tau))
    elif score.similarity.size:
        st.info(f"The similarity matrix has {score.similarity.size:,} cells: too many to draw.")


def _offer_downloads(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    def document() -> str:
        return json.dumps(score_document(scores), ensure_ascii=False, indent=1)

    def table() -> str:
        return scores_csv(scores, names)

    with st.container(horizontal=True):
        for kind, make, name, mime in (
            ("JSON", document, "crscore.json", "application/json"),
            ("CSV", table, "crscore.csv", "text/csv"),
        ):
            st.download_button(f"Download {kind}", make, name, mime, on_click="ignore")
