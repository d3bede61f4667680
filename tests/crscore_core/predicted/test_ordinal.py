import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import CalibrationError
from crscore_core.predicted.curve import Curve
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.ordinal import OrdinalModel, logistic

FLAT = Curve((0.0,), (0.0,))
MODEL = OrdinalModel(
    (Curve((0.0, 0.5, 1.0), (-1.0, 0.0, 3.0)), *[FLAT] * (len(FEATURES) - 1)),
    (-1.0, 0.0, 1.0, 2.0),
)


def row(coverage: float) -> list[float]:
    return [coverage, *[0.0] * (len(FEATURES) - 1)]


@pytest.mark.parametrize(
    ("feature", "log_odds"),
    [(0, -1), (0.25, -0.5), (0.5, 0), (0.75, 1.5), (1, 3), (-9, -1), (9, 3)],
)
def test_a_curve_is_straight_between_points_and_flat_beyond(
    feature: float, log_odds: float
) -> None:
    assert MODEL.curves[0].at(feature) == pytest.approx(log_odds)


def test_a_score_is_the_expected_rating_on_a_scale_from_0_to_1() -> None:
    strength, thresholds = 1.5, np.array(MODEL.thresholds)
    higher = 1 / (1 + np.exp(thresholds - strength))  # P(rating > k)
    each = -np.diff(np.concatenate([[1], higher, [0]]))  # P(rating = k)
    expected = float(each @ [1, 2, 3, 4, 5])
    assert each.sum() == pytest.approx(1)
    assert MODEL.score(row(0.75)) == pytest.approx((expected - 1) / 4)


def test_many_rows_at_once() -> None:
    rows = np.array([row(0.1), row(0.9)])
    assert MODEL.score(rows) == pytest.approx([float(MODEL.score(one)) for one in rows])
    assert MODEL.score(rows[:0]).shape == (0,)


def test_contributions_add_up_to_the_strength() -> None:
    found = MODEL.contributions(row(0.75))
    assert [one.name for one in found] == [feature.name for feature in FEATURES]
    assert (found[0].value, found[0].contribution) == (0.75, 1.5)
    strength = sum(one.contribution for one in found)
    assert logistic(strength - np.array(MODEL.thresholds)).mean() == pytest.approx(
        float(MODEL.score(row(0.75)))
    )


@given(st.floats(-1e308, 1e308), st.floats(-1e308, 1e308))
def test_scores_are_within_0_and_1_and_rise(one: float, other: float) -> None:
    low, high = sorted([one, other])
    scores = MODEL.score([row(low), row(high)])
    assert (scores >= 0).all()
    assert (scores <= 1).all()
    assert scores[0] <= scores[1]


@pytest.mark.parametrize(
    ("log_odds", "chance"), [(0, 0.5), (1e308, 1), (-1e308, 0), (2, 0.8807971)]
)
def test_logistic(log_odds: float, chance: float) -> None:
    assert logistic(log_odds) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("points", "values"),
    [
        ((), ()),
        ((0.0,), ()),
        ((0.0, 0.0), (1.0, 2.0)),
        ((1.0, 0.0), (1.0, 2.0)),
        ((0.0, float("nan")), (1.0, 2.0)),
        ((0.0, 1.0), (1.0, float("inf"))),
    ],
)
def test_what_is_no_curve_is_refused(points: tuple[float, ...], values: tuple[float, ...]) -> None:
    with pytest.raises(CalibrationError):
        Curve(points, values)


def test_what_is_no_model_is_refused() -> None:
    falling = Curve((0.0, 1.0), (1.0, 0.0))
    with pytest.raises(CalibrationError, match="coverage must not fall"):
        dataclasses.replace(MODEL, curves=(falling, *MODEL.curves[1:]))
    assert dataclasses.replace(MODEL, curves=(*MODEL.curves[:-1], falling))
    with pytest.raises(CalibrationError, match="8 features"):
        dataclasses.replace(MODEL, curves=MODEL.curves[:-1])
    for thresholds in [(0.0, 1.0, 2.0), (0.0, 1.0, 1.0, 2.0), (0.0, 1.0, 2.0, float("nan"))]:
        with pytest.raises(CalibrationError, match="4 thresholds"):
            dataclasses.replace(MODEL, thresholds=thresholds)
