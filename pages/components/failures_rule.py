"""The rule by which reviews fail, and the reviews of a source under that rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, get_args

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.reading import label_remark
from crscore_core.errors import StudyError
from crscore_core.validity.failures import (
    FailureBins,
    FailureRule,
    Failures,
    JudgedScore,
    case_rows,
    find_failures,
    levels_of,
    ratable_scores,
    score_of,
    strictest_rule,
    unjudged_rows,
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
    "Predicted relevance is compared with people's rating of relevance; it does not depend on "
    "tau. Rel, Con and Comp are each compared with the rating of the same dimension. Any score is "
    "compared with a label."
)
_BINS_HELP = (
    "How scores are cut into five bins, of which the lowest and the highest count. Fifths of "
    "reviews (quintiles, as most likely in the paper) hold equally many reviews each; fifths of "
    "the scale are equally wide from the lowest score to the highest."
)
_LIMIT_HELP = (
    " The paper takes the end of the scale; a step less is taken where nothing fails by that."
)
_UNDER_HELP = (
    "A review is underestimated where its score is in the lowest bin although people rate it so "
    f"well, or better.{_LIMIT_HELP}"
)
_OVER_HELP = (
    "A review is overestimated where its score is in the highest bin although people rate it so "
    f"badly, or worse.{_LIMIT_HELP}"
)
_STRICTEST = "strictest that finds any"


@dataclass(frozen=True, slots=True)
class ChosenRule:
    """The score that is compared, a key of `SCORE_NAMES`, the rule, and the label, if it is one.

    `compared` has the score of each review.
    """

    score: str
    rule: FailureRule
    compared: JudgedScore
    label: str | None = None


@dataclass(frozen=True)
class Cases:
    """Reviews of a source at one tau, as rows, and the failures among them.

    `chosen` is None where nobody rated, and then there are no failures.
    """

    source: Source
    tau: float
    bare_rows: pd.DataFrame
    chosen: ChosenRule | None = None

    @cached_property
    def failures(self) -> Failures | None:
        """The reviews that the metric fails, None without a rule."""
        if self.chosen is None:
            return None
        compared = self.chosen.compared
        return find_failures(self.source.comparison, self.tau, self.chosen.rule, compared)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All reviews as rows, with failures and gaps: from people, or between two measures."""
        if self.failures is None:
            return unjudged_rows(self.bare_rows)
        return case_rows(self.bare_rows, self.failures)


def judgements(source: Source) -> dict[str, str | None]:
    """Return the label that scores can be compared with, None for ratings, by words for people."""
    wanted = {_RATINGS: None, **{f"label {name}": name for name in source.comparison.labels}}
    return {words: label for words, label in wanted.items() if ratable_scores(source.table, label)}


def choose_rule(
    source: Source, rows: pd.DataFrame, choices: Mapping[str, str | None]
) -> ChosenRule | None:
    """Show the controls; return None, and say why, where the choice is no rule.

    `rows` are all reviews at a tau, `choices` those of `judgements`, at least one.
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
        at_least = at_most = None
        if len(levels) > 2:
            at_least, at_most = (
                _limit(kind, some, key, help_text)
                for kind, some, key, help_text in (
                    ("Underestimated: rated at least", levels[:0:-1], "failures_good", _UNDER_HELP),
                    ("Overestimated: rated at most", levels[:-1], "failures_bad", _OVER_HELP),
                )
            )
    if len(levels) < 2:
        st.error("The label is the same for every review: no review fails by it.")
        return None
    if remark := label_remark(label or ""):
        st.caption(remark)
    try:
        compared = score_of(rows, score, label)
        rule = strictest_rule(source.comparison, compared, bins, levels, (at_least, at_most))
        return ChosenRule(score, rule, compared, label)
    except StudyError as error:
        st.error(escape_markdown(str(error)))
        return None


def _limit(label: str, levels: Sequence[float], key: str, help_text: str) -> float | None:
    """Return the level chosen, None for the strictest one that finds any review."""
    named = {_STRICTEST: None, **{f"{level:g}": level for level in levels}}
    return named[_choose(label, list(named), key, help_text)]


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
