"""How likely ratings are under proportional odds, and in which direction they become likelier.

Of a review of strength s, rating k has the probability L(t_k - s) - L(t_{k-1} - s), L being the
logistic function and t_0 and t_5 infinite. With a = t_k - s and b = t_{k-1} - s that is
L(a) L(-b) (1 - exp(b - a)), whose logarithm and its slopes neither overflow nor cancel.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.predicted.ordinal import RATINGS, logistic

__all__ = ["PenalisedLikelihood"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PenalisedLikelihood:
    """What a fit makes as small as possible.

    `columns`, (n reviews, n slopes), are multiplied with the slopes; `levels`, (n reviews,), are
    the ratings from 0 on; `ridge` times half the sum of the squared slopes is the penalty.
    """

    columns: Array
    levels: NDArray[np.intp]
    ridge: float

    def __call__(self, parameters: Array) -> tuple[float, Array]:
        """Minus the log-likelihood plus the penalty, and its gradient.

        `parameters` are the slopes, the first threshold, and the logarithms of the steps from
        each threshold to the next, which keeps them in order.
        """
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
        counts = len(RATINGS)
        of_thresholds = (
            np.bincount(self.levels, -(miss_above + overlap), minlength=counts)[:-1]
            + np.bincount(self.levels, miss_below + overlap, minlength=counts)[1:]
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
        """Parameters to start from: no slope, and the thresholds that fit the ratings best."""
        counts = np.bincount(self.levels, minlength=len(RATINGS))
        share = np.cumsum(counts)[:-1] / counts.sum()
        thresholds = np.log(share / (1 - share))
        return np.concatenate(
            [np.zeros(self.columns.shape[1]), thresholds[:1], np.log(np.diff(thresholds))]
        )

    def thresholds(self, parameters: Array) -> Array:
        """The thresholds that parameters stand for."""
        n_slopes = self.columns.shape[1]
        steps = np.exp(parameters[n_slopes + 1 :])
        thresholds: Array = parameters[n_slopes] + np.concatenate([[0.0], np.cumsum(steps)])
        return thresholds
