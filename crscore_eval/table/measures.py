"""Measures: the columns that reviews, and the systems that wrote them, can be ordered by."""

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_core.errors import InputError, quoted
from crscore_eval.table.cells import list_columns
from crscore_eval.table.schema import (
    DIMENSIONS,
    HUMAN,
    JUDGE_PREFIX,
    LABEL_PREFIX,
    METRIC_PREFIX,
    REVIEW_COLUMNS,
    is_of_rater,
    judge_columns,
    split_judge_column,
)
from crscore_eval.table.scores import scores_at

PEOPLE = "people"
"""Name of the measure that holds people's ratings of relevance."""

WORTH_LABEL, RIGHT_LABEL = f"{LABEL_PREFIX}worth", f"{LABEL_PREFIX}right"
"""Columns of people's answers on whether a review is worth saying, from 1 to 5, and right."""

PEOPLE_ORDER = (WORTH_LABEL, PEOPLE)
"""Measures by which people order systems, the one that does not depend on the metric first."""

DEFAULT_MEASURE = "relevance"

SHORT_NAMES = {"con": "conciseness", "comp": "comprehensiveness", "rel": "relevance"}
"""Maps the names of scores in tables of metrics to their columns."""


class Measure(NamedTuple):
    """A number that each review has.

    name: its name in options, URLs and columns.
    title: its name in sentences.
    ends: range of the number, None if it is open.
    """

    name: str
    title: str
    ends: tuple[float, float] | None = (0.0, 1.0)

    @property
    def width(self) -> float:
        """The width of the range, infinite if it is open."""
        return self.ends[1] - self.ends[0] if self.ends else inf

    def conclusion(self, one: str, other: str) -> str:
        """Return the conclusion from a higher mean of the system `one`."""
        return f"the mean of {self.title} is significantly higher for {one} than for {other}"

    def axis(self, values: ArrayLike) -> tuple[float, float]:
        """Return the ends of an axis: the range of the measure, or of the values if it is open."""
        return self.ends or (float(np.nanmin(values)), float(np.nanmax(values)))


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("relevance", "relevance"),
        Measure("no_threshold", "relevance without a threshold"),
        Measure("conciseness", "conciseness"),
        Measure("comprehensiveness", "comprehensiveness"),
        Measure(PEOPLE, "people's ratings of relevance", (1.0, 5.0)),
    )
}
"""The measures that any table may have. The default comes first."""


def measure_names(reviews: pd.DataFrame) -> list[str]:
    """Return the names of the measures that a table has; the default comes first.

    They are `MEASURES`, with people's ratings only if there are some, and the columns of numbers
    from the file, a judge or another metric. A judge's number of wrong findings is not a measure,
    since fewer are better.
    """
    error_counts = [name for name in judge_columns(reviews) if name.endswith("_wrong")]
    reserved = {*REVIEW_COLUMNS, *HUMAN.values(), *error_counts}
    numbers = (name for name in map(str, reviews.select_dtypes("number")) if not is_of_rater(name))
    columns = [name for name in numbers if name not in reserved]
    is_rated = people_ratings(reviews).notna().any()
    return [name for name in MEASURES if name != PEOPLE or is_rated] + columns


def find_measure(
    reviews: pd.DataFrame, name: str, read_as: Mapping[str, str] | None = None
) -> Measure:
    """Return a measure by its name, which may be short or without the prefix of its column.

    It may also be a column's name in the file, which `read_as` maps to its name in the table, or
    the column of a rater.

    Raises:
        InputError: the table has no such measure.
    """
    names = [*measure_names(reviews), *filter(is_of_rater, map(str, reviews))]
    name = SHORT_NAMES.get(name, name)
    in_table = (read_as or {}).get(name.removeprefix(LABEL_PREFIX), name)
    in_table = PEOPLE if in_table == HUMAN[DEFAULT_MEASURE] else in_table
    spellings = (name, f"{LABEL_PREFIX}{name}", f"{METRIC_PREFIX}{name}", in_table)
    name = next((spelling for spelling in spellings if spelling in names), name)
    if name == PEOPLE and name not in names:
        raise no_ratings_error(reviews)
    if name not in names:
        problem = f"there is no measure {quoted(name)}"
        raise InputError(problem, f"choose one of {list_columns(measure_names(reviews))}")
    if name in MEASURES:
        return MEASURES[name]
    if name == WORTH_LABEL and reviews[name].dropna().between(1, 5).all():
        return Measure(name, "people's ratings of worth", (1.0, 5.0))
    title = name.removeprefix(METRIC_PREFIX)
    if name.startswith(LABEL_PREFIX):
        title = f"label {label_title(name)}"
    elif name.startswith(JUDGE_PREFIX):
        title = judge_title(name)
    is_binary = reviews[name].dropna().isin([0, 1]).all()
    return Measure(name, title, (0.0, 1.0) if is_binary else None)


def no_ratings_error(reviews: pd.DataFrame) -> InputError:
    """Return the error for reviews without relevance ratings; it names other columns of numbers."""
    columns = [name for name in measure_names(reviews) if name not in MEASURES]
    own = [name for name in columns if not name.startswith((JUDGE_PREFIX, METRIC_PREFIX))]
    problem = "no review has a rating of relevance"
    if own:
        problem += f" (other columns of numbers: {list_columns(own)})"
    advice = "choose another measure, or read a column as ratings with `crscore batch --column "
    return InputError(problem, advice + "NAME=relevance:LOW-HIGH`")


def judge_title(column: str) -> str:
    """Return the display name of a judge's column, such as `worth (judge)` for `judge_worth`."""
    judge, answer = split_judge_column(column)
    return f"{answer} (judge: {judge})" if judge else f"{answer} (judge)"


def label_title(name: str) -> str:
    """Return the display name of a label's column, such as `worth` for `label_worth`."""
    return name.removeprefix(LABEL_PREFIX)


def measure_values(
    reviews: pd.DataFrame, measure: str, tau: float | None = None
) -> "pd.Series[Any]":
    """Return the value of a measure for each review, as floats indexed as `reviews`.

    A review without a value has NaN. An empty review of a scorable change has the score 0. `tau`
    is by default the run's tau.

    Raises:
        InputError: the table has no such measure, or `tau` is not a finite number.
    """
    if measure in DIMENSIONS:
        tau = run_tau(reviews) if tau is None else tau
        return scores_at(reviews, tau, count_empty=True)[measure]
    if measure == "no_threshold":
        return scores_at(reviews, None, count_empty=True)["relevance"].rename(measure)
    if measure == PEOPLE:
        return people_ratings(reviews)
    return reviews[find_measure(reviews, measure).name].astype("float64")


def run_tau(reviews: pd.DataFrame) -> float:
    """Return the tau that a table was scored at.

    Raises:
        InputError: the table is empty, or its rows were scored at several values of tau.
    """
    taus = reviews["tau"].unique()
    if len(taus) != 1:
        raise InputError("the reviews do not have one tau in common", "give tau as a number")
    return float(taus[0])


def people_ratings(reviews: pd.DataFrame, dimension: str = "relevance") -> "pd.Series[Any]":
    """Return people's ratings in a dimension, from 1 to 5; NaN for a review that nobody rated."""
    return reviews.reindex(columns=[HUMAN[dimension]]).iloc[:, 0].astype("float64")
