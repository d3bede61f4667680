"""The rule by which reviews fail, and the reviews of a source under that rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, get_args

import numpy as np
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
    levels_of,
    ratable_scores,
    score_of,
)
from pages.components.names import SHORT_NAMES, keep_options
from pages.components.source.model import Source
from pages.components.text import escape_markdown

OptionT = TypeVar("OptionT")

SCORE_NAMES: Mapping[str, str] = {
    **SHORT_NAMES,
    "predicted_relevance": METRICS["predicted_relevance"].title,
}
"""Scores by their columns, as the page calls them."""

_BINS: Mapping[FailureBins, str] = {
    "quintiles": "fifths of reviews",
    "equal_width": "fifths of the scale",
}
_WIDTH = 250
_RATINGS = "people's ratings"
_SCORE_HELP = (
    "Rel, Con and Comp are each compared with people's rating of the same dimension, predicted "
    "relevance with that of relevance; it does not depend on tau. Any score is compared with a "
    "label."
)
_BINS_HELP = (
    "How scores are cut into five bins, of which the lowest and the highest count. Fifths of "
    "reviews (quintiles, as most likely in the paper) hold equally many reviews each; fifths of "
    "the scale are equally wide from the lowest score to the highest."
)
_UNDER_HELP = (
    "A review is underestimated where its score is in the lowest bin although people rate it so "
    "well, or better. The paper takes a rating of 5."
)
_OVER_HELP = (
    "A review is overestimated where its score is in the highest bin although people rate it so "
    "badly, or worse. The paper takes a rating of 1."
)


@dataclass(frozen=True, slots=True)
class ChosenRule:
    """The score that is compared, a key of `SCORE_NAMES`, the rule, and the label, if it is one."""

    score: str
    rule: FailureRule
    label: str | None = None


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
        compared = score_of(self.bare_rows, self.chosen.score, self.chosen.label)
        return find_failures(self.source.comparison, self.tau, self.chosen.rule, compared)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All reviews as rows, with failures and gaps where people rated."""
        return self.bare_rows if self.failures is None else case_rows(self.bare_rows, self.failures)


def judgements(source: Source) -> dict[str, str | None]:
    """Return the label that scores can be compared with, None for ratings, by words for people."""
    wanted = {_RATINGS: None, **{f"label {name}": name for name in source.comparison.labels}}
    return {words: label for words, label in wanted.items() if ratable_scores(source.table, label)}


def choose_rule(source: Source, choices: Mapping[str, str | None]) -> ChosenRule | None:
    """Show the controls; return None, and say why, where the choice is no rule.

    `choices` are those of `judgements`, at least one.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label, *others = choices.values()
        if others:
            label = choices[_choose("Compared with", list(choices), "failures_people", None)]
        scores = ratable_scores(source.table, label)
        score = _choose("Score", scores, "failures_score", _SCORE_HELP, SCORE_NAMES.__getitem__)
        bins = _choose(
            "Bins", get_args(FailureBins), "failures_bins", _BINS_HELP, _BINS.__getitem__
        )
        levels: Sequence[float] = (1, 2, 3, 4, 5)
        if label is not None:
            values = [review.labels.get(label, np.nan) for review in source.comparison.reviews]
            levels = levels_of(np.array(values))
        at_least, at_most = levels[-1], levels[0]
        if len(levels) > 2:
            good, bad, name_of = levels[:0:-1], levels[:-1], "{:g}".format
            at_least = _choose(
                "Underestimated: rated at least", good, "failures_good", _UNDER_HELP, name_of
            )
            at_most = _choose(
                "Overestimated: rated at most", bad, "failures_bad", _OVER_HELP, name_of
            )
    if len(levels) < 2:
        st.error("The label is the same for every review: no review fails by it.")
        return None
    try:
        return ChosenRule(score, FailureRule(bins, at_least, at_most), label)
    except StudyError as error:
        st.error(escape_markdown(str(error)))
        return None


def _choose(
    label: str,
    options: Sequence[OptionT],
    key: str,
    help_text: str | None,
    name_of: Callable[[OptionT], str] = str,
) -> OptionT:
    """Show a list that the URL keeps, and return the option chosen."""
    keep_options(key, options)
    return st.selectbox(
        label,
        options,
        format_func=name_of,
        key=key,
        bind="query-params",
        help=help_text,
        width=_WIDTH,
    )
