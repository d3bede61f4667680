"""Rated reviews -> the model that fits them best, and its agreement on reviews not fitted to.

The fit is by penalised maximum likelihood.

For a review of strength s, rating k has the probability L(t_k - s) - L(t_{k-1} - s), with the
logistic function L and infinite t_0 and t_5. With a = t_k - s and b = t_{k-1} - s that is
L(a) L(-b) (1 - exp(b - a)), whose logarithm and its slopes neither overflow nor cancel.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.model import RATINGS, Curve, OrdinalModel, logistic
from crscore_core.statistics import ClusterBootstrap, ClusteredPairs, Estimate

RIDGE = 3.0
"""Weight of the penalty on the slopes, each per standard deviation of its feature."""

FOLDS = 10
"""Number of groups of changes that are left out in turn."""

SEEDS = (0, 1, 2)
"""Seeds of the grouping; each gives other groups, and so other scores."""

_PIECES = 3  # of each curve
_POINT_DIGITS = 3  # significant ones
_VALUE_DECIMALS = 4

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RatedReviews:
    """Reviews that people rated: arrays of (n,), and `features` of (n, n features).

    `features` are NaN throughout for a review without content, which cannot be scored. `ratings`
    are from 1 to 5, `changes` number the changes from 0, `systems` name the authors of the
    reviews, and `claims` the pseudo-references that a review was compared with: a review may
    come once for each kind of them.
    """

    features: Array
    ratings: NDArray[np.intp]
    changes: NDArray[np.intp]
    systems: NDArray[np.str_]
    claims: NDArray[np.str_]

    @property
    def can_be_scored(self) -> NDArray[np.bool_]:
        """True for each review that has features, (n,)."""
        return np.asarray(np.isfinite(self.features).all(axis=1))

    def where(self, chosen: NDArray[np.bool_]) -> "RatedReviews":
        """Return the chosen reviews; `chosen` is (n,)."""
        return RatedReviews(*(column[chosen] for column in vars(self).values()))


def fit_model(reviews: RatedReviews, ridge: float = RIDGE) -> OrdinalModel:
    """Fit the curves and thresholds by penalised maximum likelihood (L-BFGS-B).

    Each curve bends at the feature's tertiles. Reviews that cannot be scored are left out.
    The same reviews give the same model, in numbers as short as they are stored.

    Raises:
        CalibrationError: a rating from 1 to 5 does not occur, or there is no best fit.
    """
    from scipy.optimize import minimize

    scored = reviews.where(reviews.can_be_scored)
    if set(scored.ratings.tolist()) != set(RATINGS):
        raise CalibrationError("a fit needs reviews with each of the ratings from 1 to 5")
    columns = scored.features.T
    points = [_points(column) for column in columns]
    scales = [float(column.std()) or 1.0 for column in columns]
    pieces = [
        _pieces(column, ends) / scale
        for column, ends, scale in zip(columns, points, scales, strict=True)
    ]
    goal = PenalisedLikelihood(np.hstack(pieces), scored.ratings - RATINGS[0], ridge)
    start = goal.start()
    bounds = [
        (0.0 if feature.is_monotone else None, None)
        for feature, piece in zip(FEATURES, pieces, strict=True)
        for _ in piece.T
    ]
    bounds += [(None, None)] * (start.size - len(bounds))
    best = minimize(
        goal,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 5000, "maxfun": 5000, "ftol": 1e-13, "gtol": 1e-7},
    ).x
    if not np.isfinite(best).all():
        raise CalibrationError("these ratings have no best fit")
    last = np.cumsum([piece.shape[1] for piece in pieces])
    slopes = np.split(best[: last[-1]], last[:-1])
    curves, shift = [], 0.0
    for column, ends, slope, scale in zip(columns, points, slopes, scales, strict=True):
        values = np.concatenate([[0.0], np.cumsum(np.diff(ends) * slope / scale)])
        typical = float(np.interp(np.median(column), ends, values))
        shift += typical
        curves.append(Curve(tuple(ends.tolist()), _rounded(values - typical)))
    return OrdinalModel(tuple(curves), _rounded(goal.thresholds(best) - shift))


def _points(column: Array) -> Array:
    """Points where a curve begins, bends and ends: the feature's range, cut at its quantiles."""
    quantiles = np.quantile(column, np.linspace(0, 1, _PIECES + 1))
    return np.unique([float(f"{value:.{_POINT_DIGITS}g}") for value in quantiles])


def _pieces(column: Array, points: Array) -> Array:
    """Length of each piece below each value: (n values, n points - 1)."""
    return np.clip(column[:, None], points[:-1], points[1:]) - points[:-1]


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), _VALUE_DECIMALS) + 0.0 for value in values)


@dataclass(frozen=True, eq=False)
class PenalisedLikelihood:
    """The function that a fit minimises.

    `columns`, (n reviews, n slopes), are multiplied with the slopes; `levels`, (n reviews,), are
    the ratings from 0 on; `ridge` times half the sum of the squared slopes is the penalty.
    Parameters are the slopes, the first threshold, and the logarithms of the steps from each
    threshold to the next, which keeps the thresholds in order.
    """

    columns: Array
    levels: NDArray[np.intp]
    ridge: float

    def __call__(self, parameters: Array) -> tuple[float, Array]:
        """Return minus the log-likelihood plus the penalty, and its gradient."""
        n_slopes = self.columns.shape[1]
        slopes, steps = parameters[:n_slopes], np.exp(parameters[n_slopes + 1 :])
        ends = np.concatenate([[-np.inf], self.thresholds(parameters), [np.inf]])
        strength = self.columns @ slopes
        above, below = ends[self.levels + 1] - strength, ends[self.levels] - strength
        gap = (ends[1:] - ends[:-1])[self.levels]
        with np.errstate(over="ignore"):
            overlap = 1 / np.expm1(gap)
        loss = np.logaddexp(0, -above) + np.logaddexp(0, below) - np.log1p(-np.exp(-gap))

        miss_above, miss_below = logistic(-above), logistic(below)
        n_levels = len(RATINGS)
        of_thresholds = (
            np.bincount(self.levels, -(miss_above + overlap), minlength=n_levels)[:-1]
            + np.bincount(self.levels, miss_below + overlap, minlength=n_levels)[1:]
        )
        later = np.cumsum(of_thresholds[::-1])[::-1]  # a step moves all thresholds after it
        gradient = np.concatenate(
            [
                self.columns.T @ (miss_above - miss_below) + self.ridge * slopes,
                later[:1],
                steps * later[1:],
            ]
        )
        return float(loss.sum() + self.ridge / 2 * (slopes @ slopes)), gradient

    def start(self) -> Array:
        """Return parameters to start from: no slope, and the thresholds that fit best then."""
        counts = np.bincount(self.levels, minlength=len(RATINGS))
        share = np.cumsum(counts)[:-1] / counts.sum()
        thresholds = np.log(share / (1 - share))
        return np.concatenate(
            [np.zeros(self.columns.shape[1]), thresholds[:1], np.log(np.diff(thresholds))]
        )

    def thresholds(self, parameters: Array) -> Array:
        """Return the thresholds that parameters stand for."""
        n_slopes = self.columns.shape[1]
        steps = np.exp(parameters[n_slopes + 1 :])
        thresholds: Array = parameters[n_slopes] + np.concatenate([[0.0], np.cumsum(steps)])
        return thresholds


def scores_by_change(
    reviews: RatedReviews,
    *,
    folds: int = FOLDS,
    seeds: tuple[int, ...] = SEEDS,
    progress: Callable[[], None] = lambda: None,
) -> Array:
    """Score each review by a model that was fitted without its change: (seeds, n).

    A change is left out with all its reviews and every kind of pseudo-references. A review that
    cannot be scored gets NaN. `progress` is called after each fit.

    Raises:
        CalibrationError: there are fewer changes than folds, or a fit is impossible.
    """
    changes, change_of_review = np.unique(reviews.changes, return_inverse=True)
    if not 2 <= folds <= changes.size:
        raise CalibrationError(
            f"{changes.size} rated changes cannot be left out in {folds} groups; "
            "calibrate on the full study"
        )
    scores = []
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(changes.size)
        scores.append(_held_out(reviews, (order % folds)[change_of_review], progress))
    return np.array(scores)


def scores_by_system(reviews: RatedReviews, progress: Callable[[], None] = lambda: None) -> Array:
    """Score each review by a model that was fitted without its system: (1, n).

    Everything else as for `scores_by_change`.

    Raises:
        CalibrationError: a fit is impossible.
    """
    _, group = np.unique(reviews.systems, return_inverse=True)
    return _held_out(reviews, group, progress)[None]


def _held_out(
    reviews: RatedReviews, group: NDArray[np.intp], progress: Callable[[], None]
) -> Array:
    """Score each review by a model fitted to the other groups; NaN if it cannot be scored."""
    scores = np.full(group.size, np.nan)
    for number in range(int(group.max()) + 1):
        is_held_out = group == number
        model = fit_model(reviews.where(~is_held_out))
        scored = is_held_out & reviews.can_be_scored
        scores[scored] = model.score(reviews.features[scored])
        progress()
    return scores


def agreement(
    reviews: RatedReviews, scores: Array, chosen: NDArray[np.bool_], bootstrap: ClusterBootstrap
) -> Estimate:
    """Spearman's rho of scores, (predictions, n), with the ratings of the chosen reviews, (n,).

    The value is the mean over the predictions. `bootstrap` resamples as many changes as the
    numbers of changes reach.

    Raises:
        CalibrationError: the ratings or the scores do not differ, so that there is no order.
    """
    ratings, changes = reviews.ratings[chosen], reviews.changes[chosen]
    pairs = [ClusteredPairs(row[chosen], ratings, changes) for row in scores]

    def mean(weights: NDArray[np.int16]) -> Array:
        return np.asarray(np.mean([each.spearman(weights) for each in pairs], axis=0))

    spearman = bootstrap.estimate(mean)
    if spearman.value is None:
        raise CalibrationError("scores or ratings that are all the same have no order to agree on")
    return spearman
