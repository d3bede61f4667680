"""Systems from best to worst by what people say and by any metric, and how far these agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.rated_maxima import RatedMaxima
from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    Ranking,
    SystemCorrelation,
    SystemScores,
    clustered_mean,
    correlate_resampled_means,
    means_in_resamples,
    rank_means,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MOST_SYSTEMS",
    "PEOPLE",
    "SCORES",
    "MetricRanking",
    "RankingRequest",
    "Rankings",
    "rank_by",
    "ranked_systems",
    "rankings_at_hand",
]

PEOPLE = tuple(f"human_{name}" for name in reversed(DIMENSIONS))
"""Columns of a `ReviewTable` that people made, the one that sums up the others first."""

SCORES = (*reversed(DIMENSIONS), "calibrated_relevance", "no_threshold")
"""Columns of a `ReviewTable` that metrics made."""

MOST_SYSTEMS = 40
"""More are no systems but something else; their pairs would take memory and tell nothing."""

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RankingRequest:
    """What to rank systems by: `metrics`, some of `PEOPLE` and `SCORES`.

    `people` is the one of `PEOPLE` whose order the others are correlated with, None for no
    correlation. Only reviews of changes in `language` count if it is given. Of more than
    `most_systems` systems, those with the most reviews are ranked.
    """

    metrics: tuple[str, ...]
    people: str | None = PEOPLE[0]
    language: str | None = None
    most_systems: int = MOST_SYSTEMS


@dataclass(frozen=True, slots=True)
class MetricRanking:
    """Systems by their mean of one column, from 0 to 1, the ground truth left out.

    `reviews` is how many have a value. `with_people` says how far the order agrees with that by
    what people say, over the reviews that have both; None where no two systems have any, and for
    that column itself.
    """

    metric: str
    ranking: Ranking
    reviews: int
    with_people: SystemCorrelation | None


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings of the same systems by several columns, in the order asked for.

    A column without a value for any system has none. `people` is the column that the others are
    correlated with, None where there is none. `ground_truth` are the means of the reference
    reviews by column, where there are any. `systems` are those that are ranked, with their number
    of reviews, and `left_out` is how many others there are.
    """

    people: str | None
    by: Mapping[str, MetricRanking]
    ground_truth: Mapping[str, Estimate]
    systems: Mapping[str, int]
    left_out: int


def rankings_at_hand(comparison: CorpusComparison, rows: "pd.DataFrame") -> tuple[str, ...]:
    """Which of `PEOPLE` and `SCORES` have a value for any review of a system."""
    is_of_a_system = comparison.system != GROUND_TRUTH
    return tuple(
        name for name in (*PEOPLE, *SCORES) if rows[name].notna().to_numpy()[is_of_a_system].any()
    )


def rank_by(
    comparison: CorpusComparison,
    rows: "pd.DataFrame",
    request: RankingRequest,
    bootstrap: ClusterBootstrap,
) -> Rankings:
    """Rank the systems of a comparison by columns of its `ReviewTable`, of which `rows` are.

    Means are over the reviews that have a value; ratings are brought from 1..5 to 0..1. Intervals
    and probabilities resample the changes of `bootstrap`. The ground truth is left out of ranks
    and correlations, as in the paper (section 5.2, Tables 2 and 15).

    Raises:
        StatisticsError: a metric or `people` is no column that can rank, or the bootstrap is of
            another number of changes.
    """
    metrics, people = request.metrics, request.people
    for name in (*metrics, *filter(None, [people])):
        if name not in PEOPLE and name not in SCORES:
            raise StatisticsError(f"no metric {name!r}; there are {', '.join((*PEOPLE, *SCORES))}")
    in_language = (
        np.ones(len(rows), dtype=np.bool_)
        if request.language is None
        else comparison.language == request.language
    )
    systems, left_out = ranked_systems(comparison.rated_maxima, in_language, request.most_systems)
    asked = _Asked(
        comparison,
        {name: _values(rows, name) for name in dict.fromkeys([*metrics, *filter(None, [people])])},
        in_language & np.isin(comparison.system, list(systems)),
        tuple(systems),
        bootstrap,
    )
    is_truth = in_language & (comparison.system == GROUND_TRUTH)
    return Rankings(
        people,
        asked.rankings(metrics, people),
        {
            name: clustered_mean(asked.values[name][has], comparison.change[has], bootstrap)
            for name in metrics
            if (has := is_truth & ~np.isnan(asked.values[name])).any()
        },
        systems,
        left_out,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What all rankings of one question share; `is_ranked` are the reviews of `systems`."""

    comparison: CorpusComparison
    values: Mapping[str, Array]
    is_ranked: Chosen
    systems: tuple[str, ...]
    bootstrap: ClusterBootstrap

    def rankings(self, metrics: Sequence[str], people: str | None) -> dict[str, MetricRanking]:
        """By metric; those are left out that have no value for any system."""
        has = {name: self.is_ranked & ~np.isnan(self.values[name]) for name in self.values}
        ranked = [name for name in metrics if has[name].any()]
        # The metric's mean of reviews that nobody rated says nothing of agreement.
        rated = {name: has[name] & has[people] for name in ranked} if people else {}
        pairs = {
            name: (self._scores(name, both), self._scores(people, both))
            for name, both in rated.items()
            if people and name != people and np.unique(self.comparison.system[both]).size > 1
        }
        scores = [
            *(self._scores(name, has[name]) for name in ranked),
            *(one for pair in pairs.values() for one in pair),
        ]
        means = means_in_resamples(scores, self.bootstrap.weights)
        of_pairs = iter(means[len(ranked) :])
        agreement = {
            name: correlate_resampled_means(one, other, self.bootstrap)
            for name, one, other in zip(pairs, of_pairs, of_pairs, strict=True)
        }
        return {
            name: MetricRanking(
                name,
                rank_means(of_metric, self.bootstrap),
                int(has[name].sum()),
                agreement.get(name),
            )
            for name, of_metric in zip(ranked, means, strict=False)
        }

    def _scores(self, name: str, chosen: Chosen) -> SystemScores:
        """Systems in the order of `systems`, so that two of the same reviews have the same."""
        names, column = np.unique(self.comparison.system[chosen], return_inverse=True)
        order = [name for name in self.systems if name in set(names.tolist())]
        place = np.array([order.index(name) for name in names.tolist()])[column]
        shape = len(self.comparison.changes), len(order)
        cell = self.comparison.change[chosen] * shape[1] + place
        n_cells = shape[0] * shape[1]
        return SystemScores(
            tuple(order),
            np.bincount(cell, self.values[name][chosen], minlength=n_cells)
            .astype(np.float64)
            .reshape(shape),
            np.bincount(cell, minlength=n_cells).astype(np.float64).reshape(shape),
        )


def ranked_systems(
    reviews: RatedMaxima, chosen: Chosen, most: int = MOST_SYSTEMS
) -> tuple[dict[str, int], int]:
    """Systems with their number of reviews among the `chosen`, (n reviews,); how many others.

    Those with the most reviews, in the order in which they first occur, the ground truth left out.
    """
    systems, first, counts = np.unique(
        reviews.system[chosen & reviews.is_of_a_system], return_index=True, return_counts=True
    )
    kept = np.lexsort((first, -counts))[:most]
    in_order = kept[np.argsort(first[kept], kind="stable")]
    return {
        reviews.systems[systems[at]]: int(counts[at]) for at in in_order
    }, systems.size - kept.size


def _values(rows: "pd.DataFrame", name: str) -> Array:
    values = rows[name].to_numpy(dtype=np.float64)
    return (values - 1) / 4 if name in PEOPLE else values
