"""Systems ranked by people and by metrics, on reviews made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.errors import StatisticsError
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity import rankings
from crscore_core.validity.rankings import (
    PEOPLE,
    RankingRequest,
    Rankings,
    rank_by,
    rankings_at_hand,
    soft_pairwise,
    system_tables,
)
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated, scoring

# Rel and people's relevance of a, b, c in each change: people say a, b, c, Rel says a, c, b.
LIKED = {"a": (0.9, 5), "b": (0.2, 3), "c": (0.5, 1), GROUND_TRUTH: (1.0, 5)}


def reviews(n_changes: int = 4) -> list[Made]:
    return [
        scoring(change, share, rating, system)
        for change in range(n_changes)
        for system, (share, rating) in LIKED.items()
    ]


def ranked(comparison: CorpusComparison, request: RankingRequest) -> Rankings:
    rows = ReviewTable(comparison).at(0.5)
    return rank_by(comparison, rows, request, ClusterBootstrap(len(comparison.changes), 100))


def unrated(comparison: CorpusComparison, at: Sequence[int]) -> CorpusComparison:
    """The comparison as if nobody had rated the reviews at these positions."""
    reviews = enumerate(comparison.reviews)
    return rated(comparison, (UNRATED if row in at else one.ratings for row, one in reviews))


def order(found: Rankings, metric: str) -> list[str]:
    return [one.system for one in found.by[metric].ranking.systems]


def test_each_column_ranks_the_systems_without_the_ground_truth() -> None:
    found = ranked(made_comparison(*reviews()), RankingRequest(("human_relevance", "relevance")))
    assert order(found, "human_relevance") == ["a", "b", "c"]
    assert order(found, "relevance") == ["a", "c", "b"]
    assert found.systems == {"a": 4, "b": 4, "c": 4}
    assert found.left_out == 0
    assert found.by["relevance"].reviews == 12
    # Ratings of 5, 3 and 1 from 0 to 1.
    assert [one.mean.value for one in found.by["human_relevance"].ranking.systems] == [1, 0.5, 0]
    assert found.ground_truth["relevance"].value == pytest.approx(1)
    assert all(pair.probability == 1 for pair in found.by["relevance"].ranking.neighbours)
    agreement = found.by["relevance"].with_people
    assert found.by["human_relevance"].with_people is None
    assert agreement
    # Ranks 1, 2, 3 against 1, 3, 2: 1 - 6 * 2 / 24; two of three pairs stand as people's do.
    assert agreement.spearman.value == pytest.approx(0.5)
    assert agreement.kendall.value == pytest.approx(1 / 3)
    assert agreement.spearman.interval


def test_an_order_that_changes_with_the_changes_is_unsure() -> None:
    other = [scoring(0, 0.9, 5, "a"), scoring(0, 0.1, 1, "b")]
    other += [scoring(1, 0.2, 1, "a"), scoring(1, 0.9, 5, "b")]
    found = ranked(made_comparison(*other), RankingRequest(("relevance",)))
    (pair,) = found.by["relevance"].ranking.neighbours
    assert pair.higher == "a"
    assert pair.probability is not None
    assert 0.2 < pair.probability < 0.9


def test_only_reviews_that_people_rated_are_correlated() -> None:
    """Without the ratings of b's reviews, a and c are left, which both put in one order."""
    made = made_comparison(*reviews())
    of_b = [at for at, one in enumerate(made.reviews) if one.system == "b"]
    found = ranked(unrated(made, of_b), RankingRequest(("human_relevance", "relevance")))
    assert order(found, "human_relevance") == ["a", "c"]
    assert order(found, "relevance") == ["a", "c", "b"]
    agreement = found.by["relevance"].with_people
    assert agreement
    assert agreement.n == 2
    assert agreement.spearman.value == pytest.approx(1)


def test_unrated_reviews_are_ranked_and_not_correlated() -> None:
    made = made_comparison(*reviews())
    comparison = unrated(made, range(len(made.reviews)))
    rows = ReviewTable(comparison).at(0.5)
    at_hand = rankings_at_hand(comparison, rows)
    assert not set(at_hand) & set(PEOPLE)
    assert "relevance" in at_hand
    found = ranked(comparison, RankingRequest(("human_relevance", "relevance")))
    assert list(found.by) == ["relevance"]
    assert found.by["relevance"].with_people is None
    # Ratings of the ground truth alone are no ranking.
    of_systems = [at for at, one in enumerate(made.reviews) if one.system != GROUND_TRUTH]
    comparison = unrated(made, of_systems)
    assert "human_relevance" not in rankings_at_hand(comparison, ReviewTable(comparison).at(0.5))
    assert "human_relevance" not in ranked(comparison, RankingRequest(PEOPLE)).by


def test_one_language_counts_its_own_changes_alone() -> None:
    made = made_comparison(
        scoring(0, 0.9, 5, "a"), scoring(0, 0.1, 1, "b"),
        scoring(1, 0.1, 1, "a"), scoring(1, 0.8, 4, "b"), scoring(1, 0.8, 4, "c"),
    )  # fmt: skip
    changes = (made.changes[0], replace(made.changes[1], language="java"))
    comparison = replace(made, changes=changes)
    python = ranked(comparison, RankingRequest(("relevance",), language="python"))
    java = ranked(comparison, RankingRequest(("relevance",), language="java"))
    assert order(python, "relevance") == ["a", "b"]
    assert order(java, "relevance") == ["b", "c", "a"]
    assert [one.rank.value for one in java.by["relevance"].ranking.systems] == [1.5, 1.5, 3]
    assert ranked(comparison, RankingRequest(("relevance",), language="go")).by == {}
    silent = (  # those in Java
        replace(one, sentences=(), similarity=one.similarity[:, :0]) if one.change else one
        for one in comparison.reviews
    )
    comparison = replace(comparison, reviews=tuple(silent))
    java = ranked(comparison, RankingRequest(("relevance",), language="java"))
    assert (java.by, java.systems) == ({}, {})


def test_means_have_the_intervals_of_the_table_of_systems() -> None:
    rows = [scoring(change, (change % 4) / 10, 3, "a") for change in range(8)]
    (of_a,) = (
        ranked(made_comparison(*rows), RankingRequest(("relevance",)))
        .by["relevance"]
        .ranking.systems
    )
    shares = [(change % 4) / 10 for change in range(8)]
    half = t.ppf(0.975, 7) * np.std(shares, ddof=1) / np.sqrt(8)
    assert of_a.mean.interval
    assert of_a.mean.interval.high == pytest.approx(np.mean(shares) + half)


def test_of_thousands_of_systems_those_with_the_most_reviews_are_ranked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rankings, "MOST_SYSTEMS", 3)
    named = [scoring(at % 5, 0.5, 3, f"once {at}") for at in range(300)]
    named += [scoring(at, 0.5, 3, name) for at in range(5) for name in ("often", "also")]
    found = ranked(made_comparison(*named), RankingRequest(("relevance",)))
    assert list(found.systems) == ["once 0", "often", "also"]
    assert found.left_out == 299
    assert found.by["relevance"].reviews == 11


def test_what_is_no_metric_is_refused() -> None:
    for request in (RankingRequest(("words",)), RankingRequest(("relevance",), people="words")):
        with pytest.raises(StatisticsError, match="no metric 'words'"):
            ranked(made_comparison(*reviews()), request)


def test_system_tables_are_over_rated_reviews() -> None:
    made = made_comparison(*reviews())
    relevance, bootstrap = made.scores([0.5])[2, 0], ClusterBootstrap(4, 100)
    tables = system_tables(made, relevance, bootstrap)
    assert tables
    assert [row.system for row in tables.people.systems] == ["a", "b", "c"]
    assert [row.system for row in tables.metric.systems] == ["a", "c", "b"]
    assert tables.correlation.kendall.value == pytest.approx(1 / 3)
    # Four changes that say the same: p is 1/32, or 31/32. b and c stand the other way round.
    pairs = soft_pairwise(made, relevance, bootstrap)
    assert pairs.value == pytest.approx((1 + 1 + 2 / 32) / 3, abs=0.01)
    assert system_tables(unrated(made, range(len(made.reviews))), relevance, bootstrap) is None
