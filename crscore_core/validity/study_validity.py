"""All that the study says of the metric, with one set of pseudo-references and one encoder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import calibrated_relevance
from crscore_core.datasets.study.comparison import compare_study
from crscore_core.datasets.study.model import HumanStudy, StudyContents, study_contents
from crscore_core.datasets.study.pseudo_references import StudyReferences
from crscore_core.predicted.model import CalibratedModel
from crscore_core.predicted.model_file import calibrated_model
from crscore_core.scoring import Encoder, check_tau, resolve_tau
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.addressed import (
    AddressedPairs,
    MatchingCurve,
    MatchingRow,
    addressed_pairs,
    matching_curve,
    matching_table,
)
from crscore_core.validity.agreement import RaterAgreement, rater_agreement
from crscore_core.validity.claim_quality import (
    ClaimQuality,
    claim_quality,
    claim_quality_by_language,
)
from crscore_core.validity.correlations import (
    Correlation,
    correlate,
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
from crscore_core.validity.failure_traits import FailureStudy, study_failures
from crscore_core.validity.failures import FailureRule, Failures, find_failures
from crscore_core.validity.monotonicity import RatedLevels, rated_levels
from crscore_core.validity.specificity import Specificity, specificity
from crscore_core.validity.systems import (
    Means,
    SystemTables,
    human_means,
    metric_means,
    system_tables,
)
from crscore_core.validity.thresholds import AtTau, StudyPresets, study_presets, sweep_study

__all__ = ["StudyValidity", "ValidityAtTau"]

_RELEVANCE = DIMENSIONS.index("relevance")
_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The taus at which sensitivity is tabulated, beside the presets and the one in use."""

_SAME_TAU = 0.0005  # the presets of the product are rounded to three decimals


@dataclass(frozen=True, slots=True)
class ValidityAtTau:
    """What depends on tau; each field's function says which table it is."""

    tau: float
    correlations: Mapping[str, Correlation | None]
    by_language: Mapping[str, Correlation | None]
    metric_means: Means
    systems: SystemTables
    levels: tuple[RatedLevels, ...]
    failures: Failures
    failure_study: FailureStudy


class StudyValidity:
    """The human side of a study, and a metric's agreement with it at any tau.

    Every part is computed when it is first asked for. Intervals are 95 % percentile intervals of
    `n_resamples` resamples of changes (see `crscore_core.statistics.bootstrap`).
    """

    def __init__(
        self,
        study: HumanStudy,
        references: StudyReferences,
        encoder: Encoder,
        n_resamples: int = 1000,
    ) -> None:
        """Take what a study's reviews are compared with, and by which encoder.

        Raises:
            StudyError: no rated change has pseudo-references.
            StatisticsError: too few resamples.
        """
        self.study = study
        self.warnings = (
            *(f"{line}; left out" for line in study.oddities),
            *references.warnings,
        )
        self.comparison: CorpusComparison = compare_study(references, encoder)
        self.n_resamples = n_resamples
        self._encoder = encoder
        self._matching: dict[float, MatchingRow] = {}
        self.bootstrap = ClusterBootstrap(len(self.comparison.changes), n_resamples)

    @cached_property
    def contents(self) -> StudyContents:
        """What the study holds."""
        return study_contents(self.study)

    @cached_property
    def claim_quality(self) -> Mapping[str, ClaimQuality]:
        """Table 1, by language."""
        return claim_quality_by_language(self.study, self.n_resamples)

    @cached_property
    def claim_quality_of_all(self) -> ClaimQuality:
        """Section 5.1: over all languages together."""
        return claim_quality(self.study, self.n_resamples)

    @cached_property
    def rater_agreement(self) -> RaterAgreement | None:
        """Section 4.2."""
        return rater_agreement(self.study.double_ratings, self.n_resamples)

    @cached_property
    def human_means(self) -> Means:
        """Table 10, left."""
        return human_means(self.study.changes, self.n_resamples)

    @cached_property
    def presets(self) -> StudyPresets:
        """Section 3.3: tau_best and tau_gt of this encoder on this study."""
        return study_presets(self.comparison, self.bootstrap)

    @property
    def calibrated_model(self) -> CalibratedModel | None:
        """The shipped model for this encoder, and what it was fitted to."""
        return calibrated_model(self.comparison.encoder)

    @cached_property
    def calibrated(self) -> Correlation | None:
        """How far the shipped calibrated relevance agrees with people; None without a model.

        On reviews that the model was fitted to, this flatters it; `calibrated_model` knows how
        it did on reviews that it had not seen. A review without sentences counts as 0.
        """
        relevance = calibrated_relevance(self.comparison)
        if relevance is None:
            return None
        judged = self.comparison.is_judged
        return correlate(
            relevance[judged],
            self.comparison.ratings[judged, _RELEVANCE],
            self.comparison.change[judged],
            self.bootstrap,
        )

    @cached_property
    def pairs(self) -> AddressedPairs | None:
        """Section 4.3: what people say a review addresses, and the encoder's similarities.

        None where they noted nothing.
        """
        return addressed_pairs(self.study, self._encoder)

    @cached_property
    def matching_curve(self) -> MatchingCurve | None:
        """The encoder's precision-recall curve on `pairs`, if there are any."""
        if self.pairs is None:
            return None
        return matching_curve(self.pairs, ClusterBootstrap(self.pairs.n_changes, self.n_resamples))

    def matching(self, taus: Sequence[float]) -> tuple[MatchingRow, ...]:
        """Table 4: precision, recall and F1 of the encoder at each tau, if there are `pairs`.

        What was computed before is kept, so that one more tau costs no more than itself.
        """
        if self.pairs is None:
            return ()
        if new := [tau for tau in taus if tau not in self._matching]:
            bootstrap = ClusterBootstrap(self.pairs.n_changes, self.n_resamples)
            self._matching |= zip(new, matching_table(self.pairs, new, bootstrap), strict=True)
        return tuple(self._matching[tau] for tau in taus)

    @cached_property
    def specificity(self) -> Specificity | None:
        """Whether a change's pseudo-references fit its good reviews better than another's."""
        return specificity(self.comparison, self._encoder, self.bootstrap)

    @cached_property
    def histogram(self) -> Histogram:
        """Figure 5."""
        return similarity_histogram(similarity_sample(self.comparison))

    @cached_property
    def normal_plot(self) -> NormalPlot | None:
        """Figure 6."""
        return normal_plot(similarity_sample(self.comparison))

    def taus(self, tau: float) -> tuple[float, ...]:
        """A grid of thresholds, the two presets and, if it is neither of them, `tau`, rising."""
        presets = [
            one.value
            for one in (self.presets.tau_best, self.presets.tau_gt)
            if one.value is not None
        ]
        others = () if self.role(tau) else (tau,)
        return tuple(sorted({*_GRID, *presets, *others}))

    def role(self, tau: float) -> str | None:
        """Which of `tau_gt` and `tau_best` a threshold is, to three decimals; None: neither."""
        for name in ("tau_gt", "tau_best"):
            value = getattr(self.presets, name).value
            if value is not None and abs(value - tau) < _SAME_TAU:
                return name
        return None

    def thresholds(self, taus: Sequence[float]) -> tuple[AtTau, ...]:
        """Table 18: what hangs on tau."""
        return sweep_study(self.comparison, taus)

    def resolve_tau(self, tau: float | str | None) -> float:
        """A number as it is; `tau_best` and `tau_gt` as this study gives them; None: the preset.

        Raises:
            ThresholdError: no cosine, or no preset for this encoder.
        """
        if tau == "tau_best":
            return self.presets.preset.tau_best
        if tau == "tau_gt":
            return self.presets.preset.tau_gt
        return resolve_tau(tau, self.comparison.encoder)

    def at(self, tau: float, rule: FailureRule | None = None) -> ValidityAtTau:
        """Everything that depends on tau; `rule` says what is a failure, by default the paper's.

        Raises:
            ThresholdError: `tau` is no cosine.
        """
        tau = check_tau(tau)
        scores: NDArray[np.float64] = self.comparison.scores([tau])[:, 0]
        failures = find_failures(self.comparison, tau, rule)
        return ValidityAtTau(
            tau,
            correlations(self.comparison, scores, self.bootstrap),
            correlations_by_language(self.comparison, scores, self.bootstrap),
            metric_means(self.comparison, scores, self.bootstrap),
            system_tables(self.comparison, scores[_RELEVANCE], self.bootstrap),
            rated_levels(self.comparison, tau, self.bootstrap),
            failures,
            study_failures(self.comparison, failures, self.bootstrap),
        )
