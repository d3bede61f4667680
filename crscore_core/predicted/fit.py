"""Rated reviews -> the model that fits them best."""

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.curve import Curve
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.likelihood import PenalisedLikelihood
from crscore_core.predicted.ordinal import RATINGS, OrdinalModel
from crscore_core.predicted.rated_reviews import RatedReviews

__all__ = ["RIDGE", "fit_model"]

RIDGE = 3.0
"""Weight of the penalty on the slopes, each per standard deviation of its feature."""

_PIECES = 3  # of each curve
_POINT_DIGITS = 3  # significant ones
_VALUE_DECIMALS = 4

Array = NDArray[np.float64]


def fit_model(reviews: RatedReviews, ridge: float = RIDGE) -> OrdinalModel:
    """Fit the curves and thresholds by penalised maximum likelihood (L-BFGS-B).

    Each curve bends at the feature's tertiles. Reviews that cannot be scored are left out.
    The same reviews give the same model, in numbers as short as they are stored.

    Raises:
        CalibrationError: a rating from 1 to 5 does not occur, or there is no best fit.
    """
    from scipy.optimize import minimize

    known = reviews.where(reviews.can_be_scored)
    if set(known.ratings.tolist()) != set(RATINGS):
        raise CalibrationError("a fit needs reviews with each of the ratings from 1 to 5")
    points = [_points(column) for column in known.features.T]
    scales = [float(column.std()) or 1.0 for column in known.features.T]
    pieces = [
        _pieces(column, at) / scale
        for column, at, scale in zip(known.features.T, points, scales, strict=True)
    ]
    goal = PenalisedLikelihood(np.hstack(pieces), known.ratings - RATINGS[0], ridge)
    start = goal.start()
    bounds = [
        (0.0 if feature.is_monotone else None, None)
        for feature, piece in zip(FEATURES, pieces, strict=True)
        for _ in piece.T
    ]
    bounds += [(None, None)] * (start.size - len(bounds))
    found = minimize(
        goal,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 5000, "maxfun": 5000, "ftol": 1e-13, "gtol": 1e-7},
    )
    if not np.isfinite(found.x).all():
        raise CalibrationError("these ratings have no best fit")
    ends = np.cumsum([piece.shape[1] for piece in pieces])
    slopes = np.split(found.x[: ends[-1]], ends[:-1])
    curves, shift = [], 0.0
    for column, at, slope, scale in zip(known.features.T, points, slopes, scales, strict=True):
        values = np.concatenate([[0.0], np.cumsum(np.diff(at) * slope / scale)])
        typical = float(np.interp(np.median(column), at, values))
        shift += typical
        curves.append(Curve(tuple(at.tolist()), _rounded(values - typical)))
    return OrdinalModel(tuple(curves), _rounded(goal.thresholds(found.x) - shift))


def _points(column: Array) -> Array:
    """Where a curve begins, bends and ends: the feature's range, cut at its quantiles."""
    quantiles = np.quantile(column, np.linspace(0, 1, _PIECES + 1))
    return np.unique([float(f"{value:.{_POINT_DIGITS}g}") for value in quantiles])


def _pieces(column: Array, points: Array) -> Array:
    """How much of each piece lies below each value: (n values, n points - 1)."""
    return np.clip(column[:, None], points[:-1], points[1:]) - points[:-1]


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), _VALUE_DECIMALS) + 0.0 for value in values)
