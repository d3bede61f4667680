"""Treat the reviews of one change as a cluster: number the changes, and resample them."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.statistics.bootstrap import Weights, resample


def clusters(table: pd.DataFrame) -> NDArray[np.intp]:
    """Return the number of each row's change, (n,), from 0 in the order of the keys."""
    return np.asarray(pd.factorize(table["change"], sort=True)[0], dtype=np.intp)


def bootstrap_changes(table: pd.DataFrame) -> Weights:
    """Draw 1,000 resamples for up to 2,000 reviews, and fewer for more, but at least 100."""
    n_resamples = 2_000_000 // max(1, len(table))
    return resample(max(1, table["change"].nunique()), max(100, min(1_000, n_resamples)))
