"""Which reviews the chart draws, and where."""

import numpy as np
from numpy.typing import NDArray

from crscore_core.validity.failures import Failures

__all__ = ["MOST_POINTS", "drawn", "jitter"]

MOST_POINTS = 5_000
"""More of them a browser draws slowly, and nobody tells them apart."""

_STEPS = (0.6180339887498949, 0.4142135623730950)
"""Multiples of irrational numbers fill an interval evenly (Kronecker sequences)."""


def drawn(failures: Failures) -> NDArray[np.intp]:
    """Positions of the reviews to draw, rising: every failure, and of the rest an even choice."""
    judged = failures.judged
    if judged.size <= MOST_POINTS:
        return judged
    failing = np.union1d(failures.underestimated, failures.overestimated)[:MOST_POINTS]
    others = np.setdiff1d(judged, failing)
    kept = np.linspace(0, others.size - 1, MOST_POINTS - failing.size).astype(np.intp)
    return np.union1d(failing, others[kept])


def jitter(positions: NDArray[np.intp], width: float, axis: int) -> NDArray[np.float64]:
    """How far each review is moved along an axis, 0 or 1, at most `width` to each side.

    It hangs on nothing but the review's position, so that no point moves without a reason.
    """
    shares = (positions.astype(np.float64) + 1) * _STEPS[axis] % 1
    return np.asarray(width * (2 * shares - 1), dtype=np.float64)
