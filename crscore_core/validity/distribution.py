"""Spread of similarities (Figure 5)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.reviews import Reviews

Array = NDArray[np.float64]

MOST_PAIRS = 100_000
"""Number of pairs that the paper samples (appendix C.1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Similarities of `pairs` pairs of a pseudo-reference and a review sentence (Figure 5).

    `counts`, (n bins,), are the pairs between each two of the evenly spaced `edges`,
    (n bins + 1,); a bin includes its lower edge, the last one both. `skewness` is above 0 where
    high values reach further from the mean than low ones; it and the standard deviation are None
    where all similarities are the same, or there is only one.
    """

    edges: Array
    counts: NDArray[np.intp]
    pairs: int
    mean: float
    standard_deviation: float | None
    skewness: float | None


def similarity_sample(comparison: Reviews, most: int = MOST_PAIRS, seed: int = 0) -> Array:
    """Similarities of all pairs of a pseudo-reference and a review sentence, (n pairs,).

    Reviews of the ground truth count too. Of more than `most` pairs, so many are drawn at random
    without replacement, the same ones each time. Empty where no review has a sentence.
    """
    values = np.concatenate([np.zeros(0), *(review.similarity.ravel() for review in comparison)])
    if values.size > most:
        values = np.random.default_rng(seed).choice(values, most, replace=False)
    return values.astype(np.float64)


def similarity_histogram(sample: Array, n_bins: int = 50) -> Histogram:
    """Count the similarities of a `similarity_sample` in equally wide bins (Figure 5)."""
    from scipy import stats

    counts, edges = np.histogram(sample, bins=n_bins)
    varies = bool(np.ptp(sample) > 0)
    return Histogram(
        edges,
        counts,
        sample.size,
        float(sample.mean()),
        float(sample.std(ddof=1)) if varies else None,
        float(stats.skew(sample)) if varies else None,
    )
