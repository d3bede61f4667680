"""Scores at any tau, of all reviews at once: functions of the columns of best similarities."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.bootstrap import Array, ratio
from crscore_eval.table.schema import DIMENSIONS

if TYPE_CHECKING:
    import pandas as pd


def scores_at(reviews: "pd.DataFrame", tau: float, *, count_empty: bool = False) -> "pd.DataFrame":
    """Score all reviews at a threshold (paper, equations 1 to 3).

    The result has a column for each of `DIMENSIONS` and the index of `reviews`. A review without
    scores has NaN; see `scores_at_each` for `count_empty`.

    Raises:
        InputError: `tau` is not a finite number.
    """
    return _frame(reviews, scores_at_each(reviews, [tau], count_empty=count_empty)[:, 0])


def scores_at_each(
    reviews: "pd.DataFrame", taus: Sequence[float] | Array, *, count_empty: bool = False
) -> Array:
    """Score all reviews at each of many thresholds: (3, n_taus, n_reviews), from 0 to 1.

    The first axis is that of `DIMENSIONS`. Reviews of changes without pseudo-references and empty
    reviews have NaN. With `count_empty`, an empty review of a scorable change scores 0, as the
    paper's tables count it: use this wherever systems are compared.

    Raises:
        InputError: a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    if thresholds.ndim != 1 or not np.isfinite(thresholds).all():
        raise InputError("tau must be a finite number")
    con, comp = (_shares_above(*maxima, thresholds) for maxima in _maxima(reviews))
    return _counted(reviews, np.stack([con, comp, harmonic_mean(con, comp)]), count_empty)


def no_threshold(reviews: "pd.DataFrame", *, count_empty: bool = False) -> "pd.DataFrame":
    """Score all reviews without a threshold; columns are those of `scores_at`.

    Conciseness is the mean best similarity of the sentences, comprehensiveness that of the
    pseudo-references, relevance their harmonic mean. A mean below 0 counts as 0.
    """
    con, comp = (np.clip(_means(values, lengths), 0, 1) for values, lengths in _maxima(reviews))
    scores = np.stack([con, comp, harmonic_mean(con, comp)])
    return _frame(reviews, _counted(reviews, scores, count_empty))


def harmonic_mean(conciseness: Array, comprehensiveness: Array) -> Array:
    """Return relevance (equation 3) number by number: 0 if both are 0, NaN if one is NaN."""
    total = conciseness + comprehensiveness
    product = 2 * conciseness * comprehensiveness
    return np.divide(product, total, out=np.zeros_like(total), where=total != 0)


def similarity_matrix(review: "pd.Series[Any]") -> NDArray[np.float32]:
    """Return the matrix of one review, a row of the table: (n_pseudo_references, n_sentences)."""
    shape = int(review["n_pseudo_references"]), int(review["n_sentences"])
    return np.asarray(review["similarity"], dtype=np.float32).reshape(shape)


def flat_lists(column: "pd.Series[Any]") -> tuple[Array, NDArray[np.intp]]:
    """Return the numbers of a column of lists one after the other, and the length of each list."""
    import pandas as pd
    import pyarrow as pa
    from pyarrow import compute

    is_arrow = isinstance(column.dtype, pd.ArrowDtype)
    lists = pa.array(column if is_arrow else column.to_list(), type=pa.list_(pa.float32()))
    lengths = compute.fill_null(compute.list_value_length(lists), 0)
    values = compute.list_flatten(lists)
    return (
        values.to_numpy(zero_copy_only=False).astype(np.float64),
        lengths.to_numpy(zero_copy_only=False).astype(np.intp),
    )


def _maxima(reviews: "pd.DataFrame") -> list[tuple[Array, NDArray[np.intp]]]:
    return [flat_lists(reviews[name]) for name in ("sentence_maxima", "reference_maxima")]


def _shares_above(values: Array, lengths: NDArray[np.intp], taus: Array) -> Array:
    """Return the share of each list's values strictly above each tau: (n_taus, n_lists)."""
    owner = np.repeat(np.arange(lengths.size), lengths)
    counts = np.zeros((taus.size, lengths.size))
    for row, tau in zip(counts, taus, strict=True):
        row[:] = np.bincount(owner[values > tau], minlength=lengths.size)
    return ratio(counts, np.broadcast_to(lengths, counts.shape))


def _means(values: Array, lengths: NDArray[np.intp]) -> Array:
    """Return the mean of each list, NaN for an empty one: (n,)."""
    owner = np.repeat(np.arange(lengths.size), lengths)
    return ratio(np.bincount(owner, values, minlength=lengths.size), lengths)


def _counted(reviews: "pd.DataFrame", scores: Array, count_empty: bool) -> Array:  # noqa: FBT001
    """Set the scores of empty reviews of scorable changes, on the last axis, to 0 if asked to."""
    if count_empty:
        is_empty = (reviews["n_sentences"] == 0) & (reviews["n_pseudo_references"] > 0)
        scores[..., is_empty.to_numpy()] = 0.0
    return scores


def _frame(reviews: "pd.DataFrame", scores: Array) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(scores.T, index=reviews.index, columns=list(DIMENSIONS))
