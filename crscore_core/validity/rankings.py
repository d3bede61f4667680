"""Systems from best to worst by what people say and by any metric, and how far these agree."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.systems import MOST_SYSTEMS, busiest_systems
from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    Ranking,
    ScoresByChange,
    SystemScores,
    rank_systems,
    soft_pairwise_accuracy,
    system_correlation,
    system_scores,
)

if TYPE_CHECKING:
    import pandas as pd

PEOPLE = tuple(f"human_{name}" for name in reversed(DIMENSIONS))
"""Columns of a `ReviewTable` with people's ratings, the one that sums up the others first."""

SCORES = ("relevance", *METRICS, "conciseness", "comprehensiveness")
"""Columns of a `ReviewTable` with a metric's scores, the one to decide by first."""

COLUMNS = (SCORES[0], *PEOPLE, *SCORES[1:])
"""Columns that rank systems, in the order in which people are shown them."""

_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SystemTables:
    """Systems by relevance, the ground truth left out: by people, by the metric, and how alike.

    `correlation` is that of the paper's Table 2, the rankings those of Table 15.
    """

    people: Ranking
    metric: Ranking
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class RankingRequest:
    """A question for rankings of systems by `metrics`, some of `COLUMNS`.

    `people` is the one of `PEOPLE` whose order the others are correlated with, None for no
    correlation. Only reviews of changes in `language` count if it is given.
    """

    metrics: tuple[str, ...]
    people: str | None = PEOPLE[0]
    language: str | None = None


@dataclass(frozen=True, slots=True)
class MetricRanking:
    """Systems by their mean of one column, from 0 to 1, the ground truth left out.

    `reviews` is the number of reviews with a value. `with_people` correlates the order with that
    by what people say, over the reviews that have both; None where fewer than two systems have
    any, and for that column itself.
    """

    metric: str
    ranking: Ranking
    reviews: int
    with_people: Correlation | None


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings of the same systems by several columns, in the order asked for.

    A column without a value for any system has none. `people` is the column that the others are
    correlated with, None where there is none. `ground_truth` are the means of the reference
    reviews by column, where there are any. `systems` are those that are ranked, with their number
    of reviews, and `left_out` is the number of others.
    """

    people: str | None
    by: Mapping[str, MetricRanking]
    ground_truth: Mapping[str, Estimate]
    systems: Mapping[str, int]
    left_out: int


def system_tables(
    comparison: CorpusComparison, relevance: Array, bootstrap: ClusterBootstrap
) -> SystemTables | None:
    """Rank systems by their mean relevance, (n reviews,), and by people's (Tables 2 and 15).

    Only reviews whose relevance people rated count, of the `MOST_SYSTEMS` systems with the most
    reviews; None where there are none.
    """
    judged, systems = _rated(comparison)
    if not judged.any():
        return None
    people = (comparison.ratings[:, _RELEVANCE] - 1) / 4
    by_people, by_metric = (
        _scores(comparison, values, judged, systems) for values in (people, relevance)
    )
    return SystemTables(
        rank_systems(by_people, bootstrap),
        rank_systems(by_metric, bootstrap),
        system_correlation(by_metric, by_people, bootstrap),
    )


def soft_pairwise(
    comparison: CorpusComparison, relevance: Array, bootstrap: ClusterBootstrap
) -> Estimate:
    """Return the soft pairwise accuracy of relevance, (n reviews,), on the same systems."""
    judged, _ = _rated(comparison)
    return soft_pairwise_accuracy(
        relevance[judged],
        comparison.ratings[judged, _RELEVANCE],
        comparison.system[judged].tolist(),
        comparison.change[judged],
        bootstrap,
    )


def rankings_at_hand(comparison: CorpusComparison, rows: "pd.DataFrame") -> tuple[str, ...]:
    """Return those of `COLUMNS` that have a value for any review of a system."""
    is_of_a_system = comparison.system != GROUND_TRUTH
    return tuple(name for name in COLUMNS if rows[name].notna().to_numpy()[is_of_a_system].any())


def rank_by(
    comparison: CorpusComparison,
    rows: "pd.DataFrame",
    request: RankingRequest,
    bootstrap: ClusterBootstrap,
) -> Rankings:
    """Rank the systems of a comparison by columns of its `ReviewTable`, of which `rows` are.

    Means are over the reviews that have a value; ratings are brought from 1..5 to 0..1. Their
    intervals are t intervals over changes; those of ranks and correlations, and probabilities,
    resample the changes of `bootstrap`. Of more than `MOST_SYSTEMS` systems, those with the most
    reviews are ranked. A system whose reviews in the language are all empty has no score, so no
    rank. The ground truth is left out of ranks and correlations, as in the paper (section 5.2,
    Tables 2 and 15).

    Raises:
        StatisticsError: a metric or `people` is no column that can rank, or the bootstrap is of
            another number of changes.
    """
    metrics, people = request.metrics, request.people
    columns = dict.fromkeys(metrics if people is None else (*metrics, people))
    for name in columns:
        if name not in COLUMNS:
            raise StatisticsError(f"no metric {name!r}; there are {', '.join(COLUMNS)}")
    values = {name: _values(rows, name) for name in columns}
    in_language = np.ones(len(rows), dtype=np.bool_)
    if request.language is not None:
        in_language = comparison.language == request.language
    reviews = comparison.rated_maxima
    heard = reviews.system[in_language & ~reviews.is_empty]
    of_systems = in_language & reviews.is_of_a_system & np.isin(reviews.system, heard)
    systems = busiest_systems(reviews, MOST_SYSTEMS, of_systems)
    is_ranked = of_systems & np.isin(comparison.system, list(systems))
    has = {name: is_ranked & ~np.isnan(values[name]) for name in values}

    def scores(name: str, chosen: Chosen) -> SystemScores:
        return _scores(comparison, values[name], chosen, tuple(systems))

    def mean(name: str, chosen: Chosen) -> Estimate:
        return ScoresByChange.of(values[name][chosen], comparison.change[chosen]).estimate()

    def ranking(name: str) -> Ranking:
        found = rank_systems(scores(name, has[name]), bootstrap)
        systems = (
            replace(each, mean=mean(name, has[name] & (comparison.system == each.system)))
            for each in found.systems
        )
        return replace(found, systems=tuple(systems))

    def with_people(name: str) -> Correlation | None:
        if people is None or name == people:
            return None
        # A mean over reviews that nobody rated says nothing of agreement.
        both = has[name] & has[people]
        if np.unique(comparison.system[both]).size < 2:
            return None
        return system_correlation(scores(name, both), scores(people, both), bootstrap)

    truth = {
        name: in_language & ~reviews.is_of_a_system & ~np.isnan(values[name]) for name in metrics
    }
    return Rankings(
        people,
        {
            name: MetricRanking(
                name,
                ranking(name),
                int(has[name].sum()),
                with_people(name),
            )
            for name in metrics
            if has[name].any()
        },
        {name: mean(name, chosen) for name, chosen in truth.items() if chosen.any()},
        systems,
        np.unique(reviews.system[of_systems]).size - len(systems),
    )


def _rated(comparison: CorpusComparison) -> tuple[Chosen, tuple[str, ...]]:
    """Mark the rated reviews of the busiest systems, and name these; see `system_tables`."""
    reviews = comparison.rated_maxima
    systems = busiest_systems(reviews, MOST_SYSTEMS, reviews.is_of_a_system)
    return comparison.is_judged & np.isin(comparison.system, list(systems)), tuple(systems)


def _scores(
    comparison: CorpusComparison, values: Array, chosen: Chosen, systems: tuple[str, ...]
) -> SystemScores:
    """Scores of the chosen reviews; two of the same reviews have their systems in one order."""
    return system_scores(
        values[chosen],
        comparison.system[chosen].tolist(),
        comparison.change[chosen],
        len(comparison.changes),
        systems,
    )


def _values(rows: "pd.DataFrame", name: str) -> Array:
    values = rows[name].to_numpy(dtype=np.float64)
    return (values - 1) / 4 if name in PEOPLE else values
