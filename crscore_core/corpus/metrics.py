"""Metrics that give each review a number, next to conciseness, comprehensiveness and relevance.

Tables, rankings and exports take every metric from `METRICS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number for each review that needs no tau.

    `title` is the name that people read. `compute` gives (n reviews,) float64 from 0 to 1, NaN for
    a review without a value.
    """

    title: str
    compute: Callable[[CorpusComparison], Array]


def _no_threshold(comparison: CorpusComparison) -> Array:
    maxima = comparison.rated_maxima.maxima
    relevance: Array = maxima.no_threshold()[DIMENSIONS.index("relevance")]
    return relevance


METRICS: Mapping[str, Metric] = {
    "no_threshold": Metric("similarity without a threshold", _no_threshold),
}
"""The metrics by the name of their column, in the order in which people are shown them."""
