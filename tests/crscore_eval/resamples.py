"""Resamples that a test chooses."""

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics import MIN_CHANGES, ClusterBootstrap


class Drawn(ClusterBootstrap):
    """Resamples given by a test, of enough changes for intervals; further changes are not drawn."""

    def __init__(self, weights: ArrayLike) -> None:
        self.weights = np.pad(np.array(weights, dtype=np.int16), ((0, 0), (0, MIN_CHANGES)))
