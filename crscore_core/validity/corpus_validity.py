"""Validity of the metric on any corpus: its scores, and its agreement with ratings if any."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import MOST_SYSTEMS, Means, busiest_systems, system_means
from crscore_core.metrics.baselines import words
from crscore_core.rendered import rendered
from crscore_core.scoring import check_tau
from crscore_core.validity.distribution import (
    Histogram,
    similarity_histogram,
    similarity_sample,
)
from crscore_core.validity.failure_traits import FailureStudy, study_failures
from crscore_core.validity.failures import Failures, JudgedScore, paper_failures
from crscore_core.validity.rankings import SystemTables, soft_pairwise, system_tables
from crscore_core.validity.thresholds import ProcedureTaus, is_swept, procedure_taus
from crscore_eval.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    PairwiseAccuracy,
    clustered_mean,
    correlate,
    pairwise_accuracy,
)

_LEVELS = (1, 2, 3, 4, 5)
_RELEVANCE = DIMENSIONS.index("relevance")


@dataclass(frozen=True, slots=True)
class LevelMean:
    """The mean score, from 0 to 1, of the reviews that people gave one level, from 1 to 5.

    A rating between two levels, such as the mean of several people's, counts for the nearer one,
    and one halfway for the higher: 2.4 for 2, and 2.5 for 3.
    """

    level: int
    reviews: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class RatedLevels:
    """The metric's mean in one of `DIMENSIONS` at each level of people's rating in the same one.

    Levels that nobody gave have no mean.
    """

    dimension: str
    levels: tuple[LevelMean, ...]


class CorpusValidity:
    """The reviews of any corpus, and the metric's agreement with people at any tau.

    Every part is computed when it is first asked for. Correlations and levels are over all
    reviews, means and ranks over those of the `MOST_SYSTEMS` systems that have most.
    """

    def __init__(self, comparison: Reviews, bootstrap: ClusterBootstrap) -> None:
        """Take the reviews, and resamples of their changes.

        Raises:
            InputError: on use, where the bootstrap is of another number of changes.
        """
        self.comparison = comparison
        self.bootstrap = bootstrap
        self._last: ValidityAtTau | None = None

    @property
    def n_resamples(self) -> int:
        """Number of resamples that the intervals rest on."""
        return len(self.bootstrap.weights)

    @cached_property
    def n_systems(self) -> int:
        """Number of systems, shown or not."""
        return len({review.system for review in self.comparison})

    @cached_property
    def rated_dimensions(self) -> tuple[str, ...]:
        """Dimensions in which people rated reviews, other than those of the ground truth."""
        return tuple(name for name in DIMENSIONS if self.comparison.is_judged_in(name).any())

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The systems that have means."""
        return tuple(busiest_systems(self.comparison, MOST_SYSTEMS))

    @cached_property
    def human_means(self) -> Means:
        """Each system's mean ratings, brought from 1..5 to 0..1; without value if unrated."""
        ratings = (self.comparison.ratings.T - 1) / 4
        return system_means(self.comparison, ratings, self.bootstrap, self.shown)

    @cached_property
    def pairwise_baselines(self) -> Mapping[str, PairwiseAccuracy]:
        """Agreement of two baselines with relevance within changes, whatever tau is.

        They are the number of words, and one score for all reviews: the share of tied ratings.
        """
        texts = [rendered(review.text).text for review in self.comparison]
        return {
            "words": self.pairwise(words(texts), "relevance"),
            "constant": self.pairwise(np.zeros(len(texts)), "relevance"),
        }

    def pairwise(self, values: NDArray[np.float64], dimension: str) -> PairwiseAccuracy:
        """Compare the reviews of each change in pairs, by values, (n reviews,), and by people.

        The ground truth is left out.
        """
        judged = self.comparison.is_judged_in(dimension)
        people = self.comparison.ratings[judged, DIMENSIONS.index(dimension)]
        change = self.comparison.change[judged]
        return pairwise_accuracy(values[judged], people, change, self.bootstrap)

    @cached_property
    def presets(self) -> ProcedureTaus:
        """tau_best and tau_gt of this encoder on these reviews (section 3.3)."""
        return procedure_taus(self.comparison, self.bootstrap)

    @cached_property
    def no_threshold(self) -> "ScoreAgreement":
        """Everything that rests on the scores without a threshold."""
        return ScoreAgreement(self, self.comparison.no_threshold())

    @cached_property
    def histogram(self) -> Histogram | None:
        """Spread of similarities (Figure 5); None where nothing was compared."""
        sample = similarity_sample(self.comparison)
        return similarity_histogram(sample) if sample.size else None

    def at(self, tau: float) -> "ValidityAtTau":
        """Everything that depends on tau. The last one is kept.

        Raises:
            InputError: `tau` is no cosine.
        """
        last = self._last  # another thread may put its own in its place
        if last is None or last.tau != check_tau(tau):
            self._last = last = ValidityAtTau(self, tau)
        return last


class ScoreAgreement:
    """Scores of the reviews, and their agreement with people.

    `scores` are Con, Comp and Rel of each review, (n dimensions, n reviews). Each part is computed
    when it is first asked for.
    """

    def __init__(self, validity: CorpusValidity, scores: NDArray[np.float64]) -> None:
        """Take a corpus, and scores of its reviews."""
        self.scores = scores
        self._validity = validity
        self._comparison, self._bootstrap = validity.comparison, validity.bootstrap

    @cached_property
    def correlations(self) -> Mapping[str, Correlation | None]:
        """Agreement with people review by review, by dimension (Tables 3 and 9).

        The ground truth is left out, as in the paper's section 5.2.
        """
        return {
            name: self._correlation(row, self._comparison.is_judged_in(name))
            for row, name in enumerate(DIMENSIONS)
        }

    @cached_property
    def pairwise(self) -> Mapping[str, PairwiseAccuracy]:
        """Agreement with people within changes: by dimension, then that of the baselines."""
        of_scores = {
            name: self._validity.pairwise(row, name)
            for name, row in zip(DIMENSIONS, self.scores, strict=True)
        }
        return {**of_scores, **self._validity.pairwise_baselines}

    @cached_property
    def by_language(self) -> Mapping[str, Correlation | None]:
        """Agreement of Rel by language (Table 11), in the order in which languages first occur."""
        judged, language = self._comparison.is_judged, self._comparison.language
        return {
            name: self._correlation(_RELEVANCE, judged & (language == name))
            for name in dict.fromkeys(change.language for change in self._comparison.changes)
        }

    @cached_property
    def metric_means(self) -> Means:
        """Each system's mean scores (Table 10, right)."""
        return system_means(self._comparison, self.scores, self._bootstrap, self._validity.shown)

    @cached_property
    def systems(self) -> SystemTables | None:
        """Ranks of systems, by people and by Rel (Tables 2 and 15); None without ratings."""
        return system_tables(self._comparison, self.scores[_RELEVANCE], self._bootstrap)

    @cached_property
    def soft_pairwise(self) -> Estimate:
        """Agreement with people on pairs of the same systems, as sure as they are of each."""
        return soft_pairwise(self._comparison, self.scores[_RELEVANCE], self._bootstrap)

    @cached_property
    def levels(self) -> tuple[RatedLevels, ...]:
        """Mean Con, Comp and Rel at each level of people's ratings of the same (Figure 8).

        The ground truth is left out.
        """
        found = []
        for row, dimension in enumerate(DIMENSIONS):
            judged = self._comparison.is_judged_in(dimension)
            nearest = np.floor(self._comparison.ratings[:, row] + 0.5)
            levels = []
            for level in _LEVELS:
                chosen = judged & (nearest == level)
                mean = self._mean(self.scores[row], chosen)
                levels.append(LevelMean(level, int(chosen.sum()), mean))
            found.append(RatedLevels(dimension, tuple(levels)))
        return tuple(found)

    def _correlation(self, row: int, chosen: NDArray[np.bool_]) -> Correlation | None:
        people, change = self._comparison.ratings[chosen, row], self._comparison.change[chosen]
        return correlate(self.scores[row, chosen], people, change, self._bootstrap)

    def _mean(self, values: NDArray[Any], chosen: NDArray[np.bool_]) -> Estimate:
        return clustered_mean(values[chosen], self._comparison.change[chosen], self._bootstrap)


class ValidityAtTau(ScoreAgreement):
    """Everything that depends on tau."""

    def __init__(self, validity: CorpusValidity, tau: float) -> None:
        """Take a corpus, and one threshold."""
        super().__init__(validity, validity.comparison.scores([tau])[:, 0])
        self.tau = tau

    @cached_property
    def figures(self) -> Mapping[str, Estimate]:
        """The figures of a sweep at this tau, with intervals.

        Names are those of the columns of `ThresholdSweep`, without Kendall's correlations, and
        without correlations of dimensions that nobody rated.
        """
        figures = {
            f"spearman_{name}": found.spearman
            for name, found in self.correlations.items()
            if found is not None
        }
        if self.systems is not None:
            figures["system_spearman"] = self.systems.correlation.spearman
        swept = is_swept(self._comparison)
        relevance = self.scores[_RELEVANCE]
        for name, values in (
            ("share_zero", relevance == 0),
            ("share_one", relevance == 1),
            *zip(DIMENSIONS, self.scores, strict=True),
        ):
            figures[name] = self._mean(values, swept)
        return figures

    @cached_property
    def failures(self) -> Failures:
        """Reviews that Rel gets most wrong by the paper's rule (section 5.4)."""
        people = self._comparison.ratings[:, _RELEVANCE]
        compared = JudgedScore("people's relevance", self.scores[_RELEVANCE], people)
        return paper_failures(self._comparison, compared)

    @cached_property
    def failure_study(self) -> FailureStudy:
        """Traits of these reviews (appendix E.1)."""
        return study_failures(self._comparison, self.failures, self._bootstrap)
