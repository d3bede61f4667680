"""Agreement on pairs: by hand, against loops over all pairs, and against all permutations."""

from collections.abc import Sequence
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from crscore_eval.statistics import (
    ClusterBootstrap,
    Estimate,
    PairwiseAccuracy,
    pairwise,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)

BOOTSTRAP = ClusterBootstrap(5, 200)
UNDEFINED = Estimate(None, None)
Array = NDArray[np.float64]


@pytest.mark.parametrize(
    ("scores", "ratings", "accuracy", "epsilon"),
    [
        # No tie on either side: 1-2 and 1-3 are right, 2-3 is not.
        ([1, 3, 2], [1, 2, 3], 2 / 3, 0),
        # Scores tie all: right where ratings tie, in one pair of three.
        ([7, 7, 7], [1, 1, 2], 1 / 3, 0),
        # Ratings tie all, and scores nothing: 0 of 3, until all differences (1, 2, 3) are ties.
        ([0, 1, 3], [4, 4, 4], 1, 3),
        # At 0 all but the tied ratings are right, 5 of 6; their scores are closer than any others.
        ([0, 0.125, 0.5, 2], [1, 1, 2, 5], 1, 0.125),
        # As close as a pair that people order: what one gains the other loses, so epsilon stays 0.
        ([0, 0.25, 0.5, 2], [1, 1, 2, 5], 5 / 6, 0),
        # 0-2 and 1-2 are in the wrong order; as ties they are no more right. 0-1 is right as a tie.
        ([5, 4, 0], [1, 1, 2], 1 / 3, 1),
        # A tie of scores alone is wrong, and one of both is right.
        ([1, 1, 1, 2], [1, 1, 2, 3], 4 / 6, 0),
    ],
)
def test_one_change_equals_the_hand_calculation(
    scores: list[float], ratings: list[int], accuracy: float, epsilon: float
) -> None:
    found = pairwise_accuracy(scores, ratings, [0] * len(scores), ClusterBootstrap(1))
    assert found.accuracy.value == pytest.approx(accuracy)
    assert found.accuracy.interval is None
    assert (found.epsilon, found.pairs) == (epsilon, len(scores) * (len(scores) - 1) // 2)


def test_changes_count_alike_and_one_review_is_no_pair() -> None:
    # Change 0: its pair is right. Change 2: one of three. Change 4 has one review.
    # The mean of 1 and 1/3, where all pairs together would give 2 of 4.
    scores, ratings, change = [1, 2, 3, 1, 2, 9], [1, 5, 1, 2, 3, 1], [0, 0, 2, 2, 2, 4]
    found = pairwise_accuracy(scores, ratings, change, BOOTSTRAP)
    assert found.accuracy.value == pytest.approx(2 / 3)
    assert (found.epsilon, found.pairs) == (0, 4)


reviews = st.lists(
    st.tuples(st.integers(0, 6), st.integers(1, 4), st.integers(0, 4)), min_size=1, max_size=20
).map(np.array)
"""Score, rating and change of each review."""


@given(reviews)
def test_it_equals_a_search_over_all_pairs_and_all_epsilons(rows: NDArray[np.intp]) -> None:
    pairs = [
        (int(one[2]), abs(int(one[0] - other[0])), one[1] == other[1],
         (one[0] - other[0]) * (one[1] - other[1]) > 0)
        for one, other in combinations(rows, 2)
        if one[2] == other[2]
    ]  # fmt: skip
    found = pairwise_accuracy(rows[:, 0], rows[:, 1], rows[:, 2], BOOTSTRAP)
    assert found.pairs == len(pairs)
    if not pairs:
        assert (found.accuracy, found.epsilon) == (UNDEFINED, None)
        return
    changes = sorted({pair[0] for pair in pairs})

    def accuracies(epsilon: int) -> list[float]:
        return [
            float(np.mean([tie if far <= epsilon else ordered
                           for of, far, tie, ordered in pairs if of == change]))
            for change in changes
        ]  # fmt: skip

    means = {epsilon: np.mean(accuracies(epsilon)) for epsilon in range(7)}
    best = max(means.values())
    assert found.epsilon == min(one for one, mean in means.items() if mean > best - 1e-9)
    assert found.accuracy.value == pytest.approx(best)
    drawn = BOOTSTRAP.weights[:, changes].astype(float)
    with np.errstate(invalid="ignore"):
        expected = BOOTSTRAP.interval_of(drawn @ accuracies(int(found.epsilon)) / drawn.sum(axis=1))
    assert found.accuracy.ends == (
        expected if expected is None else pytest.approx((expected.low, expected.high))
    )


def test_nothing_and_too_much_are_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pairwise_accuracy([], [], [], BOOTSTRAP) == PairwiseAccuracy(UNDEFINED, None, 0)
    assert soft_pairwise_accuracy([], [], [], []) == UNDEFINED
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 3)
    four = pairwise_accuracy([1, 2, 3, 4], [1, 2, 3, 4], [0] * 4, BOOTSTRAP)
    assert four == PairwiseAccuracy(UNDEFINED, None, 6)
    assert pairwise_accuracy([1, 2, 3], [1, 2, 3], [0] * 3, BOOTSTRAP).accuracy.value == 1


def table(scores: Array, ratings: Array) -> tuple[Array, Array, list[str], list[int]]:
    """Reviews of two tables, (n changes, n systems); a missing score is NaN."""
    change, system = np.nonzero(~np.isnan(scores))
    names = [f"s{number}" for number in system]
    return scores[change, system], ratings[change, system], names, change.tolist()


RANDOM = np.random.default_rng(3)
PEOPLE = RANDOM.integers(1, 6, (40, 4)) + np.array([0.0, 0, 1, 2])
METRIC = PEOPLE + RANDOM.normal(size=PEOPLE.shape)


def test_certainties_equal_the_hand_calculation() -> None:
    # In every of 20 changes people prefer b, so p of "a is better" is 1 and of "b is better" 0, up
    # to the one permutation in 2 ** 20 that swaps nothing.
    ratings = np.tile([1.0, 2], (20, 1))
    for scores, expected in (
        (ratings, 1),  # the same p
        (-ratings, 0),  # the opposite
        (np.ones((20, 2)), 0.5),  # equal scores: p = 0.5
        (
            np.tile([[0.0, 1], [1, 0]], (10, 1)),
            0.5,
        ),  # no sum of swaps is more often above than below
    ):
        found = soft_pairwise_accuracy(*table(scores, ratings))
        assert found.value == pytest.approx(expected, abs=0.02)
        assert found.interval is None


def test_several_reviews_of_a_change_count_as_their_mean_and_lonely_systems_not_at_all() -> None:
    # a and b share change 0 alone: people a, the metric (mean of 1 and 5) b; both p are certain to
    # 1/2: swapped or not, so 1/4 and 3/4. c shares no change with a, and none with b.
    scores, ratings = [1, 5, 4, 9, 9], [3, 3, 2, 1, 1]
    found = soft_pairwise_accuracy(scores, ratings, "aabcc", [0, 0, 0, 1, 2])
    assert found.value == pytest.approx(1 - 0.5, abs=0.03)
    assert soft_pairwise_accuracy(scores, ratings, "aabbb", [0, 0, 1, 2, 3]) == UNDEFINED
    assert soft_pairwise_accuracy(scores, ratings, "aaaaa", [0, 0, 1, 2, 3]) == UNDEFINED


def all_permutations(scores: Array, ratings: Array) -> float:
    """The same from every permutation instead of a random thousand."""
    swaps = np.array(list(product([-1, 1], repeat=len(scores))))

    def p(side: Array, one: int, other: int) -> float:
        differences = side[:, one] - side[:, other]
        permuted, observed = swaps @ differences, differences.sum()
        return float((np.mean(permuted > observed) + np.mean(permuted >= observed)) / 2)

    pairs = list(combinations(range(scores.shape[1]), 2))
    return 1 - float(np.mean([abs(p(scores, *pair) - p(ratings, *pair)) for pair in pairs]))


@pytest.mark.parametrize("seed", range(12))
def test_it_is_close_to_that_of_all_permutations(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores, ratings = random.integers(0, 6, (2, 1 + seed // 2 + 2, 3)).astype(float)
    found = soft_pairwise_accuracy(*table(scores, ratings))
    assert found.value == pytest.approx(all_permutations(scores, ratings), abs=0.025)


def test_the_interval_is_that_of_permutations_in_each_resample() -> None:
    bootstrap = ClusterBootstrap(40, 100)
    found = soft_pairwise_accuracy(*table(METRIC, PEOPLE), bootstrap)
    assert found.ends is not None

    def of(drawn: Sequence[int]) -> float:
        places = np.repeat(np.arange(40), drawn)
        value = soft_pairwise_accuracy(*table(METRIC[places], PEOPLE[places])).value
        assert value is not None
        return value

    expected = bootstrap.interval_of([of(drawn) for drawn in bootstrap.weights])
    assert expected is not None
    assert found.ends == pytest.approx((expected.low, expected.high), abs=0.01)
    assert found.ends[0] < (found.value or 0) < found.ends[1]


def test_a_resample_without_a_common_change_leaves_the_pair_out() -> None:
    # b meets a and c in change 0, which neither resample has. Of a and c all five changes drawn
    # differ by 2, by the metric in one direction and by people in the other: z = 10 / sqrt(5 * 4).
    scores = np.array([[2.0, 1, 3], *[[1, np.nan, 3]] * 4])
    ratings = np.array([[1.0, 2, 3], *[[3, np.nan, 1]] * 4])
    bootstrap = ClusterBootstrap(5, 2)
    bootstrap.weights = np.array([[0, 2, 1, 1, 1], [0, 5, 0, 0, 0]], dtype=np.int16)
    expected = 1 - (2 * NormalDist().cdf(5**0.5) - 1)
    found = soft_pairwise_accuracy(*table(scores, ratings), bootstrap)
    assert found.ends == pytest.approx((expected, expected))
