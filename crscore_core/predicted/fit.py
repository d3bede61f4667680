"""Labelled reviews -> the models that fit them best, by penalised maximum likelihood.

For a review of strength s, grade k has the probability L(t_k - s) - L(t_{k-1} - s), with the
logistic function L, t_0 minus and the last t plus infinity. With a = t_k - s and b = t_{k-1} - s
that is L(a) L(-b) (1 - exp(b - a)), whose logarithm and its slopes neither overflow nor cancel.

Several data sets may be fitted at once: their strengths share curves, to which each data set adds
curves of its own that are penalised more (Daume, "Frustratingly easy domain adaptation", ACL
2007). Each has its own thresholds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.model import AdditiveModel, Curve, logistic

RIDGE = 5.0
"""Weight of the penalty on the slopes, each per standard deviation of its feature."""

OWN_RIDGE = 3.0
"""Penalty on the slopes that a data set has of its own, relative to that on the shared ones."""

_BENDS = (0, 1 / 3, 2 / 3, 0.9, 1)  # quantiles; counts have long tails
_POINT_DIGITS = 3  # significant ones
_VALUE_DECIMALS = 4

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GradedRows:
    """Reviews to fit to: `features` (n, n features), `grades` (n,) from 0, `weights` (n,)."""

    features: Array
    grades: NDArray[np.intp]
    weights: Array


def fit_model(
    rows: GradedRows, n_grades: int, ridge: float = RIDGE, around: AdditiveModel | None = None
) -> AdditiveModel:
    """Fit the curves and thresholds of one model; see `fit_models`."""
    return fit_models([rows], [n_grades], ridge, around)[0]


def fit_models(
    data: Sequence[GradedRows],
    n_grades: Sequence[int],
    ridge: float = RIDGE,
    around: AdditiveModel | None = None,
) -> tuple[AdditiveModel, ...]:
    """Fit a model for each data set, all of them at once (L-BFGS-B).

    Each curve bends at the feature's tertiles over all data, and where its highest tenth begins.
    A fit `around` a model bends where that does, and penalises how far slopes are from its own.
    The same reviews give the same models, in numbers as short as they are stored.

    Raises:
        CalibrationError: a grade does not occur, or there is no best fit.
    """
    from scipy.optimize import minimize

    for rows, count in zip(data, n_grades, strict=True):
        if set(rows.grades.tolist()) != set(range(count)):
            raise CalibrationError(f"a fit needs reviews with each of the {count} grades")
    columns = np.vstack([rows.features for rows in data]).T
    points, of_scale = list(map(_points, columns)), list(columns)
    if around is not None:  # few reviews may be all alike in a feature
        points = of_scale = [np.array(curve.points) for curve in around.curves]
    sizes = [ends.size - 1 for ends in points]
    scales = np.repeat([float(values.std()) or 1.0 for values in of_scale], sizes)
    known = np.zeros(scales.size)
    if around is not None:
        known = np.concatenate([np.diff(one.values) / np.diff(one.points) for one in around.curves])
    goals = []
    for rows, count in zip(data, n_grades, strict=True):
        pieces = np.hstack(list(map(_pieces, rows.features.T, points)))
        goals.append(
            PenalisedLikelihood(pieces / scales, rows.grades, rows.weights, count, pieces @ known)
        )
    goal = SharedGoal(goals, ridge)
    is_monotone = np.repeat([feature.is_monotone for feature in FEATURES], sizes)
    lowest = np.where(is_monotone, -known * scales, -np.inf).tolist()
    start = goal.start()
    bounds = [(low, np.inf) for low in lowest] * goal.n_blocks
    bounds += [(-np.inf, np.inf)] * (start.size - len(bounds))
    best = minimize(
        goal,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 5000, "maxfun": 5000, "ftol": 1e-11, "gtol": 1e-5},
    ).x
    if not np.isfinite(best).all():
        raise CalibrationError("these labels have no best fit")
    return tuple(
        _model(columns, points, known + slopes / scales, thresholds)
        for slopes, thresholds in goal.fitted(best)
    )


def _model(columns: Array, points: Sequence[Array], slopes: Array, ends_: Array) -> AdditiveModel:
    last = np.cumsum([ends.size - 1 for ends in points])
    curves, shift = [], 0.0
    for column, ends, slope in zip(columns, points, np.split(slopes, last[:-1]), strict=True):
        values = np.concatenate([[0.0], np.cumsum(np.diff(ends) * slope)])
        typical = float(np.interp(np.median(column), ends, values))
        shift += typical
        curves.append(Curve(tuple(ends.tolist()), _rounded(values - typical)))
    return AdditiveModel(tuple(curves), _rounded(ends_ - shift))


def _points(column: Array) -> Array:
    """Points where a curve begins, bends and ends: the feature's range, cut at its quantiles."""
    quantiles = np.quantile(column, _BENDS)
    return np.unique([float(f"{value:.{_POINT_DIGITS}g}") for value in quantiles])


def _pieces(column: Array, points: Array) -> Array:
    """Length of each piece below each value: (n values, n points - 1)."""
    return np.clip(column[:, None], points[:-1], points[1:]) - points[:-1]


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), _VALUE_DECIMALS) + 0.0 for value in values)


@dataclass(frozen=True, eq=False)
class PenalisedLikelihood:
    """Likelihood of the grades of one data set, as a function of slopes and thresholds.

    `columns`, (n reviews, n slopes), are multiplied with the slopes; `grades`, (n reviews,), are
    numbers from 0 on, fewer than `n_grades`; `known` is the part of each strength that is given.
    Thresholds are given as the first one, and the logarithms of the steps from each to the next,
    which keeps them in order.
    """

    columns: Array
    grades: NDArray[np.intp]
    weights: Array
    n_grades: int
    known: Array | float = 0.0

    def __call__(self, slopes: Array, cuts: Array) -> tuple[float, Array, Array]:
        """Return minus the log-likelihood, and its gradients by slopes and by `cuts`."""
        steps = np.exp(cuts[1:])
        ends = np.concatenate([[-np.inf], thresholds_of(cuts), [np.inf]])
        strength = self.known + self.columns @ slopes
        above, below = ends[self.grades + 1] - strength, ends[self.grades] - strength
        gap = (ends[1:] - ends[:-1])[self.grades]
        with np.errstate(over="ignore"):
            overlap = 1 / np.expm1(gap)
        loss = np.logaddexp(0, -above) + np.logaddexp(0, below) - np.log1p(-np.exp(-gap))

        miss_above, miss_below = logistic(-above), logistic(below)
        of_thresholds = (
            np.bincount(
                self.grades, -self.weights * (miss_above + overlap), minlength=self.n_grades
            )[:-1]
            + np.bincount(
                self.grades, self.weights * (miss_below + overlap), minlength=self.n_grades
            )[1:]
        )
        later = np.cumsum(of_thresholds[::-1])[::-1]  # a step moves all thresholds after it
        return (
            float(self.weights @ loss),
            self.columns.T @ (self.weights * (miss_above - miss_below)),
            np.concatenate([later[:1], steps * later[1:]]),
        )

    def start(self) -> Array:
        """Return the thresholds that fit best without slopes, as `__call__` takes them."""
        counts = np.bincount(self.grades, self.weights, minlength=self.n_grades)
        share = np.cumsum(counts)[:-1] / counts.sum()
        thresholds = np.log(share / (1 - share))
        return np.concatenate([thresholds[:1], np.log(np.diff(thresholds))])


class SharedGoal:
    """The function that a fit minimises, over one data set or several that share slopes.

    Parameters are the shared slopes, with several data sets the slopes that each adds, and the
    thresholds of each.
    """

    def __init__(self, goals: Sequence[PenalisedLikelihood], ridge: float) -> None:
        """Take the likelihood of each data set; all have the same slopes."""
        self._goals = goals
        self._n_slopes = goals[0].columns.shape[1]
        self.n_blocks = 1 if len(goals) == 1 else 1 + len(goals)
        self._ridge = np.repeat([ridge, *[OWN_RIDGE * ridge] * (self.n_blocks - 1)], self._n_slopes)

    def start(self) -> Array:
        """Return parameters to start from."""
        return np.concatenate([np.zeros(self._ridge.size), *(each.start() for each in self._goals)])

    def __call__(self, parameters: Array) -> tuple[float, Array]:
        """Return the sum of the losses plus the penalty, and its gradient."""
        size = self._n_slopes
        free = parameters[: self._ridge.size]
        loss = float((self._ridge * free) @ free / 2)
        gradient = np.concatenate([self._ridge * free, np.zeros(parameters.size - free.size)])
        for number, (goal, slopes, place) in enumerate(self._parts(parameters), start=1):
            own, of_slopes, of_cuts = goal(slopes, parameters[place])
            loss += own
            gradient[:size] += of_slopes
            if self.n_blocks > 1:
                gradient[number * size : (number + 1) * size] += of_slopes
            gradient[place] = of_cuts
        return loss, gradient

    def fitted(self, parameters: Array) -> list[tuple[Array, Array]]:
        """Return the slopes and thresholds of each data set."""
        return [
            (slopes, thresholds_of(parameters[place]))
            for _, slopes, place in self._parts(parameters)
        ]

    def _parts(self, parameters: Array) -> list[tuple[PenalisedLikelihood, Array, slice]]:
        size, place = self._n_slopes, self._ridge.size
        parts = []
        for number, goal in enumerate(self._goals, start=1):
            own = parameters[number * size : (number + 1) * size] if self.n_blocks > 1 else 0.0
            parts.append((goal, parameters[:size] + own, slice(place, place + goal.n_grades - 1)))
            place += goal.n_grades - 1
        return parts


def thresholds_of(cuts: Array) -> Array:
    """Thresholds from the first of them and the logarithms of the steps between them."""
    thresholds: Array = cuts[0] + np.concatenate([[0.0], np.cumsum(np.exp(cuts[1:]))])
    return thresholds
