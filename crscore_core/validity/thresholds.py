"""The threshold tau: where the paper's procedure puts it, and what hangs on it (Table 18)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.errors import ThresholdError
from crscore_core.scoring import TauPreset
from crscore_core.statistics import ClusterBootstrap, Estimate, number_or_none
from crscore_core.validity.paper import paper_figure
from crscore_core.validity.thresholds_presets import mean_best_similarity
from crscore_core.validity.thresholds_sweep import sweep_thresholds

__all__ = [
    "BEST_SYSTEM",
    "PAPER_ENCODER",
    "AtTau",
    "PaperAtTau",
    "StudyPresets",
    "paper_thresholds",
    "study_presets",
    "sweep_study",
]

BEST_SYSTEM = "gpt3.5"
"""The system whose reviews people rate best, and whose similarities make tau_best."""

PAPER_ENCODER = "mixedbread-ai/mxbai-embed-large-v1"
"""The encoder whose taus the paper's tables have."""

_PAPER_TAUS = ("0.6", "0.65", "tau_gt", "0.7", "tau_best", "0.75", "0.8")


@dataclass(frozen=True, slots=True)
class StudyPresets:
    """tau_best and tau_gt of an encoder on a study; intervals resample changes."""

    tau_best: Estimate
    tau_gt: Estimate

    @property
    def preset(self) -> TauPreset:
        """The two values.

        Raises:
            ThresholdError: the study has no review of `BEST_SYSTEM`, or no ground truth.
        """
        if self.tau_best.value is None or self.tau_gt.value is None:
            raise ThresholdError(
                f"tau_best and tau_gt need reviews of {BEST_SYSTEM} and {GROUND_TRUTH} in the study"
            )
        return TauPreset(self.tau_best.value, self.tau_gt.value)


@dataclass(frozen=True, slots=True)
class AtTau:
    """What holds at one tau: rank correlations with people, and how scores are spread.

    `spearman` and `kendall` have a value for each of `DIMENSIONS`, review by review without the
    ground truth; `system_spearman` is that of systems' mean relevance. None where undefined.
    `share_zero` and `share_one` are the shares of reviews whose Rel is 0 and 1.
    """

    tau: float
    spearman: tuple[float | None, ...]
    kendall: tuple[float | None, ...]
    system_spearman: float | None
    share_zero: float
    share_one: float


@dataclass(frozen=True, slots=True)
class PaperAtTau:
    """What the paper prints of one tau of its own encoder, `role` being its name if it has one.

    Correlations of Rel with people review by review (Table 18), and how well the encoder finds
    what people say a review addresses (Table 4). None where it prints nothing.
    """

    role: str
    tau: float | None
    spearman: float | None
    kendall: float | None
    precision: float | None
    recall: float | None
    f1: float | None


def study_presets(comparison: CorpusComparison, bootstrap: ClusterBootstrap) -> StudyPresets:
    """Mean over review sentences of their best similarity to a pseudo-reference (section 3.3).

    tau_best is over the reviews of `BEST_SYSTEM`, tau_gt over the ground truth. The paper takes
    changes that are not in the study for it, with the same pseudo-references as it scores with.
    """
    return StudyPresets(
        mean_best_similarity(comparison, BEST_SYSTEM, bootstrap),
        mean_best_similarity(comparison, GROUND_TRUTH, bootstrap),
    )


def sweep_study(
    comparison: CorpusComparison, taus: Sequence[float] | NDArray[np.float64]
) -> tuple[AtTau, ...]:
    """Everything that hangs on tau, at each of `taus` (Table 18)."""
    swept = sweep_thresholds(comparison.rated_maxima, taus)
    return tuple(
        AtTau(
            float(tau),
            tuple(number_or_none(value) for value in swept.spearman[:, at]),
            tuple(number_or_none(value) for value in swept.kendall[:, at]),
            number_or_none(swept.system_spearman[at]),
            float(swept.share_zero[at]),
            float(swept.share_one[at]),
        )
        for at, tau in enumerate(swept.taus)
    )


def paper_thresholds() -> tuple[PaperAtTau, ...]:
    """Every tau that the paper's Tables 4 and 18 have, rising."""
    return tuple(
        PaperAtTau(
            name if name.startswith("tau_") else "",
            paper_figure("thresholds", name, "tau"),
            paper_figure("thresholds", name, "spearman"),
            paper_figure("thresholds", name, "kendall"),
            paper_figure("matching", name, "precision"),
            paper_figure("matching", name, "recall"),
            paper_figure("matching", name, "f1"),
        )
        for name in _PAPER_TAUS
    )
