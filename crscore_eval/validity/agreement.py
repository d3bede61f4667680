"""Agreement of scores with people at one or many values of tau, and how the paper sets tau.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.scoring import resolve_tau, tau_preset
from crscore_eval.statistics.bootstrap import Estimate, bootstrap_changes, clustered_mean, clusters
from crscore_eval.statistics.correlation import correlate
from crscore_eval.statistics.difference import mean_estimates, means_by_change
from crscore_eval.table import GROUND_TRUTH, Run, is_by_system, scores_at
from crscore_eval.table.measures import people_ratings
from crscore_eval.table.scores import flat_lists
from crscore_eval.validity.compare import compare_with_label

Numbers: TypeAlias = "pd.Series[float]"

Figures: TypeAlias = dict[str, dict[str, Estimate]]
"""The figures of a table, keyed by row and column."""

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""

TAU_NAMES = ("tau_gt", "tau_best")
"""Thresholds of the paper, from the ground truth and from the best system (section 3.3)."""


def system_ratings(reviews: pd.DataFrame, dimension: str) -> Numbers:
    """Return people's ratings, 1 to 5; NaN if unrated, and for the ground truth."""
    return people_ratings(reviews, dimension).where(is_by_system(reviews))


def system_means(reviews: pd.DataFrame, values: Numbers) -> pd.DataFrame:
    """Return mean, low and high of each system, and of the ground truth, see `mean_estimates`.

    Values are from 0 to 1; NaN is left out. Systems are in order of first occurrence.
    """
    return mean_estimates(means_by_change(values, reviews["system"], clusters(reviews)), 0.0, 1.0)


def system_correlation(
    reviews: pd.DataFrame, scores: Numbers, label: Numbers
) -> dict[str, Estimate]:
    """Correlate the mean scores of systems with their mean label, see `correlate`.

    Intervals are undefined, since resampled changes do not cover other systems. Empty with fewer
    than `MIN_SYSTEMS` systems.
    """
    rated = pd.DataFrame({"score": scores, "label": label}).dropna()
    by_change = rated.groupby([reviews["system"], reviews["change"]]).mean()
    means = by_change.groupby("system").mean().round(12)  # equal in any order of summation
    return correlate(means["score"], means["label"]) if len(means) >= MIN_SYSTEMS else {}


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
    value = procedure_taus(run.reviews)[tau].value
    if np.isnan(value):
        raise InputError(f"the run has no reviews to compute {tau}", "give tau as a number")
    return round(value, 3)


def procedure_taus(reviews: pd.DataFrame) -> dict[str, Estimate]:
    """Return `tau_gt` and `tau_best` of this data, which are mean best similarities (section 3.3).

    tau_gt is the mean over the review sentences of the ground truth, tau_best over the sentences of
    the system whose relevance people rate best (of several, the first by name). The paper computes
    tau_best on changes outside its study. Undefined without such reviews.
    """
    people = system_means(reviews, system_ratings(reviews, "relevance"))["mean"].sort_index()
    systems = GROUND_TRUTH, None if people.empty else people.idxmax()
    maxima, lengths = flat_lists(reviews["sentence_maxima"])
    change, weights, taus = np.repeat(clusters(reviews), lengths), bootstrap_changes(reviews), {}
    for name, system in zip(TAU_NAMES, systems, strict=True):
        has_system = np.repeat((reviews["system"] == system).to_numpy(), lengths)
        taus[name] = clustered_mean(maxima[has_system], change[has_system], weights)
    return taus


def sweep(reviews: pd.DataFrame, taus: Sequence[float], label: Numbers) -> pd.DataFrame:
    """Return a row of figures for each tau, over reviews of changes with pseudo-references.

    Means are over all of these except the ground truth. Columns:

        tau
        conciseness, comprehensiveness, relevance: mean scores
        agreement_DIMENSION, agreement_no_threshold: agreement with the `label` of systems' reviews
        statistic, rows: the statistic of agreement and the number of reviews, see `compare_metrics`

    Raises:
        InputError: a tau is not a finite number.
    """
    by_system, rows = is_by_system(reviews), []
    change, weights = pd.Series(clusters(reviews), reviews.index), bootstrap_changes(reviews)[:2]
    without = scores_at(reviews, None, count_empty=True)["relevance"]
    for tau in taus:
        scores = scores_at(reviews, tau, count_empty=True)
        compared = scores.assign(no_threshold=without)
        found = compare_with_label(compared, label, change, weights).set_index("metric")
        averaged = scores[by_system | ~by_system.any()].dropna()
        rows.append(
            {
                "tau": tau,
                **averaged.mean(),
                **found["value"].add_prefix("agreement_"),
                "statistic": found["statistic"].iloc[0],
                "rows": found["rows"].max(),
            }
        )
    return pd.DataFrame(rows)
