"""Which score is compared, and what counts as a failure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from crscore_core.errors import StudyError
from crscore_core.validity.failures import FailureBins, FailureRule
from pages.components.failures_page.state import keep_options
from pages.components.names import SHORT_NAMES
from pages.components.text import escape_markdown

__all__ = ["SCORE_NAMES", "ChosenRule", "choose_rule"]

SCORE_NAMES: Mapping[str, str] = {
    **SHORT_NAMES,
    "calibrated_relevance": "calibrated relevance",
}
"""What the page calls each score."""

_BINS: Mapping[FailureBins, str] = {
    "quintiles": "fifths of reviews",
    "equal_width": "fifths of the scale",
}
_WIDTH = 250
_SCORE_HELP = (
    "Rel, Con and Comp are each compared with people's rating of the same dimension, calibrated "
    "relevance with that of relevance; it does not depend on tau."
)
_BINS_HELP = (
    "How scores are cut into five bins, of which the lowest and the highest count. Fifths of "
    "reviews (quintiles, as most likely in the paper) hold equally many reviews each; fifths of "
    "the scale are equally wide from the lowest score to the highest."
)
_UNDER_HELP = (
    "A review is underestimated where its score is in the lowest bin although people rate it so "
    "well, or better. The paper takes 5."
)
_OVER_HELP = (
    "A review is overestimated where its score is in the highest bin although people rate it so "
    "badly, or worse. The paper takes 1."
)


@dataclass(frozen=True, slots=True)
class ChosenRule:
    """The score, a key of `SCORE_NAMES`, and the rule."""

    score: str
    rule: FailureRule


def choose_rule(scores: Sequence[str]) -> ChosenRule | None:
    """Show the controls; None, and why, where what is chosen is no rule."""
    keep_options("failures_score", scores)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = _choose(scores)
    try:
        return ChosenRule(chosen[0], FailureRule(*chosen[1:]))
    except StudyError as error:
        st.error(escape_markdown(str(error)))
        return None


def _choose(scores: Sequence[str]) -> tuple[str, FailureBins, int, int]:
    score = st.selectbox(
        "Score",
        scores,
        format_func=lambda name: SCORE_NAMES[name],
        key="failures_score",
        bind="query-params",
        help=_SCORE_HELP,
        width=_WIDTH,
    )
    bins = st.selectbox(
        "Bins",
        get_args(FailureBins),
        format_func=lambda name: _BINS[name],
        key="failures_bins",
        bind="query-params",
        help=_BINS_HELP,
        width=_WIDTH,
    )
    rated_at_least = st.selectbox(
        "Underestimated: rated at least",
        (5, 4, 3, 2),
        key="failures_good",
        bind="query-params",
        help=_UNDER_HELP,
        width=_WIDTH,
    )
    rated_at_most = st.selectbox(
        "Overestimated: rated at most",
        (1, 2, 3, 4),
        key="failures_bad",
        bind="query-params",
        help=_OVER_HELP,
        width=_WIDTH,
    )
    return score, bins, rated_at_least, rated_at_most
