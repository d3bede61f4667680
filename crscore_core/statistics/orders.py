"""Which system stands above which, in many resamples at once."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["centred_ranks", "comparisons"]

Array = NDArray[np.float64]


def comparisons(means: Array) -> Array:
    """1 where one system's mean is above another's, -1 below, 0 where they are equal.

    `means` is (n resamples, n systems), the result (n resamples, n systems, n systems), NaN where
    either mean is.
    """
    signs: Array = np.sign(means[:, :, np.newaxis] - means[:, np.newaxis, :])
    return signs


def centred_ranks(compared: Array) -> Array:
    """Mid-ranks less their mean, the highest mean last, from `comparisons`: (n resamples, n)."""
    ranks: Array = compared.sum(axis=2) / 2
    return ranks
