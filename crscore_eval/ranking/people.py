"""People's ratings: when they decide, who gave them, and how well a measure agrees with them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.data.ratings import has_enough_answers
from crscore_eval.metrics import SIMPLE_METRICS, metric_values
from crscore_eval.statistics import SIGNIFICANCE_LEVEL, Weights, compare_agreement
from crscore_eval.table import (
    DEFAULT_MEASURE,
    JUDGE_PREFIX,
    PEOPLE,
    PEOPLE_ORDER,
    Run,
    is_by_system,
    measure_names,
    measure_values,
    split_judge_column,
)
from crscore_eval.table.clusters import bootstrap_changes, clusters

UNCHECKED = "not checked against people here"
"""Label of a judge's figure until people have rated enough of the same reviews."""

_ANSWERS = {"right": "label_right", "wrong": "label_right", "worth": "label_worth"}
"""Columns of people's answers to a judge's questions; all other figures need their ratings."""


def answered_measures(run: Run) -> list[str]:
    """Return the measures of `PEOPLE_ORDER` with any value, those that decide first.

    A measure decides the order of systems if people answered enough reviews of systems.
    """
    names = [name for name in measure_names(run.reviews) if name in PEOPLE_ORDER]
    names = [name for name in PEOPLE_ORDER if name in names and _is_answered(run, name).any()]
    return sorted(names, key=lambda name: not has_enough_ratings(run, name))


def has_enough_ratings(run: Run, measure: str) -> bool:
    """Return True if people answered enough reviews of systems for a measure to decide."""
    return has_enough_answers(run, _is_answered(run, measure))


def deciding_measure(run: Run) -> str:
    """Return the measure that orders the systems of a run unless the user names another.

    It is people's rating of worth or, with too few answers, of relevance, or else relevance.
    """
    decides = (name for name in answered_measures(run) if has_enough_ratings(run, name))
    return next(decides, DEFAULT_MEASURE)


def _is_answered(run: Run, measure: str) -> NDArray[np.bool_]:
    return is_by_system(run.reviews) & measure_values(run.reviews, measure).notna().to_numpy()


def mean_words(run: Run) -> "pd.Series[float]":
    """Return the mean number of words in the reviews of each system (index)."""
    return metric_values(run, "words").groupby(run.reviews["system"]).mean()


def unchecked_note(run: Run, measure: str) -> str:
    """Return `UNCHECKED` for a judge's measure if people answered too few reviews, else ""."""
    if not measure.startswith(JUDGE_PREFIX):
        return ""
    column = _ANSWERS.get(split_judge_column(measure)[1], "human_relevance")
    if column not in run.reviews:
        return UNCHECKED
    is_checked = run.reviews[[column, measure]].notna().all(axis=1)
    return "" if has_enough_answers(run, is_checked.to_numpy()) else UNCHECKED


def agreement_with_people(
    run: Run,
    measure: str,
    tau: float | None = None,
    weights: Weights | None = None,
    people: str = PEOPLE,
) -> pd.DataFrame | None:
    """Correlate a measure, and simple metrics, with `people`, one of `PEOPLE_ORDER`.

    Returns a row for the measure, then one for each simple metric; None if people rated too few
    reviews. Columns:

        name, reviews: the metric, and the number of rated reviews with a value of the measure
        spearman, low, high: Spearman's rho with its interval over resamples of changes
        difference, p: from the measure, as in `compare_agreement`

    Raises:
        InputError: there is no such measure.
    """
    values = measure_values(run.reviews, measure, tau)
    is_compared = _is_answered(run, people) & values.notna().to_numpy()
    if measure == people or not has_enough_answers(run, is_compared):
        return None
    rated = run._replace(reviews=run.reviews[is_compared].reset_index(drop=True))
    simple = [metric_values(rated, name) for name in SIMPLE_METRICS]
    ratings = measure_values(rated.reviews, people)
    weights = bootstrap_changes(rated.reviews) if weights is None else weights
    cluster = clusters(rated.reviews) % weights.shape[1]
    table = compare_agreement([values[is_compared], *simple], ratings, cluster, weights)
    names = {"name": [measure, *SIMPLE_METRICS], "reviews": len(rated.reviews)}
    figures = table[["value", "low", "high", "difference", "p"]]
    return pd.DataFrame(names).join(figures.rename(columns={"value": "spearman"}))


def beats_word_count(agreement: pd.DataFrame) -> bool:
    """Return True if a measure agrees with people, and better than the number of words does.

    The interval of its correlation is above 0, and the difference from the number of words (the
    first simple metric) is negative and significant after Holm's correction. `agreement` is
    from `agreement_with_people`.
    """
    measure, n_words = agreement.iloc[0], agreement.iloc[1]
    is_better = n_words["difference"] < 0 and n_words["p"] < SIGNIFICANCE_LEVEL
    return bool(measure["low"] > 0 and is_better)
