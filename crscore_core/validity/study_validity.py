"""The validity of the metric on the human study: a rated corpus, and what only the study has."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from crscore_core.corpus.part import NO_REFERENCES
from crscore_core.corpus.progress import Note, silent_note
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import Means
from crscore_core.datasets.study.corpus import StudyCorpus
from crscore_core.datasets.study.model import (
    SYSTEMS,
    HumanStudy,
    StudyContents,
    study_contents,
)
from crscore_core.scoring import Encoder, resolve_tau
from crscore_core.text import counted
from crscore_core.validity.addressed import MatchingRow, addressed_pairs, matching_table
from crscore_core.validity.annotations import (
    ClaimQuality,
    RaterAgreement,
    claim_quality,
    claim_quality_by_language,
    human_means,
    rater_agreement,
)
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.thresholds import ProcedureTaus, procedure_taus
from crscore_eval.statistics import ClusterBootstrap, ClusteredMatches, Estimate

BEST_SYSTEM = "gpt3.5"
"""The system whose reviews people rate best, and whose similarities make tau_best."""

_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Taus at which sensitivity is tabulated, beside the presets and the one in use."""

_SAME_TAU = 0.0005  # the presets of the product are rounded to three decimals


class StudyValidity(CorpusValidity):
    """The rated reviews of a study, and beside them its codes, double ratings and noted pairs.

    Intervals are 95 % percentile intervals of resamples of changes (see
    `crscore_eval.statistics.bootstrap`).
    """

    def __init__(
        self,
        study: HumanStudy,
        comparison: Reviews,
        find_pairs: Callable[[], ClusteredMatches | None],
        n_resamples: int = 1000,
    ) -> None:
        """Take a study, its compared reviews, and what gives its `pairs`.

        Raises:
            InputError: too few resamples.
        """
        super().__init__(comparison, ClusterBootstrap(len(comparison.changes), n_resamples))
        self.study = study
        self.warnings = (
            *(f"{line}; left out" for line in study.oddities),
            *comparison.remarks,
            *_of_changes(comparison),
        )
        self._find_pairs = find_pairs

    @classmethod
    def of(
        cls,
        study: HumanStudy,
        corpus: StudyCorpus,
        encoder: Encoder,
        n_resamples: int = 1000,
        note: Note = silent_note,
    ) -> "StudyValidity":
        """Compare the rated reviews of a study with the pseudo-references of its changes.

        Raises:
            InputError: no rated change has pseudo-references.
            InputError: too few resamples.
        """
        comparison = corpus.score(encoder, note)
        return cls(study, comparison, lambda: addressed_pairs(study, encoder), n_resamples)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The systems of the study, in the order of its tables."""
        present = {review.system for review in self.comparison}
        return tuple(system for system in SYSTEMS if system in present)

    @cached_property
    def contents(self) -> StudyContents:
        """Counts of what the study holds."""
        return study_contents(self.study)

    @cached_property
    def claim_quality(self) -> Mapping[str, ClaimQuality]:
        """Table 1, by language."""
        return claim_quality_by_language(self.study, self.n_resamples)

    @cached_property
    def claim_quality_of_all(self) -> ClaimQuality:
        """Section 5.1: over all languages together."""
        return claim_quality(self.study.changes, self.n_resamples)

    @cached_property
    def rater_agreement(self) -> RaterAgreement | None:
        """Section 4.2."""
        return rater_agreement(self.study.double_ratings, self.n_resamples)

    @cached_property
    def human_means(self) -> Means:
        """Table 10, left; of all rated changes, with pseudo-references or without."""
        return human_means(self.study.changes, self.n_resamples)

    @cached_property
    def presets(self) -> ProcedureTaus:
        """Section 3.3: tau_best, of the system that is best in the paper, and tau_gt."""
        return procedure_taus(self.comparison, self.bootstrap, BEST_SYSTEM)

    @cached_property
    def pairs(self) -> ClusteredMatches | None:
        """Section 4.3: notes of what a review addresses, with similarities; None without notes."""
        return self._find_pairs()

    @cached_property
    def average_precision(self) -> Estimate | None:
        """Average precision of the encoder on `pairs`, if there are any.

        Guessing has the share of matches as average precision.
        """
        if self.pairs is None:
            return None
        return self._bootstrap_of_pairs(self.pairs).estimate(self.pairs.average_precision)

    def matching(self, taus: Sequence[float]) -> tuple[MatchingRow, ...]:
        """Table 4: precision, recall and F1 of the encoder at each tau, if there are `pairs`."""
        if self.pairs is None:
            return ()
        return matching_table(self.pairs, taus, self._bootstrap_of_pairs(self.pairs))

    def taus(self, tau: float) -> tuple[float, ...]:
        """A grid of thresholds, the two presets and, if it is neither of them, `tau`, rising."""
        presets = (self.presets.tau_best.value, self.presets.tau_gt.value)
        others = () if self.role(tau) else (tau,)
        return tuple(sorted({*_GRID, *others, *(value for value in presets if value is not None)}))

    def role(self, tau: float) -> str | None:
        """Name of the preset, `tau_gt` or `tau_best`, that equals `tau` to three decimals."""
        for name in ("tau_gt", "tau_best"):
            value = getattr(self.presets, name).value
            if value is not None and abs(value - tau) < _SAME_TAU:
                return name
        return None

    def resolve_tau(self, tau: float | str | None) -> float:
        """A number as it is; `tau_best` and `tau_gt` as this study gives them; None: the preset.

        Raises:
            InputError: no cosine, or no preset for this encoder.
        """
        if tau == "tau_best":
            return self.presets.preset.tau_best
        if tau == "tau_gt":
            return self.presets.preset.tau_gt
        return resolve_tau(tau, self.comparison.encoder, self.comparison.claims)

    def _bootstrap_of_pairs(self, pairs: ClusteredMatches) -> ClusterBootstrap:
        return ClusterBootstrap(pairs.n_clusters, self.n_resamples)


def _of_changes(reviews: Reviews) -> list[str]:
    """Say what is known of single changes, each once; those without references are counted."""
    reasons = (one.reason for one in reviews.left_out if one.reason != NO_REFERENCES)
    said = Counter([*(f"left out, {reason}" for reason in reasons),
                    *(warning for _, warning in reviews.change_warnings)])  # fmt: skip
    return [f"{counted(n, 'change')}: {text}" for text, n in said.items()]
