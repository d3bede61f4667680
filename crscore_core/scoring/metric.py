"""The metric: pure functions of a similarity matrix (paper, section 3.3, equations 1 to 3).

A similarity matrix has a row for each pseudo-reference and a column for each review sentence.
Whatever is compared with tau is compared strictly: a similarity equal to tau is no match.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import SimilarityError

__all__ = [
    "TAUS",
    "Scores",
    "Sweep",
    "covered",
    "harmonic_mean",
    "matches",
    "on_topic",
    "score",
    "sweep",
]

TAUS = np.arange(101) / 100
"""Thresholds at which curves are drawn: from 0 to 1 in hundredths."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Conciseness, comprehensiveness and relevance at one tau, each in [0, 1]."""

    conciseness: float
    comprehensiveness: float
    relevance: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """The three scores at many taus: float64 arrays of the shape of `taus`, (n,)."""

    taus: NDArray[np.float64]
    conciseness: NDArray[np.float64]
    comprehensiveness: NDArray[np.float64]
    relevance: NDArray[np.float64]


def matches(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Which pairs are similar: bool, (n pseudo-references, n sentences)."""
    return np.asarray(similarity, dtype=np.float64) > tau


def covered(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Which pseudo-references some sentence is similar to: bool, (n pseudo-references,)."""
    return _best(similarity, axis=1) > tau


def on_topic(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Which sentences are similar to some pseudo-reference: bool, (n sentences,)."""
    return _best(similarity, axis=0) > tau


def score(similarity: ArrayLike, tau: float) -> Scores:
    """Score a similarity matrix at one threshold.

    Con is the share of sentences on topic (equation 1), Comp the share of pseudo-references
    covered (equation 2), Rel their harmonic mean, 0 where both are 0 (equation 3).

    Raises:
        SimilarityError: the matrix is empty, not two-dimensional, or not finite.
    """
    at = sweep(similarity, [tau])
    return Scores(float(at.conciseness[0]), float(at.comprehensiveness[0]), float(at.relevance[0]))


def sweep(similarity: ArrayLike, taus: Sequence[float] | NDArray[np.float64]) -> Sweep:
    """Score a similarity matrix at many thresholds at once.

    Raises:
        SimilarityError: as for `score`, or a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    if thresholds.ndim != 1 or not np.isfinite(thresholds).all():
        raise SimilarityError("taus must be a list of finite numbers")
    conciseness = _share_above(_best(similarity, axis=0), thresholds)
    comprehensiveness = _share_above(_best(similarity, axis=1), thresholds)
    relevance = harmonic_mean(conciseness, comprehensiveness)
    return Sweep(thresholds, conciseness, comprehensiveness, relevance)


def harmonic_mean(
    conciseness: NDArray[np.float64], comprehensiveness: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Rel of Con and Comp, number by number: 0 where both are 0 (equation 3), NaN of NaN."""
    total = conciseness + comprehensiveness
    both = 2 * conciseness * comprehensiveness
    return np.divide(both, total, out=np.zeros_like(total), where=total != 0)


def _share_above(values: NDArray[np.float64], taus: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of `values` strictly above each tau."""
    not_above = np.searchsorted(np.sort(values), taus, side="right")
    return (values.size - not_above) / values.size


def _best(similarity: ArrayLike, axis: int) -> NDArray[np.float64]:
    """Maxima along an axis, in float64: every comparison with tau is made in one precision."""
    matrix = np.asarray(similarity, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise SimilarityError(
            f"a similarity matrix needs rows and columns, but its shape is {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise SimilarityError("the similarity matrix holds a value that is not a finite number")
    best: NDArray[np.float64] = matrix.max(axis=axis)
    return best
