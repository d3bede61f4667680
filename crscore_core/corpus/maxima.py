"""The scores of many similarity matrices at many thresholds at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The three scores at many taus: float64 in [0, 1], with an axis of taus first.

    Of many matrices the arrays have a second axis, and NaN for a matrix without rows or columns.
    """

    taus: Array
    conciseness: Array
    comprehensiveness: Array
    relevance: Array


def sweep(similarity: ArrayLike, taus: ArrayLike) -> Sweep:
    """Score a similarity matrix at many thresholds at once; arrays of shape (n taus,).

    Raises:
        InputError: as for `score`, or a tau is not a finite number.
    """
    maxima = Maxima.of([_whole(similarity)])
    swept = maxima.at(taus)
    return Sweep(
        swept.taus, swept.conciseness[:, 0], swept.comprehensiveness[:, 0], swept.relevance[:, 0]
    )


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
        """Take the maxima of similarity matrices, each (n pseudo-references, n sentences).

        Raises:
            InputError: a matrix is not two-dimensional, or not finite.
        """
        columns, rows, shapes = [], [], []
        for number, given in enumerate(matrices):
            matrix = np.asarray(given, dtype=np.float64)
            if matrix.ndim != 2 or not np.isfinite(matrix).all():
                raise InputError(f"similarity matrix {number} is no table of finite numbers")
            shapes.append(matrix.shape)
            if matrix.size:
                columns.append(matrix.max(axis=0))
                rows.append(matrix.max(axis=1))
        n_references, n_sentences = np.array(shapes, dtype=np.intp).reshape(-1, 2).T
        is_whole = (n_references > 0) & (n_sentences > 0)
        return cls(_joined(columns), n_sentences * is_whole, _joined(rows), n_references * is_whole)

    def at(self, taus: ArrayLike) -> Sweep:
        """Score every matrix at every tau (equations 1 to 3); NaN for one without scores.

        The arrays have the shape (n taus, n matrices).

        Raises:
            InputError: the taus are no list of finite numbers.
        """
        thresholds = np.asarray(taus, dtype=np.float64)
        if thresholds.ndim != 1 or not np.isfinite(thresholds).all():
            raise InputError("taus must be a list of finite numbers")
        conciseness = _shares_above(self.of_sentences, self.n_sentences, thresholds)
        comprehensiveness = _shares_above(self.of_references, self.n_references, thresholds)
        return Sweep(
            thresholds,
            conciseness,
            comprehensiveness,
            harmonic_mean(conciseness, comprehensiveness),
        )

    def no_threshold(self) -> Array:
        """Score every matrix without a threshold: (3, n matrices), NaN for one without scores.

        Equations 1 to 3 with the similarity itself in place of the indicator "above tau": the
        mean best similarity of the sentences, that of the pseudo-references, and their harmonic
        mean. A mean below 0 counts as 0.
        """
        conciseness = np.clip(_means(self.of_sentences, self.n_sentences), 0, 1)
        comprehensiveness = np.clip(_means(self.of_references, self.n_references), 0, 1)
        return np.stack(
            [conciseness, comprehensiveness, harmonic_mean(conciseness, comprehensiveness)]
        )


def harmonic_mean(conciseness: Array, comprehensiveness: Array) -> Array:
    """Rel of Con and Comp, number by number: 0 where both are 0 (equation 3), NaN of NaN."""
    total = conciseness + comprehensiveness
    both = 2 * conciseness * comprehensiveness
    return np.divide(both, total, out=np.zeros_like(total), where=total != 0)


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


def _means(values: Array, lengths: NDArray[np.intp]) -> Array:
    """Mean of each matrix' values, (n matrices,); NaN for a matrix without values."""
    matrix = np.repeat(np.arange(lengths.size), lengths)
    sums = np.bincount(matrix, values, minlength=lengths.size)
    means: Array = np.full(lengths.size, np.nan)
    np.divide(sums, lengths, out=means, where=lengths > 0)
    return means


def _whole(similarity: ArrayLike) -> Array:
    """The matrix in float64, with rows, columns and finite values."""
    matrix = np.asarray(similarity, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise InputError(
            f"a similarity matrix needs rows and columns, but its shape is {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise InputError("the similarity matrix holds a value that is not a finite number")
    return matrix
