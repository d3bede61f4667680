"""Agreement of scores with people at one or many values of tau, and how the paper sets tau.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.scoring import resolve_tau, tau_preset
from crscore_eval.statistics.bootstrap import Array, Estimate, Weights, clustered_mean
from crscore_eval.statistics.correlation import correlate
from crscore_eval.statistics.difference import mean_estimates, means_by_change
from crscore_eval.table import (
    DIMENSIONS,
    GROUND_TRUTH,
    Run,
    flat_lists,
    is_by_system,
    people_ratings,
    scores_at_taus,
)
from crscore_eval.table.clusters import bootstrap_changes, clusters

Numbers: TypeAlias = "pd.Series[float]"

Figures: TypeAlias = Mapping[str, Mapping[str, Estimate]]
"""The figures of a table, keyed by row and column."""

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""

TAU_NAMES = ("tau_gt", "tau_best")
"""Thresholds of the paper, from the ground truth and from the best system (section 3.3)."""

BEST_SYSTEM = "gpt3.5"
"""The system of the study that people rate best; tau_best comes from its reviews."""

_TAU_TOLERANCE = 0.0005
"""Maximum difference of taus that count as equal; presets are rounded to three decimals."""


def with_pseudo_references(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return the reviews of changes that have pseudo-references."""
    return reviews[reviews["n_pseudo_references"] > 0]


def system_ratings(reviews: pd.DataFrame, dimension: str) -> Numbers:
    """Return people's ratings, 1 to 5; NaN if unrated, and for the ground truth."""
    return people_ratings(reviews, dimension).where(is_by_system(reviews))


def system_means(reviews: pd.DataFrame, values: Numbers) -> pd.DataFrame:
    """Return mean, low and high of each system, and of the ground truth, see `mean_estimates`.

    Values are from 0 to 1; NaN is left out. Systems are in order of first occurrence.
    """
    return mean_estimates(means_by_change(values, reviews["system"], clusters(reviews)), 0.0, 1.0)


def system_correlations(
    reviews: pd.DataFrame, relevance: pd.DataFrame
) -> list[dict[str, Estimate]]:
    """Correlate the mean relevance of systems with people's, for each column of scores.

    Intervals are undefined, since resampled changes do not cover other systems. Empty with fewer
    than `MIN_SYSTEMS` systems.
    """
    columns = relevance.assign(people=system_ratings(reviews, "relevance")).dropna()
    by_change = columns.groupby([reviews["system"], reviews["change"]]).mean()
    means = by_change.groupby("system").mean().round(12)  # equal in any order of summation
    scores = means.drop(columns="people") if len(means) >= MIN_SYSTEMS else means[:0]
    return [correlate(scores[name], means["people"][scores.index]) for name in relevance]


def tau_name(tau: float, measured_taus: Mapping[str, Estimate]) -> str:
    """Return the name of the tau in `procedure_taus` that equals `tau`, or else the number."""
    same = (name for name, of in measured_taus.items() if abs(of.value - tau) < _TAU_TOLERANCE)
    return next(same, f"{tau:.4g}")


def resolve_study_tau(run: Run, tau: str | None) -> float:
    """Return one of `TAU_NAMES` as computed on a run, to three decimals, or the number in `tau`.

    None means the preset `tau_gt` or, without a preset, `tau_gt` on the run.

    Raises:
        InputError: `tau` is not a number from -1 to 1, or the run lacks reviews to compute it.
    """
    encoder, claims = run.settings["encoder"], run.settings["claims"]
    if tau is None and tau_preset(encoder, claims) is None:
        tau = "tau_gt"
    if tau not in TAU_NAMES:
        return resolve_tau(tau, encoder, claims)
    reviews = with_pseudo_references(run.reviews)
    value = procedure_taus(reviews, bootstrap_changes(reviews), BEST_SYSTEM)[tau].value
    if np.isnan(value):
        raise InputError(f"the run has no reviews to compute {tau}", "give tau as a number")
    return round(value, 3)


def procedure_taus(
    reviews: pd.DataFrame, weights: Weights, best: str | None = None
) -> dict[str, Estimate]:
    """Return `tau_gt` and `tau_best` of this data, which are mean best similarities (section 3.3).

    tau_gt is the mean over the review sentences of the ground truth, tau_best over the sentences of
    the system `best`, by default `best_system`. The paper computes tau_best on changes outside its
    study. Undefined without such reviews.
    """
    maxima, lengths = flat_lists(reviews["sentence_maxima"])
    change = np.repeat(clusters(reviews), lengths)
    taus = {}
    for name, system in zip(TAU_NAMES, (GROUND_TRUTH, best or best_system(reviews)), strict=True):
        has_system = np.repeat((reviews["system"] == system).to_numpy(), lengths)
        taus[name] = clustered_mean(maxima[has_system], change[has_system], weights)
    return taus


def best_system(reviews: pd.DataFrame) -> str | None:
    """Return the system whose relevance people rate best; if several are, the first by name.

    The ground truth is left out. None if nobody rated.
    """
    means = system_means(reviews, system_ratings(reviews, "relevance"))["mean"].sort_index()
    return None if means.empty else str(means.idxmax())


def sweep(reviews: pd.DataFrame, taus: Sequence[float]) -> pd.DataFrame:
    """Return a row of figures for each tau, over reviews of changes with pseudo-references.

    Means and shares are over all reviews except the ground truth. Columns:

        tau
        conciseness, comprehensiveness, relevance: mean scores
        share_zero, share_one: shares of reviews with a relevance of 0 and of 1
        spearman_DIMENSION, kendall_DIMENSION: correlations with people's ratings in the dimension
        system_spearman: correlation of systems' mean relevance with people's

    Raises:
        InputError: a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    swept = scores_at_taus(reviews, thresholds, count_empty=True)
    scores = dict(zip(DIMENSIONS, swept, strict=True))
    by_system = is_by_system(reviews)
    averaged = {name: of[:, by_system | ~by_system.any()] for name, of in scores.items()}
    columns = {"tau": thresholds, **{name: of.mean(axis=1) for name, of in averaged.items()}}
    columns["share_zero"] = (averaged["relevance"] == 0).mean(axis=1)
    columns["share_one"] = (averaged["relevance"] == 1).mean(axis=1)
    for name, scores_by_tau in scores.items():
        ratings = system_ratings(reviews, name)
        by_tau = [correlate(row, ratings) for row in scores_by_tau]
        for statistic in ("spearman", "kendall"):
            columns[f"{statistic}_{name}"] = _values(by_tau, statistic)
    relevance = pd.DataFrame(scores["relevance"].T, reviews.index)
    columns["system_spearman"] = _values(system_correlations(reviews, relevance), "spearman")
    return pd.DataFrame(columns)


def _values(by_tau: Sequence[Mapping[str, Estimate]], statistic: str) -> Array:
    return np.array([figures.get(statistic, Estimate()).value for figures in by_tau])
