"""All that the reviews of any corpus say of the metric; where people rated them, of its worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means, busiest_systems, of_systems, system_means
from crscore_core.scoring import check_tau
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.correlations import (
    Correlation,
    correlations,
    correlations_by_language,
)
from crscore_core.validity.distribution import (
    Histogram,
    NormalPlot,
    normal_plot,
    similarity_histogram,
    similarity_sample,
)
from crscore_core.validity.monotonicity import RatedLevels, rated_levels
from crscore_core.validity.systems import SystemTables, system_tables

__all__ = ["MOST_SYSTEMS", "CorpusValidity", "CorpusValidityAtTau"]

MOST_SYSTEMS = 40
"""How many systems are told apart, those with most reviews: time grows with their square."""

_RELEVANCE = DIMENSIONS.index("relevance")


@dataclass(frozen=True, slots=True)
class CorpusValidityAtTau:
    """What depends on tau; `systems` is None where people rated the relevance of none."""

    tau: float
    correlations: Mapping[str, Correlation | None]
    by_language: Mapping[str, Correlation | None]
    metric_means: Means
    systems: SystemTables | None
    levels: tuple[RatedLevels, ...]


class CorpusValidity:
    """A corpus that need not be the study, and the metric's agreement with people at any tau.

    Every part is computed when it is first asked for. Correlations and levels are over all
    reviews, means and ranks over those of the `MOST_SYSTEMS` systems that have most.
    """

    def __init__(self, comparison: CorpusComparison, bootstrap: ClusterBootstrap) -> None:
        """Take the reviews, and resamples of their changes.

        Raises:
            StatisticsError: on use, where the bootstrap is of another number of changes.
        """
        self.comparison = comparison
        self.bootstrap = bootstrap
        self._last: CorpusValidityAtTau | None = None

    @property
    def n_resamples(self) -> int:
        """How many resamples the intervals rest on."""
        return len(self.bootstrap.weights)

    @cached_property
    def n_systems(self) -> int:
        """How many systems there are, shown or not."""
        return len({review.system for review in self.comparison.reviews})

    @cached_property
    def rated_dimensions(self) -> tuple[str, ...]:
        """In which of `DIMENSIONS` people rated reviews, those of the ground truth apart."""
        return tuple(name for name in DIMENSIONS if self.comparison.is_judged_in(name).any())

    @cached_property
    def shown(self) -> CorpusComparison:
        """The reviews of the systems that are told apart."""
        return of_systems(self.comparison, busiest_systems(self.comparison, MOST_SYSTEMS))

    @cached_property
    def human_means(self) -> Means:
        """Each system's mean ratings, brought from 1..5 to 0..1; without value if unrated."""
        return system_means(self.shown, (self.shown.ratings.T - 1) / 4, self.bootstrap)

    @cached_property
    def sample(self) -> NDArray[np.float64] | None:
        """Similarities, as `similarity_sample` draws them; None where nothing was compared."""
        if not any(review.similarity.size for review in self.comparison.reviews):
            return None
        return similarity_sample(self.comparison)

    @cached_property
    def histogram(self) -> Histogram | None:
        """How similarities are spread."""
        return None if self.sample is None else similarity_histogram(self.sample)

    @cached_property
    def normal_plot(self) -> NormalPlot | None:
        """How near to a normal distribution they are."""
        return None if self.sample is None else normal_plot(self.sample)

    def at(self, tau: float) -> CorpusValidityAtTau:
        """Everything that depends on tau. What was computed last is kept.

        Raises:
            ThresholdError: `tau` is no cosine.
        """
        last = self._last  # another thread may put its own in its place
        if last is None or last.tau != check_tau(tau):
            self._last = last = self._at(tau)
        return last

    def _at(self, tau: float) -> CorpusValidityAtTau:
        scores: NDArray[np.float64] = self.comparison.scores([tau])[:, 0]
        of_shown: NDArray[np.float64] = self.shown.scores([tau])[:, 0]
        return CorpusValidityAtTau(
            tau,
            correlations(self.comparison, scores, self.bootstrap),
            correlations_by_language(self.comparison, scores, self.bootstrap),
            system_means(self.shown, of_shown, self.bootstrap),
            system_tables(self.shown, of_shown[_RELEVANCE], self.bootstrap)
            if self.shown.is_judged.any()
            else None,
            rated_levels(self.comparison, tau, self.bootstrap),
        )
