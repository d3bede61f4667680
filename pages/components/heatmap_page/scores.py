"""The scores of the reviews that the heatmap shows."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, MatrixReview
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring.metric import Scores
from pages.components.names import system_name
from pages.components.source.model import Source

__all__ = ["show_scores"]

_HELP = {
    "conciseness": "Share of the review's sentences that are above tau with some pseudo-reference.",
    "comprehensiveness": "Share of the change's pseudo-references that are above tau with some "
    "sentence.",
    "relevance": "Harmonic mean of the two.",
}
_CALIBRATED_HELP = (
    "The relevance that people would give, from 0 to 1, as a model predicts it that was fitted to "
    "the human study. It does not depend on tau; on the study's own reviews it flatters itself."
)
_HUMAN_HELP = "What people gave, from 1 to 5."
_NO_SCORE = "no score"
_FILTERED = "relevance without stop words"


def show_scores(
    source: Source, matrix: ChangeMatrix, tau: float, filtered: ChangeMatrix | None
) -> None:
    """Con, Comp and Rel at `tau`, the calibrated relevance and people's ratings.

    With `filtered`, the matrix as the metric takes it, the scores of both are shown.
    """
    scores = matrix.scores(tau)
    before = None if filtered is None else filtered.scores(tau)
    if len(matrix.reviews) == 1:
        _show_one(matrix.reviews[0], scores[0], before[0] if before else None)
    else:
        _show_all(source, matrix.reviews, scores, before)
    if filtered is not None:
        _say_what_changes(matrix, filtered, tau)


def _show_one(review: MatrixReview, scores: Scores | None, before: Scores | None) -> None:
    with st.container(horizontal=True):
        for name in DIMENSIONS:
            value = None if scores is None else getattr(scores, name)
            delta = None
            if value is not None and before is not None:
                delta = f"{value - getattr(before, name):+.3f} with stop words"
            st.metric(
                name.capitalize(),
                _NO_SCORE if value is None else f"{value:.3f}",
                delta,
                delta_color="off",
                help=_HELP[name],
                width="content",
            )
        if review.calibrated is not None:
            st.metric(
                "Calibrated",
                f"{review.calibrated:.3f}",
                help=_CALIBRATED_HELP,
                width="content",
            )
        for name in DIMENSIONS:
            rating = getattr(review.ratings, name)
            if rating is not None:
                st.metric(f"Human {name}", f"{rating:g} of 5", help=_HUMAN_HELP, width="content")


def _show_all(
    source: Source,
    reviews: Sequence[MatrixReview],
    scores: Sequence[Scores | None],
    before: Sequence[Scores | None] | None,
) -> None:
    rows = []
    for at, (review, found) in enumerate(zip(reviews, scores, strict=True)):
        row: dict[str, object] = {"system": system_name(source, review.system)}
        row |= {name: getattr(found, name, None) for name in DIMENSIONS}
        if before is not None:
            row[_FILTERED] = getattr(before[at], "relevance", None)
        row["calibrated"] = review.calibrated
        row |= {f"human {name}": getattr(review.ratings, name) for name in DIMENSIONS}
        rows.append(row | {"sentences": len(review.sentences), "review": review.text})
    table = pd.DataFrame(rows).dropna(axis="columns", how="all")
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            **{name: number(format="%.3f", help=_HELP[name]) for name in DIMENSIONS},
            _FILTERED: number(format="%.3f"),
            "calibrated": number(format="%.3f", help=_CALIBRATED_HELP),
            **{f"human {name}": number(format="%g", help=_HUMAN_HELP) for name in DIMENSIONS},
        },
    )
    if any(found is None for found in scores):
        st.caption("A review without a sentence has no score; means over a source count it as 0.")


def _say_what_changes(matrix: ChangeMatrix, filtered: ChangeMatrix, tau: float) -> None:
    shift = float((matrix.similarity - filtered.similarity).mean()) if matrix.similarity.size else 0
    above, before = (int((one.similarity > tau).sum()) for one in (matrix, filtered))
    st.caption(
        f"With stop words in the mean, cosines are {abs(shift):.3f} "
        f"{'higher' if shift >= 0 else 'lower'} on average, and {above} pairs are above tau, which "
        f"are {before} without them. The presets of tau belong to the mean without stop words: "
        "at the same tau the two say different things."
    )
