import dataclasses

import numpy as np
import pytest

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.fit import fit_model
from tests.crscore_core.predicted.synthetic import synthetic_reviews

REVIEWS = synthetic_reviews(n_changes=400)


def test_a_known_relation_is_recovered() -> None:
    model = fit_model(REVIEWS, ridge=0.1)
    middle = np.linspace(0.1, 0.9, 9)
    for column, slope in ((0, 6.0), (6, -2.0), (5, 0.0)):
        found = np.polyfit(middle, model.curves[column].at(middle), 1)[0]
        assert found == pytest.approx(slope, abs=0.6), FEATURES[column].name
    # thresholds lie where a typical review, with 6 x 0.5 - 2 x 0.5 = 2, has even odds
    assert model.thresholds == pytest.approx([-1.5, -0.5, 0.5, 1.5], abs=0.35)


def test_a_typical_review_has_no_contributions() -> None:
    model = fit_model(REVIEWS)
    typical = np.median(REVIEWS.features, axis=0)
    for one in model.contributions(typical):
        assert one.contribution == pytest.approx(0, abs=1e-3)


def test_what_is_monotone_stays_so_where_the_ratings_say_otherwise() -> None:
    upside_down = REVIEWS.features.copy()
    upside_down[:, 0] = 1 - upside_down[:, 0]
    model = fit_model(dataclasses.replace(REVIEWS, features=upside_down))
    assert model.curves[0].never_falls
    assert max(map(abs, model.curves[0].values)) < 0.05
    assert not model.curves[6].never_falls


def test_a_larger_penalty_makes_flatter_curves() -> None:
    heights = [
        np.ptp(fit_model(REVIEWS, ridge=ridge).curves[0].values) for ridge in (0.1, 100.0, 10000.0)
    ]
    assert heights == sorted(heights, reverse=True)


def test_the_same_reviews_give_the_same_model_in_any_order() -> None:
    shuffled = np.random.default_rng(3).permutation(len(REVIEWS.ratings))
    turned = dataclasses.replace(
        REVIEWS, features=REVIEWS.features[shuffled], ratings=REVIEWS.ratings[shuffled]
    )
    one, other = fit_model(REVIEWS), fit_model(turned)
    assert fit_model(REVIEWS) == one
    assert other.score(REVIEWS.features) == pytest.approx(one.score(REVIEWS.features), abs=1e-3)


def test_a_constant_feature_and_an_unscorable_review_do_no_harm() -> None:
    features = REVIEWS.features.copy()
    features[:, 7] = 1.0
    whole = fit_model(dataclasses.replace(REVIEWS, features=features))
    assert (whole.curves[7].points, whole.curves[7].values) == ((1.0,), (0.0,))
    features[::5] = np.nan
    some = dataclasses.replace(REVIEWS, features=features)
    assert fit_model(some) == fit_model(some.where(some.can_be_scored))


def test_ratings_that_lack_a_level_are_refused() -> None:
    with pytest.raises(CalibrationError, match="each of the ratings from 1 to 5"):
        fit_model(REVIEWS.where(REVIEWS.ratings < 5))
    with pytest.raises(CalibrationError, match="longer than another"):
        dataclasses.replace(REVIEWS, ratings=REVIEWS.ratings[1:])
