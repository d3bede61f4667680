"""Fitting the model to rated reviews, and measuring it on what a fit left out."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted import fit as fitting
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.fit import (
    PenalisedLikelihood,
    RatedReviews,
    agreement,
    fit_model,
    scores_by_change,
    scores_by_system,
)
from crscore_core.predicted.model import OrdinalModel
from crscore_core.statistics import ClusterBootstrap


def synthetic_reviews(n_changes: int, per_change: int = 8) -> RatedReviews:
    """Ratings by proportional odds: 6 x coverage (rising) - 2 x words; the rest is noise."""
    random = np.random.default_rng(0)
    n = n_changes * per_change
    features = random.uniform(size=(n, len(FEATURES)))
    strength = 6 * features[:, 0] - 2 * features[:, 6]
    ratings = 1 + np.searchsorted([0.5, 1.5, 2.5, 3.5], strength + random.logistic(size=n))
    return RatedReviews(
        features,
        ratings.astype(np.intp),
        np.repeat(np.arange(n_changes), per_change),
        np.tile(np.array([f"system {number}" for number in range(per_change)]), n_changes),
        np.full(n, "claims"),
    )


MANY = synthetic_reviews(400)
REVIEWS = synthetic_reviews(60)
COLUMNS = np.random.default_rng(0).normal(size=(40, 3))
LEVELS = np.random.default_rng(1).integers(0, 5, size=40)
GOAL = PenalisedLikelihood(COLUMNS, LEVELS, ridge=2.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_goal_is_minus_the_logarithm_of_the_probabilities(seed: int) -> None:
    from scipy.optimize import approx_fprime

    parameters = np.random.default_rng(seed).normal(size=3 + 4)
    thresholds = parameters[3] + np.concatenate([[0], np.cumsum(np.exp(parameters[4:]))])
    assert GOAL.thresholds(parameters) == pytest.approx(thresholds)
    higher = 1 / (1 + np.exp((COLUMNS @ parameters[:3])[:, None] - thresholds))
    below = np.hstack([np.zeros((40, 1)), higher, np.ones((40, 1))])
    chances = np.diff(below, axis=1)[np.arange(40), LEVELS]
    value, gradient = GOAL(parameters)
    assert value == pytest.approx(-np.log(chances).sum() + parameters[:3] @ parameters[:3])
    numeric = approx_fprime(parameters, lambda where: GOAL(where)[0], 1e-7)
    assert gradient == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_the_goal_stays_finite_and_starts_at_its_minimum_without_slopes() -> None:
    value, gradient = GOAL(np.array([900.0, -900.0, 900.0, -500.0, 6.0, 6.5, 6.0]))
    assert np.isfinite([value, *gradient]).all()
    alone = PenalisedLikelihood(np.zeros((40, 1)), LEVELS, ridge=1.0)
    assert alone(alone.start())[1] == pytest.approx(np.zeros(5), abs=1e-9)


def test_a_known_relation_is_recovered() -> None:
    model = fit_model(MANY, ridge=0.1)
    middle = np.linspace(0.1, 0.9, 9)
    for column, slope in ((0, 6.0), (6, -2.0), (5, 0.0)):
        fitted = np.polyfit(middle, model.curves[column].at(middle), 1)[0]
        assert fitted == pytest.approx(slope, abs=0.6), FEATURES[column].name
    # thresholds lie where a typical review, with 6 x 0.5 - 2 x 0.5 = 2, has even odds
    assert model.thresholds == pytest.approx([-1.5, -0.5, 0.5, 1.5], abs=0.35)
    for contribution in model.contributions(np.median(MANY.features, axis=0)):
        assert contribution.contribution == pytest.approx(0, abs=1e-3)
    flatter = fit_model(MANY, ridge=1000.0)
    assert np.ptp(flatter.curves[0].values) < np.ptp(model.curves[0].values)


def test_a_monotone_curve_stays_so_where_the_ratings_say_otherwise() -> None:
    upside_down = MANY.features.copy()
    upside_down[:, 0] = 1 - upside_down[:, 0]
    model = fit_model(dataclasses.replace(MANY, features=upside_down))
    assert model.curves[0].never_falls
    assert max(map(abs, model.curves[0].values)) < 0.05
    assert not model.curves[6].never_falls


def test_the_same_reviews_give_the_same_model_in_any_order() -> None:
    shuffled = np.random.default_rng(3).permutation(len(MANY.ratings))
    turned = dataclasses.replace(
        MANY, features=MANY.features[shuffled], ratings=MANY.ratings[shuffled]
    )
    model = fit_model(MANY)
    assert fit_model(MANY) == model
    assert fit_model(turned).score(MANY.features) == pytest.approx(
        model.score(MANY.features), abs=1e-3
    )


def test_a_constant_feature_and_an_unscorable_review_do_no_harm() -> None:
    features = MANY.features.copy()
    features[:, 7] = 1.0
    whole = fit_model(dataclasses.replace(MANY, features=features))
    assert (whole.curves[7].points, whole.curves[7].values) == ((1.0,), (0.0,))
    features[::5] = np.nan
    some = dataclasses.replace(MANY, features=features)
    assert fit_model(some) == fit_model(some.where(some.can_be_scored))
    for scores in (scores_by_change(some, folds=2, seeds=(0,)), scores_by_system(some)):
        assert np.isnan(scores[0]).tolist() == np.isnan(features[:, 0]).tolist()


def test_reviews_that_cannot_be_fitted_or_left_out_are_refused() -> None:
    for folds in (1, 61):
        with pytest.raises(CalibrationError, match="60 rated changes"):
            scores_by_change(REVIEWS, folds=folds)
    with pytest.raises(CalibrationError, match="each of the ratings from 1 to 5"):
        fit_model(REVIEWS.where(REVIEWS.ratings < 5))


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[RatedReviews]:
    """The reviews that each fit was given."""
    seen: list[RatedReviews] = []

    def spy(reviews: RatedReviews) -> OrdinalModel:
        seen.append(reviews)
        return fit_model(reviews)

    monkeypatch.setattr(fitting, "fit_model", spy)
    return seen


def test_a_change_is_left_out_as_a_whole(fits: list[RatedReviews]) -> None:
    done: list[None] = []
    scores = scores_by_change(REVIEWS, folds=6, seeds=(0, 1), progress=lambda: done.append(None))
    assert scores.shape == (2, len(REVIEWS.ratings))
    assert len(fits) == len(done) == 12
    left_out = [set(range(60)) - set(fit.changes.tolist()) for fit in fits]
    assert [len(changes) for changes in left_out] == [10] * 12
    for seed in (left_out[:6], left_out[6:]):
        assert set.union(*seed) == set(range(60))
    assert left_out[:6] != left_out[6:]
    # each score is that of the one model which has not seen the change
    for fit, changes in zip(fits[:6], left_out[:6], strict=True):
        mine = np.isin(REVIEWS.changes, list(changes))
        assert scores[0][mine] == pytest.approx(fit_model(fit).score(REVIEWS.features[mine]))


def test_a_system_is_left_out_as_a_whole(fits: list[RatedReviews]) -> None:
    (scores,) = scores_by_system(REVIEWS)
    every = {f"system {number}" for number in range(8)}
    assert [every - set(fit.systems.tolist()) for fit in fits] == [{name} for name in sorted(every)]
    for fit, name in zip(fits, sorted(every), strict=True):
        mine = REVIEWS.systems == name
        assert scores[mine] == pytest.approx(fit_model(fit).score(REVIEWS.features[mine]))


def test_agreement_is_spearman_with_an_interval_over_changes() -> None:
    from scipy.stats import spearmanr

    scores: NDArray[np.float64] = scores_by_change(REVIEWS, folds=5, seeds=(0, 1))
    chosen = REVIEWS.systems != "system 3"
    bootstrap = ClusterBootstrap(60, 200)
    measured = agreement(REVIEWS, scores, chosen, bootstrap)
    each = [spearmanr(row[chosen], REVIEWS.ratings[chosen]).statistic for row in scores]
    assert measured.value == pytest.approx(np.mean(each))
    assert measured.value is not None
    assert measured.interval is not None
    assert measured.interval.low < measured.value < measured.interval.high
    assert measured.interval.level == 0.95
    with pytest.raises(CalibrationError, match="no order"):
        agreement(REVIEWS, np.zeros_like(scores), chosen, bootstrap)
