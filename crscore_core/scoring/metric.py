"""The metric: pure functions of a similarity matrix (paper, section 3.3, equations 1 to 3).

A similarity matrix has a row for each pseudo-reference and a column for each review sentence.
Every comparison with tau is strict and made in float64: a similarity equal to tau is no match.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError

TAUS = np.arange(101) / 100
"""Thresholds for curves: from 0 to 1 in steps of 0.01."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Conciseness, comprehensiveness and relevance, each in [0, 1], at one tau or without one."""

    conciseness: float
    comprehensiveness: float
    relevance: float


def matches(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Mark the pairs that match: bool, (n pseudo-references, n sentences)."""
    return np.asarray(similarity, dtype=np.float64) > tau


def covered(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Mark the pseudo-references that a sentence matches: bool, (n pseudo-references,)."""
    return np.asarray(matches(similarity, tau).any(axis=1))


def on_topic(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Mark the sentences that match a pseudo-reference: bool, (n sentences,)."""
    return np.asarray(matches(similarity, tau).any(axis=0))


def score(similarity: ArrayLike, tau: float) -> Scores:
    """Score a similarity matrix at one threshold.

    Con: the share of sentences that match a pseudo-reference (equation 1).
    Comp: the share of pseudo-references that a sentence matches (equation 2).
    Rel: the harmonic mean of Con and Comp; 0 if both are 0 (equation 3).

    Raises:
        InputError: the matrix is empty, not two-dimensional, or not finite.
    """
    matrix = _checked(similarity)
    return _scores(on_topic(matrix, tau).mean(), covered(matrix, tau).mean())


def no_threshold(similarity: ArrayLike) -> Scores:
    """Score a similarity matrix without a threshold.

    Equations 1 to 3 use the similarity itself in place of the indicator "above tau".

    Con: the mean, over sentences, of the best similarity to a pseudo-reference.
    Comp: the mean, over pseudo-references, of the best similarity to a sentence.
    Rel: the harmonic mean of Con and Comp. A mean below 0 counts as 0.

    Raises:
        InputError: as for `score`.
    """
    best_of_sentences, best_of_references = (_checked(similarity).max(axis=axis) for axis in (0, 1))
    return _scores(
        np.clip(best_of_sentences.mean(), 0, 1), np.clip(best_of_references.mean(), 0, 1)
    )


def _scores(conciseness: float, comprehensiveness: float) -> Scores:
    con, comp = float(conciseness), float(comprehensiveness)
    return Scores(con, comp, 2 * con * comp / (con + comp) if con + comp else 0.0)


def _checked(similarity: ArrayLike) -> NDArray[np.float64]:
    matrix = np.asarray(similarity, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise InputError(
            f"a similarity matrix needs rows and columns, but its shape is {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise InputError("the similarity matrix has a value that is not a finite number")
    return matrix
