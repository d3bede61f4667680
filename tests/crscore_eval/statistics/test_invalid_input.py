"""Every statistic rejects input that it cannot use, and says what is wrong."""

from collections.abc import Callable

import numpy as np
import pytest

from crscore_core.errors import InputError
from crscore_eval.statistics import (
    ClusterBootstrap,
    ClusteredMatches,
    ClusteredPairs,
    ClusteredRatings,
    SystemScores,
    clustered_mean,
    clustered_ratio,
    held_out_decisions,
    pairwise_accuracy,
    rank_correlation,
    rank_systems,
    row_correlations,
    soft_pairwise_accuracy,
    system_correlation,
    system_scores,
)

NAN = float("nan")
FIVE = ClusterBootstrap(5, 10)
YES = np.ones(3, np.bool_)


def systems(names: str = "ab") -> SystemScores:
    return SystemScores(tuple(names), np.ones((2, 2)), np.ones((2, 2)))


CALLS: dict[Callable[..., object], list[tuple[tuple[object, ...], str]]] = {
    ClusterBootstrap: [
        ((0, 10), "cannot draw"),
        ((10, 0), "cannot draw"),
        ((1_000_001, 1), "cannot draw"),
    ],
    FIVE.interval_of: [((np.ones(100),), "per resample .10.*100")],
    FIVE.estimate: [((np.sum,), r"per resample .10.*\(\)")],
    clustered_ratio: [
        (([1, 2], [1, 2], FIVE), "tops"),
        (([1] * 5, [1, -1, 1, 1, 1], FIVE), "tops"),
        (([NAN] * 5, [1] * 5, FIVE), "tops"),
    ],
    clustered_mean: [
        (([1, 2], [0, 5], FIVE), "5 is out of range"),
        *((([1, 2], cluster, FIVE), "cluster") for cluster in ([0, -1], [0], [0.0, 1.0])),
    ],
    rank_correlation: [
        (([1, 2], [1, 2, 3]), "metric and people.*2 and 3"),
        (([1, NAN], [1, 2]), "metric.*finite"),
        (([1, 2], [1, np.inf]), "people.*finite"),
        (([], []), "empty"),
        (([[1, 2]], [1, 2]), "shape"),
        ((["a"], [1]), "numbers"),
    ],
    row_correlations: [
        (([[1.0, 2.0]], [1]), "same reviews"),
        (([[1.0, NAN]], [1, 2]), "finite"),
        (([1.0, 2.0], [1, 2]), "shape"),
    ],
    ClusteredPairs: [
        (([1, 2], [1, 2], cluster), "integers from 0") for cluster in ([0], [0, -1], [0.0, 1.0])
    ],
    ClusteredPairs([1, 2, 3], [1, 2, 2], [0, 1, 1]).both: [
        ((weights,), "weights")
        for weights in ([[1]], [1, 1], [[1, -1]], [[1, NAN]], np.empty((0, 2)))
    ],
    ClusteredRatings: [
        (([1.0, 2.0], [0]), "shape"),
        ((np.empty((0, 2)), [0]), "shape"),
        (([["a", "b"]], [0]), "numbers"),
        (([[1], [1, 2]], [0]), "numbers"),
        (([[1.0, np.inf]], [0]), "finite"),
        (([[1, 2], [3, 3]], [0]), "cluster must be 2"),
    ],
    ClusteredRatings([[1, 2], [3, 3]], [0, 1]).alpha: [((np.ones((3, 1)),), "each of 2 clusters")],
    ClusteredMatches: [
        (([0.1, 0.2], is_match, [0, 0]), "2 booleans")
        for is_match in ([True], [1, 0], [[True, False]])
    ],
    ClusteredMatches([0.1], [True], [0]).at: [(([NAN], [[1]]), "taus")],
    held_out_decisions: [
        ((np.ones(20), YES, np.arange(20)), "20 scores and 3 decisions"),
        ((np.ones(3), YES, np.zeros(3, np.intp)), "needs at least two clusters"),
    ],
    pairwise_accuracy: [
        (([1, 2], [1], [0, 0], FIVE), "2 and 1"),
        (([1, NAN], [1, 2], [0, 0], FIVE), "finite"),
        (([1, 2], [1, 2], [5, 5], FIVE), "5 is out of range"),
        (([1, 2], [1, 2], [0.0, 0.0], FIVE), "cluster"),
    ],
    soft_pairwise_accuracy: [
        (([1, 2], [1], "ab", [0, 0]), "2 and 1"),
        (([1, 2], [1, 2], "a", [0, 0]), "as many systems"),
        (([1, 2], [1, 2], "ab", [5, 5], FIVE), "not up to 5"),
    ],
    system_scores: [
        (([1, 2], "a", [0, 1], 2), "as many systems"),
        (([1, 2], "ab", [0, 2], 2), "not up to 2"),
        (([1, 2], "ab", [0], 2), "cluster"),
        (([1, 2], "ab", [0, 1], 2, "a"), "not in the order of systems: b"),
    ],
    rank_systems: [((systems(), ClusterBootstrap(1, 10)), "for each of 2 clusters")],
    system_correlation: [((systems(), systems("ba"), ClusterBootstrap(2, 10)), "a, b; b, a")],
}


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [(call, *case) for call, rejected in CALLS.items() for case in rejected],
)
def test_invalid_input_is_rejected(
    call: Callable[..., object], arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        call(*arguments)
