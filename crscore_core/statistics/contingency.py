"""What both rank correlations need of a table of counts: levels down, samples across."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["correlation", "level_ranks", "levels_vary", "untied_pairs"]

Array = NDArray[np.float64]


def level_ranks(counts: Array) -> Array:
    """Mid-ranks of levels less their mean: (levels, resamples), from how many there are of each."""
    up_to: Array = np.cumsum(counts, axis=0)
    ranks: Array = up_to - counts / 2 - up_to[-1] / 2
    return ranks


def untied_pairs(counts: Array) -> Array:
    """Pairs that differ in level, in each resample."""
    total = counts.sum(axis=0)
    pairs: Array = (total * total - np.einsum("kr,kr->r", counts, counts)) / 2
    return pairs


def levels_vary(counts: Array) -> NDArray[np.bool_]:
    """In which resamples there is more than one level."""
    levels: NDArray[np.intp] = np.count_nonzero(counts > 0, axis=0)
    return levels > 1


def correlation(top: Array, one: Array, other: Array, defined: NDArray[np.bool_]) -> Array:
    """`top` over the geometric mean of the others, NaN where it is not defined, within [-1, 1]."""
    ratio = np.full(top.shape, np.nan)
    scale = np.sqrt(np.maximum(one, 0) * np.maximum(other, 0))
    np.divide(top, scale, out=ratio, where=defined & (scale > 0))
    clipped: Array = np.clip(ratio, -1.0, 1.0)
    return clipped
