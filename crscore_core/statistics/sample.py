"""What every statistic here asks of the numbers it is given, and the error where they differ."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError

__all__ = ["cluster_numbers", "finite", "paired", "weights_of"]


def finite(name: str, values: ArrayLike, ndim: int = 1) -> NDArray[np.float64]:
    """The values as float64, none missing.

    Raises:
        StatisticsError: they are not numbers, not finite, none at all, or have other dimensions.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"{name} must be numbers: {error}") from error
    if array.ndim != ndim or array.size == 0:
        raise StatisticsError(
            f"{name} must be a non-empty array of {ndim} dimension(s), not of shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise StatisticsError(f"{name} holds a value that is not a finite number")
    return array


def paired(
    first: tuple[str, ArrayLike], second: tuple[str, ArrayLike]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two lists of numbers about the same things, each given as (its name, its values).

    Raises:
        StatisticsError: as for `finite`, or their lengths differ.
    """
    one, other = finite(*first), finite(*second)
    if one.size != other.size:
        raise StatisticsError(
            f"{first[0]} and {second[0]} must be about the same things, "
            f"but they are {one.size} and {other.size}"
        )
    return one, other


def cluster_numbers(cluster: ArrayLike, n: int) -> NDArray[np.intp]:
    """The cluster of each of `n` things, as whole numbers from 0.

    Raises:
        StatisticsError: not `n` whole numbers from 0.
    """
    numbers = np.asarray(cluster)
    if numbers.shape != (n,) or not np.issubdtype(numbers.dtype, np.integer) or numbers.min() < 0:
        raise StatisticsError(f"cluster must be {n} whole numbers from 0, one a value")
    return numbers.astype(np.intp)


def weights_of(weights: ArrayLike, n_clusters: int) -> NDArray[np.float64]:
    """Weights of resamples, a row each: float64, (n resamples, clusters).

    Raises:
        StatisticsError: not a matrix with at least `n_clusters` columns of numbers from 0.
    """
    matrix = finite("weights", weights, ndim=2)
    if matrix.shape[1] < n_clusters or matrix.min() < 0:
        raise StatisticsError(
            f"weights must be numbers from 0 in {n_clusters} or more columns, a cluster each; "
            f"their shape is {matrix.shape}"
        )
    return matrix
