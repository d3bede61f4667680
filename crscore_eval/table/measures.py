"""Measures: the column that reviews, and the systems that wrote them, are ordered by."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.table.schema import (
    DIMENSIONS,
    HUMAN,
    JUDGE,
    LABEL,
    REVIEW_COLUMNS,
    judge_figure,
)
from crscore_eval.table.scores import no_threshold, scores_at

PEOPLE = "people"
"""Name of the measure that people's ratings of relevance are."""

DEFAULT_MEASURE = "relevance"


class Measure(NamedTuple):
    """A number of each review, from `lowest` to `highest`; None if the range is open.

    `name` is that of options, addresses and columns, `title` that of sentences. `higher` is a
    template for what a higher mean shows, with the systems as `{one}` and `{other}`.
    """

    name: str
    title: str
    higher: str
    lowest: float | None = 0.0
    highest: float | None = 1.0


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "relevance",
            "relevance",
            "{one}'s reviews match the change more closely than {other}'s",
        ),
        Measure(
            "no_threshold",
            "relevance without a threshold",
            "{one}'s reviews are more similar to the pseudo-references than {other}'s",
        ),
        Measure(
            "conciseness",
            "conciseness",
            "more of {one}'s sentences are about the change than of {other}'s",
        ),
        Measure(
            "comprehensiveness",
            "comprehensiveness",
            "{one}'s reviews cover more pseudo-references than {other}'s",
        ),
        Measure(
            PEOPLE,
            "rating of relevance (1 to 5)",
            "people rated {one}'s reviews as more relevant than {other}'s",
            1.0,
            5.0,
        ),
    )
}
"""The measures that any table may have, the default first."""


def measure_names(reviews: pd.DataFrame) -> list[str]:
    """Return the names of the measures that a table has, the default first.

    These are `MEASURES`, people's ratings only if there are some, and every column of numbers that
    a file, a judge or another metric brought. Numbers of wrong findings are none, as fewer are
    better; the share that is right is one.
    """
    numbers = map(str, reviews.select_dtypes("number"))
    reserved = {*REVIEW_COLUMNS, *HUMAN.values()}
    own = [name for name in numbers if name not in reserved and not _counts_errors(name)]
    return [name for name in MEASURES if name != PEOPLE or has_ratings(reviews)] + own


def _counts_errors(name: str) -> bool:
    return name.startswith(JUDGE) and judge_figure(name)[1] == "wrong"


def measure_named(reviews: pd.DataFrame, name: str) -> Measure:
    """Return the measure of a name. A label may be named without its `label_`.

    Raises:
        InputError: the table has no such measure.
    """
    names = measure_names(reviews)
    name = name if name in names or f"{LABEL}{name}" not in names else f"{LABEL}{name}"
    if name not in names:
        if name == PEOPLE:
            raise InputError("no review has a rating by people; choose another measure")
        raise InputError(f"there is no measure {name[:80]!r}; choose one of {', '.join(names)}")
    if name in MEASURES:
        return MEASURES[name]
    title = f"column {name}"
    if name.startswith(LABEL):
        title = f"label {label_title(name)}"
    elif name.startswith(JUDGE):
        judge, figure = judge_figure(name)
        title = f"{figure} (judge: {judge})" if judge else f"{figure} (judge)"
    shown = title.replace("{", "{{").replace("}", "}}")
    return Measure(name, title, f"{{one}}'s mean of {shown} is higher than {{other}}'s", None, None)


def label_title(name: str) -> str:
    """Return a label's column as a head of tables: `worth` for `label_worth`."""
    return name.removeprefix(LABEL).replace("_", " ")


def measure_values(
    reviews: pd.DataFrame, measure: str, tau: float | None = None
) -> "pd.Series[Any]":
    """Return the value of a measure for each review, NaN if it has none; float, index of `reviews`.

    An empty review of a scorable change counts 0 in the metric's scores. `tau` None takes each
    run's own tau.

    Raises:
        InputError: the table has no such measure, or `tau` is not a finite number.
    """
    if measure in DIMENSIONS:
        return scores_at(reviews, run_tau(reviews) if tau is None else tau, count_empty=True)[
            measure
        ]
    if measure == "no_threshold":
        return no_threshold(reviews, count_empty=True)["relevance"].rename(measure)
    if measure == PEOPLE:
        return people(reviews)
    return reviews[measure_named(reviews, measure).name].astype("float64")


def run_tau(reviews: pd.DataFrame) -> float:
    """Return the tau that a table was scored at.

    Raises:
        InputError: the table is empty, or its rows were scored at several.
    """
    taus = reviews["tau"].unique()
    if len(taus) != 1:
        raise InputError("the reviews were scored at several taus or none; give one as a number")
    return float(taus[0])


def people(reviews: pd.DataFrame) -> "pd.Series[Any]":
    """Return people's ratings of relevance, from 1 to 5, NaN if nobody rated."""
    return reviews.reindex(columns=[HUMAN["relevance"]]).iloc[:, 0].astype("float64")


def has_ratings(reviews: pd.DataFrame) -> bool:
    """Return True if people rated the relevance of at least one review."""
    return bool(people(reviews).notna().any())
