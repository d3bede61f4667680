"""People's ratings: when they decide, who gave them, and how well a measure agrees with them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.data.ratings import has_enough_answers
from crscore_eval.metrics.agreement import compare_with_label
from crscore_eval.metrics.registry import SIMPLE_METRICS
from crscore_eval.metrics.values import metric_values
from crscore_eval.statistics.bootstrap import Weights
from crscore_eval.table import (
    DEFAULT_MEASURE,
    METRIC_PREFIX,
    PEOPLE,
    PEOPLE_ORDER,
    RIGHT_LABEL,
    WORTH_LABEL,
    Run,
    is_by_system,
    measure_names,
    measure_values,
)
from crscore_eval.table.clusters import bootstrap_changes, clusters

PEOPLE_MEASURES = {
    PEOPLE: "people's ratings of relevance",
    RIGHT_LABEL: "people's answers on whether reviews are right",
    WORTH_LABEL: "people's ratings of worth",
}
"""Titles of the measures that people give."""


def answered_measures(run: Run) -> dict[str, bool]:
    """Return the measures of `PEOPLE_ORDER` with any value, those that decide first.

    A measure decides the order of systems (True) if people answered enough reviews of systems.
    """
    names = {*measure_names(run.reviews)}.intersection(PEOPLE_ORDER)
    marks = {name: _is_answered(run, name) for name in PEOPLE_ORDER if name in names}
    decides = {name: has_enough_answers(run, mark) for name, mark in marks.items() if mark.any()}
    return dict(sorted(decides.items(), key=lambda item: not item[1]))


def deciding_measure(run: Run) -> str:
    """Return the measure that orders the systems of a run unless the user names another.

    It is people's rating of worth or, with too few answers, of relevance, or else relevance.
    """
    answered = answered_measures(run).items()
    return next((name for name, decides in answered if decides), DEFAULT_MEASURE)


def _is_answered(run: Run, measure: str) -> NDArray[np.bool_]:
    return is_by_system(run.reviews) & measure_values(run.reviews, measure).notna().to_numpy()


def mean_words(run: Run) -> "pd.Series[float]":
    """Return the mean number of words in the reviews of each system (index)."""
    return metric_values(run, "words").groupby(run.reviews["system"]).mean()


def agreement_with_people(
    run: Run,
    measure: str,
    tau: float | None = None,
    weights: Weights | None = None,
    people: str = PEOPLE,
) -> pd.DataFrame | None:
    """Correlate a measure, and simple metrics, with `people`, one of `PEOPLE_ORDER`.

    Returns the table of `compare_with_label`, the measure first; None if people rated too few
    reviews.

    Raises:
        InputError: there is no such measure.
    """
    values = measure_values(run.reviews, measure, tau)
    is_compared = _is_answered(run, people) & values.notna().to_numpy()
    if measure == people or not has_enough_answers(run, is_compared):
        return None
    rated = run._replace(reviews=run.reviews[is_compared].reset_index(drop=True))
    name = measure.removeprefix(METRIC_PREFIX)
    own = name if name in SIMPLE_METRICS else measure
    scores = pd.DataFrame({own: values[is_compared].to_numpy()})
    scores = scores.assign(
        **{simple: metric_values(rated, simple) for simple in SIMPLE_METRICS if simple != own}
    )
    weights = bootstrap_changes(rated.reviews) if weights is None else weights
    cluster = pd.Series(clusters(rated.reviews) % weights.shape[1])
    return compare_with_label(scores, measure_values(rated.reviews, people), cluster, weights)
