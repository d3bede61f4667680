"""What the scores of reviews at any tau, and what people say of them, are known by."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.scoring.metric import Maxima

__all__ = ["RatedMaxima"]

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class RatedMaxima:
    """Of n reviews: their best similarities, who wrote them, and what people gave them.

    `system`, (n,), says which of `systems` wrote each review. `ratings` are from 1 to 5,
    (n, n dimensions), in order of `DIMENSIONS`; NaN where nobody rated.
    """

    maxima: Maxima
    systems: tuple[str, ...]
    system: NDArray[np.intp]
    ratings: Array

    @property
    def is_of_a_system(self) -> Chosen:
        """Which reviews are not the ground truth's, (n,)."""
        is_a_system = np.array([name != GROUND_TRUTH for name in self.systems], dtype=np.bool_)
        return is_a_system[self.system]

    @property
    def empty(self) -> int:
        """How many reviews say nothing: they count 0 (see `scores`)."""
        return int((self.maxima.n_sentences == 0).sum())

    def is_judged_in(self, dimension: str) -> Chosen:
        """Which reviews people rated in a dimension, without the ground truth (section 5.2)."""
        is_rated: Chosen = ~np.isnan(self.ratings[:, DIMENSIONS.index(dimension)])
        return is_rated & self.is_of_a_system

    def scores(self, taus: Sequence[float] | Array) -> Array:
        """Con, Comp and Rel of each review: (n dimensions, n taus, n), from 0 to 1.

        An empty review covers nothing and says nothing: 0, as in the paper's tables.

        Raises:
            SimilarityError: a tau is not a finite number.
        """
        found = self.maxima.at(taus)
        scores = np.stack([found.conciseness, found.comprehensiveness, found.relevance])
        return np.nan_to_num(scores, copy=False, nan=0.0)
