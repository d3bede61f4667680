"""Treat the reviews of one change as a cluster: number the changes, and resample them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.statistics.bootstrap import Weights, resample, resample_for_size


def clusters(table: pd.DataFrame) -> NDArray[np.intp]:
    """Return the number of each row's change, (n,), from 0 in order of first occurrence."""
    return np.asarray(pd.factorize(table["change"])[0], dtype=np.intp)


def bootstrap_changes(table: pd.DataFrame, n_resamples: int | None = None) -> Weights:
    """Resample the changes of a table, by default as `resample_for_size` does."""
    n_changes = table["change"].nunique()
    if n_resamples is None:
        return resample_for_size(n_changes, len(table))
    return resample(max(1, n_changes), n_resamples)
