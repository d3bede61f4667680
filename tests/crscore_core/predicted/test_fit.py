"""Fitting the model to rated reviews, and measuring it on what a fit left out."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.fit import (
    GradedRows,
    PenalisedLikelihood,
    SharedGoal,
    fit_model,
    fit_models,
    thresholds_of,
)


def synthetic_rows(n: int, seed: int = 0) -> GradedRows:
    """Grades by proportional odds: 6 x coverage (rising) - 2 x words; the rest is noise."""
    random = np.random.default_rng(seed)
    features = random.uniform(size=(n, len(FEATURES)))
    strength = 6 * features[:, 0] - 2 * features[:, 6]
    grades = np.searchsorted([0.5, 1.5, 2.5, 3.5], strength + random.logistic(size=n))
    return GradedRows(features, grades.astype(np.intp), np.ones(n))


MANY = synthetic_rows(3200)
COLUMNS = np.random.default_rng(0).normal(size=(40, 3))
LEVELS = np.random.default_rng(1).integers(0, 5, size=40)
WEIGHTS = np.random.default_rng(2).uniform(0.5, 2, size=40)
GOAL = SharedGoal([PenalisedLikelihood(COLUMNS, LEVELS, WEIGHTS, 5)], 2.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_goal_is_minus_the_logarithm_of_the_probabilities(seed: int) -> None:
    from scipy.optimize import approx_fprime

    parameters = np.random.default_rng(seed).normal(size=3 + 4)
    thresholds = parameters[3] + np.concatenate([[0], np.cumsum(np.exp(parameters[4:]))])
    assert thresholds_of(parameters[3:]) == pytest.approx(thresholds)
    higher = 1 / (1 + np.exp((COLUMNS @ parameters[:3])[:, None] - thresholds))
    below = np.hstack([np.zeros((40, 1)), higher, np.ones((40, 1))])
    chances = np.diff(below, axis=1)[np.arange(40), LEVELS]
    value, gradient = GOAL(parameters)
    assert value == pytest.approx(-(WEIGHTS @ np.log(chances)) + parameters[:3] @ parameters[:3])
    numeric = approx_fprime(parameters, lambda where: GOAL(where)[0], 1e-7)
    assert gradient == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_the_goal_stays_finite_and_starts_at_its_minimum_without_slopes() -> None:
    value, gradient = GOAL(np.array([900.0, -900.0, 900.0, -500.0, 6.0, 6.5, 6.0]))
    assert np.isfinite([value, *gradient]).all()
    alone = SharedGoal([PenalisedLikelihood(np.zeros((40, 1)), LEVELS, WEIGHTS, 5)], 1.0)
    assert alone(alone.start())[1] == pytest.approx(np.zeros(5), abs=1e-9)


def test_a_known_relation_is_recovered() -> None:
    model = fit_model(MANY, 5, ridge=0.1)
    middle = np.linspace(0.1, 0.9, 9)
    for column, slope in ((0, 6.0), (6, -2.0), (5, 0.0)):
        fitted = np.polyfit(middle, model.curves[column].at(middle), 1)[0]
        assert fitted == pytest.approx(slope, abs=0.6), FEATURES[column].name
    # thresholds lie where a typical review, with 6 x 0.5 - 2 x 0.5 = 2, has even odds
    assert model.thresholds == pytest.approx([-1.5, -0.5, 0.5, 1.5], abs=0.35)
    for contribution in model.contributions(np.median(MANY.features, axis=0)):
        assert contribution.contribution == pytest.approx(0, abs=1e-3)
    flatter = fit_model(MANY, 5, ridge=1000.0)
    assert np.ptp(flatter.curves[0].values) < np.ptp(model.curves[0].values)


def test_a_monotone_curve_stays_so_where_the_ratings_say_otherwise() -> None:
    upside_down = MANY.features.copy()
    upside_down[:, 0] = 1 - upside_down[:, 0]
    model = fit_model(dataclasses.replace(MANY, features=upside_down), 5)
    assert model.curves[0].never_falls
    assert max(map(abs, model.curves[0].values)) < 0.05
    assert not model.curves[6].never_falls


def test_the_same_reviews_give_the_same_model_in_any_order() -> None:
    shuffled = np.random.default_rng(3).permutation(len(MANY.grades))
    turned = dataclasses.replace(
        MANY, features=MANY.features[shuffled], grades=MANY.grades[shuffled]
    )
    model = fit_model(MANY, 5)
    assert fit_model(MANY, 5) == model
    assert fit_model(turned, 5).score(MANY.features) == pytest.approx(
        model.score(MANY.features), abs=1e-3
    )


def test_a_constant_feature_does_no_harm_and_a_weight_counts_as_copies() -> None:
    features = MANY.features.copy()
    features[:, 7] = 1.0
    whole = fit_model(dataclasses.replace(MANY, features=features), 5)
    assert (whole.curves[7].points, whole.curves[7].values) == ((1.0,), (0.0,))
    twice = GradedRows(*(np.concatenate([column] * 2) for column in vars(MANY).values()))
    weighted = fit_model(dataclasses.replace(MANY, weights=2 * MANY.weights), 5)
    assert fit_model(twice, 5).score(MANY.features) == pytest.approx(
        weighted.score(MANY.features), abs=1e-3
    )


def test_a_missing_grade_is_refused() -> None:
    with pytest.raises(CalibrationError, match="each of the 6 grades"):
        fit_model(MANY, 6)


@pytest.mark.parametrize("seed", range(3))
def test_two_data_sets_share_slopes_and_add_their_own(seed: int) -> None:
    from scipy.optimize import approx_fprime

    binary = (LEVELS > 2).astype(np.intp)
    both = SharedGoal(
        [
            PenalisedLikelihood(COLUMNS, LEVELS, WEIGHTS, 5),
            PenalisedLikelihood(COLUMNS[::-1], binary, WEIGHTS, 2),
        ],
        2.0,
    )
    parameters = np.random.default_rng(seed).normal(size=3 * 3 + 4 + 1)
    numeric = approx_fprime(parameters, lambda where: both(where)[0], 1e-7)
    assert both(parameters)[1] == pytest.approx(numeric, rel=1e-4, abs=1e-4)
    (first, thresholds), (second, threshold) = both.fitted(parameters)
    assert first == pytest.approx(parameters[:3] + parameters[3:6])
    assert second == pytest.approx(parameters[:3] + parameters[6:9])
    assert (thresholds.size, threshold.size) == (4, 1)


def test_a_second_data_set_helps_a_small_first_one() -> None:
    few, fresh = synthetic_rows(60, 5), synthetic_rows(2000, 6)
    label = dataclasses.replace(MANY, grades=(MANY.grades > 1).astype(np.intp))
    truth = 6 * fresh.features[:, 0] - 2 * fresh.features[:, 6]

    def agreement(scores: NDArray[np.float64]) -> float:
        return float(
            np.corrcoef(np.argsort(np.argsort(scores)), np.argsort(np.argsort(truth)))[0, 1]
        )

    alone = fit_model(few, 5).score(fresh.features)
    beside, of_label = fit_models([few, label], [5, 2])
    assert agreement(beside.score(fresh.features)) > agreement(alone) + 0.02
    assert (len(beside.thresholds), len(of_label.thresholds)) == (4, 1)
