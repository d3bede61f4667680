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
from crscore_eval.metrics.agreement import compare_with_label
from crscore_eval.statistics.bootstrap import Estimate, clustered_mean
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
    scores_without_threshold,
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
    reviews: pd.DataFrame, relevance: pd.DataFrame, label: Numbers
) -> list[dict[str, Estimate]]:
    """Correlate the mean relevance of systems with their mean label, for each column of scores.

    Intervals are undefined, since resampled changes do not cover other systems. Empty with fewer
    than `MIN_SYSTEMS` systems.
    """
    columns = relevance.assign(people=label).dropna()
    by_change = columns.groupby([reviews["system"], reviews["change"]]).mean()
    means = by_change.groupby("system").mean().round(12)  # equal in any order of summation
    scores = means.drop(columns="people") if len(means) >= MIN_SYSTEMS else means[:0]
    return [correlate(scores[name], means["people"][scores.index]) for name in relevance]


def tau_name(tau: float, measured_taus: Mapping[str, Estimate]) -> str:
    """Return the name of the tau that is equal to three decimals, as presets are, or the number."""
    same = (name for name, of in measured_taus.items() if round(of.value, 3) == round(tau, 3))
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
    value = procedure_taus(reviews, BEST_SYSTEM)[tau].value
    if np.isnan(value):
        raise InputError(f"the run has no reviews to compute {tau}", "give tau as a number")
    return round(value, 3)


def procedure_taus(reviews: pd.DataFrame, best: str | None = None) -> dict[str, Estimate]:
    """Return `tau_gt` and `tau_best` of this data, which are mean best similarities (section 3.3).

    tau_gt is the mean over the review sentences of the ground truth, tau_best over the sentences of
    the system `best`, by default the one whose relevance people rate best (of several, the first by
    name). The paper computes tau_best on changes outside its study. Undefined without such reviews.
    """
    people = system_means(reviews, system_ratings(reviews, "relevance"))["mean"].sort_index()
    systems = GROUND_TRUTH, best or (None if people.empty else people.idxmax())
    maxima, lengths = flat_lists(reviews["sentence_maxima"])
    change, weights, taus = np.repeat(clusters(reviews), lengths), bootstrap_changes(reviews), {}
    for name, system in zip(TAU_NAMES, systems, strict=True):
        has_system = np.repeat((reviews["system"] == system).to_numpy(), lengths)
        taus[name] = clustered_mean(maxima[has_system], change[has_system], weights)
    return taus


def sweep(reviews: pd.DataFrame, taus: Sequence[float], label: Numbers) -> pd.DataFrame:
    """Return a row of figures for each tau, over reviews of changes with pseudo-references.

    Means and shares are over all reviews except the ground truth. Columns:

        tau
        conciseness, comprehensiveness, relevance: mean scores
        share_zero, share_one: shares of reviews with a relevance of 0 and of 1
        agreement_DIMENSION, agreement_no_threshold: agreement with the `label` of systems' reviews
        statistic, rows: the statistic of agreement and the number of reviews, see `compare_metrics`
        system_spearman: correlation of systems' mean relevance with their mean label

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
    compared = pd.DataFrame(np.concatenate(swept).T, reviews.index).rename(columns=str)
    compared["no_threshold"] = scores_without_threshold(reviews, count_empty=True)["relevance"]
    change = pd.Series(clusters(reviews), reviews.index)
    found = compare_with_label(compared, label, change, bootstrap_changes(reviews)[:2])
    *values, columns["agreement_no_threshold"] = found["value"].to_numpy()
    columns |= {"statistic": found["statistic"].iloc[0], "rows": found["rows"].max()}
    by_tau = np.reshape(values, (len(DIMENSIONS), -1))
    columns |= {f"agreement_{name}": of for name, of in zip(DIMENSIONS, by_tau, strict=True)}
    relevance = pd.DataFrame(scores["relevance"].T, reviews.index)
    of_systems = system_correlations(reviews, relevance, label)
    rho = [figures.get("spearman", Estimate()).value for figures in of_systems]
    return pd.DataFrame(columns).assign(system_spearman=rho)
