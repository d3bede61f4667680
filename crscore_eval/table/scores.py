"""Scores of all reviews at any tau, computed from the columns of best similarities."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray
from pyarrow import compute

from crscore_core.errors import InputError
from crscore_core.scoring.metric import scores_from_sums
from crscore_eval.statistics.bootstrap import Array
from crscore_eval.table.schema import DIMENSIONS

_MAXIMA = ("sentence_maxima", "reference_maxima")


def scores_at(reviews: pd.DataFrame, tau: float, *, count_empty: bool = False) -> pd.DataFrame:
    """Score all reviews at a threshold (paper, equations 1 to 3).

    The result has a column for each of `DIMENSIONS` and the index of `reviews`; see
    `scores_at_taus` for reviews without scores and for `count_empty`.

    Raises:
        InputError: `tau` is not a finite number.
    """
    scores = scores_at_taus(reviews, [tau], count_empty=count_empty)[:, 0]
    return pd.DataFrame(scores.T, index=reviews.index, columns=list(DIMENSIONS))


def scores_at_taus(
    reviews: pd.DataFrame, taus: Sequence[float] | Array, *, count_empty: bool = False
) -> Array:
    """Score all reviews at each of many thresholds.

    The result is (3, n_taus, n_reviews), from 0 to 1, with the dimensions in the order of
    `DIMENSIONS`. Empty reviews and reviews of changes without pseudo-references have NaN. With
    `count_empty`, an empty review of a scorable change scores 0, as in the paper's tables; use it
    to compare systems.

    Raises:
        InputError: a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    if thresholds.ndim != 1 or not np.isfinite(thresholds).all():
        raise InputError("tau must be a finite number")
    maxima = [flat_lists(reviews[column]) for column in _MAXIMA]
    scores = np.empty((len(DIMENSIONS), thresholds.size, len(reviews)))
    for number, tau in enumerate(thresholds):
        matches = [(values > tau, lengths) for values, lengths in maxima]
        scores[:, number] = _scores_from_maxima(reviews, matches, count_empty=count_empty)
    return scores


def scores_without_threshold(reviews: pd.DataFrame, *, count_empty: bool = False) -> pd.DataFrame:
    """Score all reviews without a threshold; the result has the columns of `scores_at`.

    Conciseness is the mean best similarity of the sentences, comprehensiveness the mean best
    similarity of the pseudo-references, relevance their harmonic mean. Means below 0 count as 0.
    """
    maxima = [flat_lists(reviews[column]) for column in _MAXIMA]
    scores = _scores_from_maxima(reviews, maxima, count_empty=count_empty)
    return pd.DataFrame(scores.T, index=reviews.index, columns=list(DIMENSIONS))


def _scores_from_maxima(
    reviews: pd.DataFrame,
    maxima: Sequence[tuple[ArrayLike, NDArray[np.intp]]],
    *,
    count_empty: bool,
) -> Array:
    """Return the scores, (3, n_reviews), from the maxima of each matrix or their matches."""
    sums_and_counts: list[ArrayLike] = []
    for values, lengths in maxima:
        review_number = np.repeat(np.arange(lengths.size), lengths)
        sums_and_counts += [np.bincount(review_number, values, lengths.size), lengths]
    scores = scores_from_sums(*sums_and_counts)
    if count_empty:
        is_empty = (reviews["n_sentences"] == 0) & (reviews["n_pseudo_references"] > 0)
        scores[:, is_empty.to_numpy()] = 0.0
    return scores


def similarity_matrix(review: "pd.Series[Any]") -> NDArray[np.float32]:
    """Return the matrix of a row of the table, (n_pseudo_references, n_sentences)."""
    shape = int(review["n_pseudo_references"]), int(review["n_sentences"])
    return np.asarray(review["similarity"], dtype=np.float32).reshape(shape)


def flat_lists(column: "pd.Series[Any]") -> tuple[Array, NDArray[np.intp]]:
    """Return the concatenated numbers of a column of lists, and the length of each list."""
    is_arrow = isinstance(column.dtype, pd.ArrowDtype)
    lists = pa.array(column if is_arrow else column.to_list(), type=pa.list_(pa.float32()))
    lengths = compute.fill_null(compute.list_value_length(lists), 0)
    values = compute.list_flatten(lists)
    return (
        values.to_numpy(zero_copy_only=False).astype(np.float64),
        lengths.to_numpy(zero_copy_only=False).astype(np.intp),
    )
