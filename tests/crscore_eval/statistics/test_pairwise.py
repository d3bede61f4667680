"""Agreement on pairs: by hand and against loops over all pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from crscore_eval.statistics import (
    ClusterBootstrap,
    Estimate,
    pairwise,
    pairwise_accuracy,
)

BOOTSTRAP = ClusterBootstrap(5, 200)
UNDEFINED = Estimate(None, None)


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
    result = pairwise_accuracy(scores, ratings, [0] * len(scores), ClusterBootstrap(1))
    assert result[0].value == pytest.approx(accuracy)
    assert result[0].interval is None
    assert result[1:] == (epsilon, len(scores) * (len(scores) - 1) // 2)


def test_changes_count_equally_and_one_review_makes_no_pair() -> None:
    # Change 0: its pair is right. Change 2: one of three. Change 4 has one review.
    # The mean of 1 and 1/3, where all pairs together would give 2 of 4.
    scores, ratings, change = [1, 2, 3, 1, 2, 9], [1, 5, 1, 2, 3, 1], [0, 0, 2, 2, 2, 4]
    result = pairwise_accuracy(scores, ratings, change, BOOTSTRAP)
    assert result[0].value == pytest.approx(2 / 3)
    assert result[1:] == (0, 4)


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
    result, epsilon, n_pairs = pairwise_accuracy(rows[:, 0], rows[:, 1], rows[:, 2], BOOTSTRAP)
    assert n_pairs == len(pairs)
    if not pairs:
        assert (result, epsilon) == (UNDEFINED, None)
        return
    assert epsilon is not None
    changes = sorted({pair[0] for pair in pairs})

    def accuracies(epsilon: int) -> list[float]:
        return [
            float(np.mean([tie if far <= epsilon else ordered
                           for of, far, tie, ordered in pairs if of == change]))
            for change in changes
        ]  # fmt: skip

    means = {epsilon: np.mean(accuracies(epsilon)) for epsilon in range(7)}
    best = max(means.values())
    assert epsilon == min(one for one, mean in means.items() if mean > best - 1e-9)
    assert result.value == pytest.approx(best)
    drawn = BOOTSTRAP.weights[:, changes].astype(float)
    with np.errstate(invalid="ignore"):
        expected = BOOTSTRAP.percentile_interval(
            drawn @ accuracies(int(epsilon)) / drawn.sum(axis=1)
        )
    assert result.interval == (expected if expected is None else pytest.approx(expected))


def test_no_pairs_and_too_many_pairs_are_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pairwise_accuracy([], [], [], BOOTSTRAP) == (UNDEFINED, None, 0)
    monkeypatch.setattr(pairwise, "MAX_PAIRS", 3)
    four = pairwise_accuracy([1, 2, 3, 4], [1, 2, 3, 4], [0] * 4, BOOTSTRAP)
    assert four == (UNDEFINED, None, 6)
    assert pairwise_accuracy([1, 2, 3], [1, 2, 3], [0] * 3, BOOTSTRAP)[0].value == 1
