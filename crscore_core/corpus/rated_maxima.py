"""Best similarities and human ratings of reviews: enough to score them at any tau."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.scoring.metric import Maxima

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]


def count_unscored(scores: Array) -> Array:
    """Count 0 for a review that cannot be scored (NaN), as the paper's tables do.

    An empty review covers nothing and says nothing. Elsewhere it has no score.
    """
    return np.nan_to_num(scores, nan=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class RatedMaxima:
    """Best similarities, systems and human ratings of n reviews.

    `system`, (n,), says which of `systems` wrote each review. `ratings` are from 1 to 5,
    (n, n dimensions), in order of `DIMENSIONS`; NaN where nobody rated.
    """

    maxima: Maxima
    systems: tuple[str, ...]
    system: NDArray[np.intp]
    ratings: Array

    @property
    def is_of_a_system(self) -> Chosen:
        """Mark the reviews that are not the ground truth's, (n,)."""
        is_a_system = np.array([name != GROUND_TRUTH for name in self.systems], dtype=np.bool_)
        return is_a_system[self.system]

    @property
    def empty(self) -> int:
        """Number of reviews without sentences; they count 0 (see `count_unscored`)."""
        return int(self.is_empty.sum())

    @property
    def is_empty(self) -> Chosen:
        """Mark the reviews without sentences, (n,)."""
        is_empty: Chosen = self.maxima.n_sentences == 0
        return is_empty

    def is_judged_in(self, dimension: str) -> Chosen:
        """Mark the reviews rated in a dimension, without the ground truth (section 5.2)."""
        is_rated: Chosen = ~np.isnan(self.ratings[:, DIMENSIONS.index(dimension)])
        return is_rated & self.is_of_a_system

    def scores(self, taus: Sequence[float] | Array) -> Array:
        """Con, Comp and Rel of each review: (n dimensions, n taus, n), from 0 to 1.

        A review without sentences counts 0; see `count_unscored`.

        Raises:
            SimilarityError: a tau is not a finite number.
        """
        swept = self.maxima.at(taus)
        return count_unscored(
            np.stack([swept.conciseness, swept.comprehensiveness, swept.relevance])
        )

    def no_threshold(self) -> Array:
        """Scores of each review without a threshold: (n dimensions, n), counted as in `scores`."""
        return count_unscored(self.maxima.no_threshold())
