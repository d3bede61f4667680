"""Resamples that a test chooses."""

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics import ClusterBootstrap


class Drawn(ClusterBootstrap):
    """Resamples given by a test."""

    def __init__(self, weights: ArrayLike) -> None:
        self.weights = np.array(weights, dtype=np.int16)
