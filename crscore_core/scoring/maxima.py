"""What is left of many similarity matrices when only scores at any tau are wanted of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import SimilarityError
from crscore_core.scoring.metric import harmonic_mean

__all__ = ["Maxima", "ScoresOfMany"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ScoresOfMany:
    """Conciseness, comprehensiveness and relevance of n matrices at each of `taus`.

    Each is (n taus, n matrices), in [0, 1], and NaN for a matrix without rows or columns.
    """

    taus: Array
    conciseness: Array
    comprehensiveness: Array
    relevance: Array


@dataclass(frozen=True, slots=True, eq=False)
class Maxima:
    """The best similarity of every sentence and of every pseudo-reference of n matrices.

    `of_sentences` and `of_references` hold them one matrix after the other; `n_sentences` and
    `n_references`, (n,), say how many each matrix has. The scores at any tau follow from them.
    """

    of_sentences: Array
    n_sentences: NDArray[np.intp]
    of_references: Array
    n_references: NDArray[np.intp]

    @classmethod
    def of(cls, matrices: Iterable[ArrayLike]) -> "Maxima":
        """Of similarity matrices, each (n pseudo-references, n sentences); either may be 0.

        Raises:
            SimilarityError: a matrix is not two-dimensional, or not finite.
        """
        columns, rows, shapes = [], [], []
        for number, given in enumerate(matrices):
            matrix = np.asarray(given, dtype=np.float64)
            if matrix.ndim != 2 or not np.isfinite(matrix).all():
                raise SimilarityError(f"similarity matrix {number} is no table of finite numbers")
            shapes.append(matrix.shape)
            if matrix.size:
                columns.append(matrix.max(axis=0))
                rows.append(matrix.max(axis=1))
        n_references, n_sentences = np.array(shapes, dtype=np.intp).reshape(-1, 2).T
        is_whole = (n_references > 0) & (n_sentences > 0)
        return cls(_joined(columns), n_sentences * is_whole, _joined(rows), n_references * is_whole)

    def at(self, taus: ArrayLike) -> ScoresOfMany:
        """Score every matrix at every tau; as `metric.score` does one matrix (equations 1 to 3).

        Raises:
            SimilarityError: the taus are no list of finite numbers.
        """
        thresholds = np.asarray(taus, dtype=np.float64)
        if thresholds.ndim != 1 or not np.isfinite(thresholds).all():
            raise SimilarityError("taus must be a list of finite numbers")
        conciseness = _shares_above(self.of_sentences, self.n_sentences, thresholds)
        comprehensiveness = _shares_above(self.of_references, self.n_references, thresholds)
        return ScoresOfMany(
            thresholds,
            conciseness,
            comprehensiveness,
            harmonic_mean(conciseness, comprehensiveness),
        )


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0)


def _shares_above(values: Array, lengths: NDArray[np.intp], taus: Array) -> Array:
    """Share of each matrix' values strictly above each tau: (n taus, n matrices)."""
    ends = np.cumsum(lengths)
    above = np.zeros((taus.size, values.size + 1))
    np.cumsum(values > taus[:, np.newaxis], axis=1, out=above[:, 1:])
    counts = above[:, ends] - above[:, ends - lengths]
    shares: Array = np.full(counts.shape, np.nan)
    np.divide(counts, lengths, out=shares, where=lengths > 0)
    return shares
