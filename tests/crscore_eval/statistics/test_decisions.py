"""Decisions at cross-validated thresholds, and their agreement with human decisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn import metrics  # type: ignore[import-untyped]

from crscore_core.errors import InputError
from crscore_eval.statistics.decisions import balanced_accuracy_and_kappa, held_out_decisions
from tests.crscore_eval.resamples import Drawn

Flags = NDArray[np.bool_]


@given(arrays(np.bool_, 30), arrays(np.bool_, 30), arrays(np.int64, 30, elements=st.integers(0, 4)))
def test_agreement_equals_scikit_learn(
    decided: Flags, is_yes: Flags, times: NDArray[np.int64]
) -> None:
    bootstrap = Drawn(np.stack([times, times]))
    accuracy, kappa = balanced_accuracy_and_kappa(decided, is_yes, np.arange(30), bootstrap)
    drawn = np.repeat(np.arange(30), times)
    people, metric = is_yes[drawn], decided[drawn]
    if people.any() and not people.all():
        expected = metrics.balanced_accuracy_score(people, metric)
        assert accuracy.interval == pytest.approx((expected, expected))
    else:
        assert accuracy.interval is None
    if (people.any() or metric.any()) and not (people.all() and metric.all()):
        expected = metrics.cohen_kappa_score(people, metric)
        assert kappa.interval == pytest.approx((expected, expected))
    else:
        assert kappa.interval is None


def test_a_clear_threshold_is_found_on_other_folds() -> None:
    change = np.arange(60) // 3
    scores = np.linspace(0, 1, 60)
    is_yes = scores > 0.4
    wrong = held_out_decisions(scores, is_yes, change) != is_yes
    assert wrong.sum() <= 3  # of the one fold without which the border is not known


def test_a_threshold_does_not_use_labels_of_its_own_change() -> None:
    """Labels are chance: a threshold that used them would be right more often than not."""
    random = np.random.default_rng(1)
    change = np.arange(20)
    right = []
    for _ in range(100):
        is_yes = random.permutation(change % 2 == 0)
        right.append(held_out_decisions(random.random(20), is_yes, change) == is_yes)
    assert np.mean(right) < 0.5


def test_equal_scores_are_decided_alike() -> None:
    change = np.arange(20)
    assert held_out_decisions(np.ones(20), change % 2 == 0, change).all()


def test_one_change_has_no_other_to_choose_a_threshold_on() -> None:
    with pytest.raises(InputError):
        held_out_decisions([0.1, 0.2], np.array([True, False]), [0, 0])
