"""Systems' means and ranks, and how sure their order is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    Neighbours,
    SystemScores,
    means_in_resamples,
    rank_systems,
    system_scores,
)
from tests.crscore_core.statistics.populations import draw_study

Matrix = NDArray[np.float64]


class Drawn(ClusterBootstrap):
    """Resamples that a test writes down."""

    def __init__(self, weights: list[list[int]]) -> None:
        self.weights = np.array(weights, dtype=np.int16)


def whole(sums: Matrix) -> SystemScores:
    """One review of each change by each of the systems a, b, c..."""
    return SystemScores(tuple("abcdefghi"[: sums.shape[1]]), sums, np.ones(sums.shape))


def test_scores_are_gathered_by_change_and_system() -> None:
    scores = system_scores([1, 2, 4, 5], ["b", "a", "b", "b"], [0, 0, 2, 2], 3)
    assert scores.systems == ("b", "a")
    assert scores.sums.tolist() == [[1, 2], [0, 0], [9, 0]]
    assert scores.counts.tolist() == [[1, 1], [0, 0], [2, 0]]
    assert scores.observed.tolist() == [10 / 3, 2]
    # b: (1 + 2 * 9) / (1 + 2 * 2); a has no review of the third change.
    means = scores.means([[1, 0, 2], [0, 0, 1]])
    np.testing.assert_allclose(means, [[19 / 5, 2], [9 / 2, np.nan]])


def test_several_scores_are_resampled_as_each_alone() -> None:
    rng = np.random.default_rng(0)
    scores = [whole(rng.random((4, n))) for n in (3, 2)]
    weights = ClusterBootstrap(4, 20).weights
    found = means_in_resamples(scores, weights)
    for one, means in zip(scores, found, strict=True):
        assert means.systems == one.systems
        np.testing.assert_allclose(means.resampled, one.means(weights))
        np.testing.assert_array_equal(means.observed, one.observed)
    assert means_in_resamples([], weights) == ()
    with pytest.raises(StatisticsError, match="weights"):
        means_in_resamples([scores[0], whole(np.ones((5, 2)))], weights)


def test_a_ranking_equals_the_hand_calculation() -> None:
    # Means of a, b, c over two changes: (1 + 3) / 2, (4 + 4) / 2, (3 + 1) / 2.
    scores = whole(np.array([[1.0, 4, 3], [3, 4, 1]]))
    # The first change twice: 1, 4, 3. The second: 3, 4, 1. Both once: 2, 4, 2.
    drawn = Drawn([[2, 0], [2, 0], [0, 2], [1, 1]])
    ranking = rank_systems(scores, drawn)
    assert [(row.system, row.mean, row.rank) for row in ranking.systems] == [
        ("b", 4, 1), ("a", 2, 2.5), ("c", 2, 2.5)
    ]  # fmt: skip
    # a is above c in one resample of four, equal in one: (1 + 1 / 2) / 4.
    assert ranking.neighbours == (Neighbours("b", "a", 1), Neighbours("a", "c", 1.5 / 4))
    first, second, _ = ranking.systems
    assert first.rank_interval is not None
    assert (first.rank_interval.low, first.rank_interval.high) == (1, 1)
    assert second.rank_interval is not None
    assert (second.rank_interval.low, second.rank_interval.high) == (2, 3)
    assert second.mean_interval is not None
    assert 1 <= second.mean_interval.low < 2 < second.mean_interval.high <= 3


def test_a_system_that_few_resamples_hold_has_no_interval() -> None:
    scores = SystemScores(("a", "b"), np.array([[1.0, 2], [3, 0]]), np.array([[1.0, 1], [1, 0]]))
    ranking = rank_systems(scores, Drawn([[2, 0], [0, 2], [1, 1]]))
    assert [row.system for row in ranking.systems] == ["a", "b"]
    assert ranking.systems[0].mean_interval is not None
    assert ranking.systems[1].mean_interval is None
    assert ranking.systems[0].rank_interval is None
    assert ranking.neighbours == (Neighbours("a", "b", 0.25),)  # below, unknown, equal
    never = rank_systems(scores, Drawn([[0, 2]]))
    assert never.neighbours == (Neighbours("a", "b", None),)


def test_one_system_has_no_neighbours() -> None:
    ranking = rank_systems(whole(np.array([[1.0], [2]])), ClusterBootstrap(2, 50))
    assert ranking.neighbours == ()
    assert ranking.systems[0].rank == 1


def test_known_systems_come_in_their_order() -> None:
    """Of 180 changes the population's systems, 0.15 apart, are ranked almost surely."""
    study = draw_study(180, np.random.default_rng(8))
    ranking = rank_systems(whole(study.people), ClusterBootstrap(180, 500))
    truth = {system: 9.0 - place for place, system in enumerate("abcdefghi")}
    for row in ranking.systems:
        assert row.rank_interval is not None
        assert row.rank_interval.low <= truth[row.system] <= row.rank_interval.high
    assert all(pair.probability > 0.5 for pair in ranking.neighbours if pair.probability)


matrices = st.tuples(st.integers(1, 8), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(1, 5).map(float))
)


@given(matrices)
def test_ranks_are_shared_out(sums: Matrix) -> None:
    ranking = rank_systems(whole(sums), ClusterBootstrap(sums.shape[0], 30))
    n = sums.shape[1]
    assert sum(row.rank for row in ranking.systems) == n * (n + 1) / 2
    means = [row.mean for row in ranking.systems]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize(
    ("systems", "sums", "counts", "message"),
    [
        (("a",), [[1.0, 2]], [[1, 1]], "column"),
        (("a", "b"), [[1.0, 2]], [[1, 1], [1, 1]], "column"),
        (("a", "a"), [[1.0, 2]], [[1, 1]], "twice"),
        (("a", "b"), [[1.0, 0]], [[1, 0]], "b has no review"),
        (("a", "b"), [[1.0, np.nan]], [[1, 1]], "finite"),
        (("a",), [[1.0]], [[-1]], "negative"),
    ],
)
def test_bad_scores_are_refused(
    systems: tuple[str, ...], sums: list[list[float]], counts: list[list[float]], message: str
) -> None:
    with pytest.raises(StatisticsError, match=message):
        SystemScores(systems, np.array(sums), np.array(counts))


@pytest.mark.parametrize(
    ("systems", "cluster", "n_clusters"),
    [(["a"], [0, 1], 2), (["a", "b"], [0, 2], 2), (["a", "b"], [0], 2)],
)
def test_what_cannot_be_gathered_is_refused(
    systems: list[str], cluster: list[int], n_clusters: int
) -> None:
    with pytest.raises(StatisticsError):
        system_scores([1, 2], systems, cluster, n_clusters)


def test_weights_are_of_the_same_changes() -> None:
    with pytest.raises(StatisticsError, match="of 3 changes, not of 2"):
        rank_systems(whole(np.ones((2, 2))), ClusterBootstrap(3, 10))
