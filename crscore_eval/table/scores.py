"""Scores of all reviews at any tau, computed from the columns of best similarities."""

from math import isfinite
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


def scores_at(
    reviews: pd.DataFrame, tau: float | None, *, count_empty: bool = False
) -> pd.DataFrame:
    """Score all reviews at a threshold (paper, equations 1 to 3), or without one if it is None.

    The result has a column for each of `DIMENSIONS`, from 0 to 1, and the index of `reviews`. Empty
    reviews and reviews of changes without pseudo-references have NaN. With `count_empty`, an empty
    review of a scorable change scores 0, as in the paper's tables; use it to compare systems.

    Without a threshold, conciseness is the mean best similarity of the sentences, comprehensiveness
    that of the pseudo-references, relevance their harmonic mean. Means below 0 count as 0.

    Raises:
        InputError: `tau` is not a finite number.
    """
    if tau is not None and not isfinite(tau):
        raise InputError("tau must be a finite number")
    sums_and_counts: list[ArrayLike] = []
    for column in ("sentence_maxima", "reference_maxima"):
        maxima, lengths = flat_lists(reviews[column])
        values = maxima if tau is None else maxima > tau
        review_number = np.repeat(np.arange(lengths.size), lengths)
        sums_and_counts += [np.bincount(review_number, values, lengths.size), lengths]
    scores = pd.DataFrame(scores_from_sums(*sums_and_counts).T, reviews.index, [*DIMENSIONS])
    if count_empty:
        scores[(reviews["n_sentences"] == 0) & (reviews["n_pseudo_references"] > 0)] = 0.0
    return scores


def all_scores(reviews: pd.DataFrame, tau: float) -> pd.DataFrame:
    """Return the columns of `SCORES`: `scores_at` at a threshold, and relevance without one."""
    return scores_at(reviews, tau).assign(no_threshold=scores_at(reviews, None)["relevance"])


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
