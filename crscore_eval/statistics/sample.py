"""Validate the input of statistics, and divide where there is something to divide by."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError


def finite(name: str, values: ArrayLike, ndim: int = 1) -> NDArray[np.float64]:
    """Return the values as float64.

    Raises:
        InputError: a value is not a finite number, there are none, or the dimensions differ.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers: {error}") from error
    if array.ndim != ndim or array.size == 0:
        raise InputError(
            f"{name} must be a non-empty array with ndim {ndim}, not of shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise InputError(f"{name} contains a value that is not a finite number")
    return array


def paired(metric: ArrayLike, people: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a metric's scores and human ratings of the same reviews as float64.

    Raises:
        InputError: as for `finite`, or their lengths differ.
    """
    scores, ratings = finite("metric", metric), finite("people", people)
    if scores.size != ratings.size:
        raise InputError(
            f"metric and people must be about the same reviews, but they are {scores.size} and "
            f"{ratings.size}"
        )
    return scores, ratings


def cluster_numbers(cluster: ArrayLike, n: int) -> NDArray[np.intp]:
    """Return the cluster of each of `n` values.

    Raises:
        InputError: `cluster` is not `n` integers from 0.
    """
    numbers = np.asarray(cluster)
    if numbers.shape != (n,) or not np.issubdtype(numbers.dtype, np.integer) or numbers.min() < 0:
        raise InputError(f"cluster must be {n} integers from 0, one per value")
    return numbers.astype(np.intp)


def ratio(part: ArrayLike, whole: NDArray[Any]) -> NDArray[np.float64]:
    """Return `part` over `whole`, of the shape of `whole`; NaN where `whole` is not above 0."""
    ratios = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=ratios, where=whole > 0)
    return ratios


def weights_of(weights: ArrayLike, n_clusters: int) -> NDArray[np.float64]:
    """Return how often each of `n_clusters` clusters was drawn: (n resamples, n clusters).

    A row of ones stands for the observed sample. Extra columns are dropped.

    Raises:
        InputError: not a matrix of numbers from 0, or it has fewer than `n_clusters` columns.
    """
    matrix = finite("weights", weights, ndim=2)
    if matrix.shape[1] < n_clusters or matrix.min() < 0:
        raise InputError(
            f"weights must be numbers from 0 with a column for each of {n_clusters} clusters; "
            f"their shape is {matrix.shape}"
        )
    return matrix[:, :n_clusters]
