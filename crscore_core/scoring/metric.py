"""The metric: pure functions of a similarity matrix (paper, section 3.3, equations 1 to 3).

A similarity matrix has a row for each pseudo-reference and a column for each review sentence.
Every comparison with tau is strict and made in float64: a similarity equal to tau does not match.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError


@dataclass(frozen=True, slots=True)
class Scores:
    """Conciseness, comprehensiveness and relevance, each in [0, 1], at one tau or without one."""

    conciseness: float
    comprehensiveness: float
    relevance: float


def matches(similarity: ArrayLike, tau: float) -> NDArray[np.bool_]:
    """Mark the pairs that match: bool, (n pseudo-references, n sentences)."""
    return np.asarray(similarity, dtype=np.float64) > tau


def score(similarity: ArrayLike, tau: float | None) -> Scores:
    """Score a similarity matrix at one threshold, or without one if `tau` is None.

    Con: the share of sentences that match a pseudo-reference (equation 1).
    Comp: the share of pseudo-references that a sentence matches (equation 2).
    Rel: the harmonic mean of Con and Comp; 0 if both are 0 (equation 3).

    Without a threshold, the best similarity takes the place of a match: Con is its mean over the
    sentences, Comp its mean over the pseudo-references. A mean below 0 counts as 0.

    Raises:
        InputError: the matrix is empty, not two-dimensional, or not finite.
    """
    matrix = np.asarray(similarity, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0 or not np.isfinite(matrix).all():
        problem = "a similarity matrix needs rows, columns and finite numbers"
        raise InputError(f"{problem}; its shape is {matrix.shape}")
    values = matrix if tau is None else matches(matrix, tau)
    n_references, n_sentences = values.shape
    sentence_sum, reference_sum = (values.max(axis=axis).sum() for axis in (0, 1))
    scores = scores_from_sums(sentence_sum, n_sentences, reference_sum, n_references)
    return Scores(*scores.tolist())


def scores_from_sums(
    sentence_sums: ArrayLike,
    n_sentences: ArrayLike,
    reference_sums: ArrayLike,
    n_references: ArrayLike,
) -> NDArray[np.float64]:
    """Score one or more reviews from sums; the result is (3, ...), in the order of `Scores`.

    `sentence_sums` adds up the best similarity of each sentence, or the number of sentences that
    match; `reference_sums` does so for pseudo-references. A mean below 0 counts as 0. The scores
    are NaN for a review without sentences or without pseudo-references.
    """
    sums = np.asarray([sentence_sums, reference_sums], np.float64)
    counts = np.asarray([n_sentences, n_references], np.float64)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    conciseness, comprehensiveness = np.clip(means, 0, 1)
    total = np.asarray(conciseness + comprehensiveness)
    product = 2 * conciseness * comprehensiveness
    relevance = np.divide(product, total, out=np.zeros_like(total), where=total != 0)
    return np.stack([conciseness, comprehensiveness, relevance])
