import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from crscore_core.predicted.likelihood import PenalisedLikelihood

COLUMNS = np.random.default_rng(0).normal(size=(40, 3))
LEVELS = np.random.default_rng(1).integers(0, 5, size=40)
GOAL = PenalisedLikelihood(COLUMNS, LEVELS, ridge=2.0)


def parameters(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=3 + 4)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_minus_the_logarithm_of_the_probabilities(seed: int) -> None:
    at = parameters(seed)
    thresholds = at[3] + np.concatenate([[0], np.cumsum(np.exp(at[4:]))])
    assert GOAL.thresholds(at) == pytest.approx(thresholds)
    strength = COLUMNS @ at[:3]
    below = np.array(
        [
            [0, *(1 / (1 + np.exp(-(threshold - s))) for threshold in thresholds), 1]
            for s in strength
        ]
    )
    chances = np.diff(below, axis=1)[np.arange(40), LEVELS]
    assert GOAL(at)[0] == pytest.approx(-np.log(chances).sum() + 2.0 / 2 * (at[:3] @ at[:3]))


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_is_that_of_finite_differences(seed: int) -> None:
    at = parameters(seed)
    numeric = approx_fprime(at, lambda where: GOAL(where)[0], 1e-7)
    assert GOAL(at)[1] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_far_away_it_stays_finite() -> None:
    value, gradient = GOAL(np.array([900.0, -900.0, 900.0, -500.0, 6.0, 6.5, 6.0]))
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


def test_without_slopes_it_starts_at_its_minimum() -> None:
    alone = PenalisedLikelihood(np.zeros((40, 1)), LEVELS, ridge=1.0)
    assert alone(alone.start())[1] == pytest.approx(np.zeros(5), abs=1e-9)
