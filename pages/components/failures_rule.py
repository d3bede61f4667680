"""The rule by which reviews fail, and the reviews of a source under that rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import pandas as pd
import streamlit as st

from crscore_core.corpus.metrics import METRICS
from crscore_core.errors import StudyError
from crscore_core.validity.failures import (
    FailureBins,
    FailureRule,
    Failures,
    case_rows,
    find_failures,
    score_of,
)
from pages.components.names import SHORT_NAMES, keep_options
from pages.components.source.model import Source
from pages.components.text import escape_markdown

SCORE_NAMES: Mapping[str, str] = {
    **SHORT_NAMES,
    "calibrated_relevance": METRICS["calibrated_relevance"].title,
}
"""Scores by their columns, as the page calls them."""

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
    """The score that is compared, a key of `SCORE_NAMES`, and the rule."""

    score: str
    rule: FailureRule


@dataclass(frozen=True)
class Cases:
    """Reviews of a source at one tau, and the failures among them.

    `chosen` is None where nobody rated, and then there are no failures.
    """

    source: Source
    tau: float
    chosen: ChosenRule | None

    @cached_property
    def bare_rows(self) -> pd.DataFrame:
        """All reviews as rows at tau."""
        return self.source.table.at(self.tau)

    @cached_property
    def failures(self) -> Failures | None:
        """The reviews that the metric fails, None without a rule."""
        if self.chosen is None:
            return None
        compared = score_of(self.bare_rows, self.chosen.score)
        return find_failures(self.source.comparison, self.tau, self.chosen.rule, compared)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All reviews as rows, with failures and gaps where people rated."""
        return self.bare_rows if self.failures is None else case_rows(self.bare_rows, self.failures)


def choose_rule(scores: Sequence[str]) -> ChosenRule | None:
    """Show the controls; return None, and say why, where the choice is no rule."""
    keep_options("failures_score", scores)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score = st.selectbox(
            "Score",
            scores,
            format_func=SCORE_NAMES.__getitem__,
            key="failures_score",
            bind="query-params",
            help=_SCORE_HELP,
            width=_WIDTH,
        )
        bins = st.selectbox(
            "Bins",
            get_args(FailureBins),
            format_func=_BINS.__getitem__,
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
    try:
        return ChosenRule(score, FailureRule(bins, rated_at_least, rated_at_most))
    except StudyError as error:
        st.error(escape_markdown(str(error)))
        return None
