"""Systems ranked by people and by the metric, on reviews made by hand."""

from collections.abc import Sequence

import pytest

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED
from crscore_core.corpus.reviews import Reviews
from crscore_core.validity import rankings
from crscore_core.validity.rankings import soft_pairwise, system_tables
from crscore_eval.statistics import ClusterBootstrap
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated, scoring

# Rel and people's relevance of a, b, c in each change: people say a, b, c, Rel says a, c, b.
LIKED = {"a": (0.9, 5), "b": (0.2, 3), "c": (0.5, 1), GROUND_TRUTH: (1.0, 5)}


def reviews(n_changes: int = 4) -> list[Made]:
    return [
        scoring(change, share, rating, system)
        for change in range(n_changes)
        for system, (share, rating) in LIKED.items()
    ]


def unrated(comparison: Reviews, at: Sequence[int]) -> Reviews:
    """The comparison as if nobody had rated the reviews at these positions."""
    reviews = enumerate(comparison)
    return rated(comparison, (UNRATED if row in at else one.ratings for row, one in reviews))


def test_system_tables_are_over_rated_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_comparison(*reviews())
    relevance, bootstrap = made.scores([0.5])[2, 0], ClusterBootstrap(4, 100)
    tables = system_tables(made, relevance, bootstrap)
    assert tables
    assert [row.system for row in tables.people] == ["a", "b", "c"]
    assert [row.system for row in tables.metric] == ["a", "c", "b"]
    # Ratings of 5, 3 and 1 from 0 to 1.
    assert [row.mean.value for row in tables.people] == [1, 0.5, 0]
    # Ranks 1, 2, 3 against 1, 3, 2: 1 - 6 * 2 / 24; two of three pairs stand as people's do.
    assert tables.correlation.spearman.value == pytest.approx(0.5)
    assert tables.correlation.kendall.value == pytest.approx(1 / 3)
    # Four changes that say the same: p is 1/32, or 31/32. b and c stand the other way round.
    pairs = soft_pairwise(made, relevance, bootstrap)
    assert pairs.value == pytest.approx((1 + 1 + 2 / 32) / 3, abs=0.01)
    assert system_tables(unrated(made, range(len(made))), relevance, bootstrap) is None
    # Without the ratings of b's reviews, a and c are left, which both put in one order.
    of_b = [at for at, one in enumerate(made) if one.system == "b"]
    without_b = system_tables(unrated(made, of_b), relevance, bootstrap)
    assert without_b
    assert [row.system for row in without_b.metric] == ["a", "c"]
    assert without_b.correlation.spearman.value == pytest.approx(1)
    monkeypatch.setattr(rankings, "MOST_SYSTEMS", 2)
    cut = system_tables(made, relevance, bootstrap)
    assert cut
    assert [row.system for row in cut.people] == ["a", "b"]
