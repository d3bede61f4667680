"""Figures of the validity tables: a function for each table of scores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from crscore_eval.statistics import ClusterBootstrap, Correlation, Estimate
from crscore_eval.table import DIMENSIONS, Run
from crscore_eval.validity.agreement import (
    Numbers,
    TableCell,
    correlation,
    mean,
    system_means,
    system_ratings,
)
from crscore_eval.validity.failures import failing_reviews, failure_traits
from crscore_eval.validity.systems import (
    rank_systems,
    relevance_by_system,
    system_correlation,
)
from crscore_eval.validity.thresholds import NamedTau, sweep


class ScoredReviews(NamedTuple):
    """Reviews, their scores at one tau or without a threshold, and resamples of the changes."""

    run: Run
    scores: pd.DataFrame
    bootstrap: ClusterBootstrap

    @property
    def reviews(self) -> pd.DataFrame:
        """The table of reviews, with the index of the scores."""
        return self.run.reviews

    def ratings(self, dimension: str) -> Numbers:
        """Return `system_ratings`, with the index of the scores."""
        return system_ratings(self.reviews, dimension)


def _correlation_figures(row: str, agreement: Correlation) -> Iterator[TableCell]:
    if agreement.n:
        yield TableCell(row, "spearman", agreement.spearman)
        yield TableCell(row, "kendall", agreement.kendall)
        yield TableCell(row, "spearman_p", Estimate(agreement.spearman_p))
        yield TableCell(row, "kendall_p", Estimate(agreement.kendall_p))
        yield TableCell(row, "n", Estimate(float(agreement.n)))


def review_level(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the agreement of each dimension with people, over reviews (Tables 3 and 9)."""
    for name in DIMENSIONS:
        scores, ratings = scored.scores[name], scored.ratings(name)
        agreement = correlation(scored.reviews, scores, ratings, scored.bootstrap)
        yield from _correlation_figures(name, agreement)


def _by_language(scored: ScoredReviews) -> Iterator[TableCell]:
    language, ratings = scored.reviews["language"], scored.ratings("relevance")
    for name in language.unique():
        scores = scored.scores["relevance"].where(language == name)
        agreement = correlation(scored.reviews, scores, ratings, scored.bootstrap)
        yield from _correlation_figures(str(name), agreement)


def system_level(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the agreement of relevance with people, over the means of systems (Table 2)."""
    scores, ratings = relevance_by_system(scored.reviews, scored.scores["relevance"])
    if scores:
        means = system_correlation(scores, ratings, scored.bootstrap)
        yield from _correlation_figures("systems", means)


def _rankings(scored: ScoredReviews) -> Iterator[TableCell]:
    scores, ratings = relevance_by_system(scored.reviews, scored.scores["relevance"])
    for column, by_system in (("people", ratings), ("relevance", scores)):
        for system, rank in rank_systems(by_system, scored.bootstrap) if by_system else ():
            yield TableCell(system, column, rank)


def mean_scores(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the mean scores of systems (Table 10)."""
    for name, values in scored.scores.items():
        if values.notna().any():
            means = system_means(scored.reviews, values)
            yield from (
                TableCell(system, str(name), estimate) for system, estimate in means.items()
            )


def _means_by_rating(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield mean scores by people's rating, rounded to a whole number."""
    for name in DIMENSIONS:
        nearest = np.floor(scored.ratings(name) + 0.5)
        for level in range(1, 6):
            scores = scored.scores[name].where(nearest == level)
            estimate = mean(scored.reviews, scores, scored.bootstrap)
            if estimate.value is not None:
                yield TableCell(name, str(level), estimate)


def _failures(scored: ScoredReviews) -> Iterator[TableCell]:
    ratings = scored.ratings("relevance").rename("relevance")
    scores = scored.scores["relevance"]
    if ratings.notna().any():
        failing = failing_reviews(scores, ratings, "paper")
        yield from failure_traits(scored.run, scores, ratings, failing, scored.bootstrap)


def threshold_figures(reviews: pd.DataFrame, taus: Sequence[NamedTau]) -> Iterator[TableCell]:
    """Yield the agreement of relevance with people at each tau (Table 18)."""
    by_tau = sweep(reviews, [tau.value for tau in taus])
    titles = {"spearman_relevance": "spearman", "kendall_relevance": "kendall"}
    columns = ["tau", "spearman", "kendall", "system_spearman", "share_zero", "share_one"]
    rows = by_tau.rename(columns=titles)[columns].to_dict("records")
    for tau, figures in zip(taus, rows, strict=True):
        for column, value in figures.items():
            if pd.notna(value):
                yield TableCell(tau.name, str(column), Estimate(float(value)))


AT_TAU: Mapping[str, Callable[[ScoredReviews], Iterator[TableCell]]] = {
    "system_level": system_level,
    "review_level": review_level,
    "metric_means": mean_scores,
    "review_level_by_language": _by_language,
    "rankings": _rankings,
    "levels": _means_by_rating,
    "failures": _failures,
}
"""The tables that depend on tau."""
