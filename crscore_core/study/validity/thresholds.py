"""The threshold tau: where the paper's procedure puts it, and what hangs on it (Table 18)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.errors import ThresholdError
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_ratio,
    number_or_none,
    row_correlations,
)
from crscore_core.sts import TauPreset

__all__ = ["BEST_SYSTEM", "AtTau", "StudyPresets", "study_presets", "sweep_study"]

BEST_SYSTEM = "gpt3.5"
"""The system whose reviews people rate best, and whose similarities make tau_best."""

Array = NDArray[np.float64]

_RELEVANCE = DIMENSIONS.index("relevance")


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


def study_presets(comparison: CorpusComparison, bootstrap: ClusterBootstrap) -> StudyPresets:
    """Mean over review sentences of their best similarity to a pseudo-reference (section 3.3).

    tau_best is over the reviews of `BEST_SYSTEM`, tau_gt over the ground truth. The paper takes
    changes that are not in the study for it, with the same pseudo-references as it scores with.
    """
    return StudyPresets(
        _mean_best(comparison, BEST_SYSTEM, bootstrap),
        _mean_best(comparison, GROUND_TRUTH, bootstrap),
    )


def sweep_study(
    comparison: CorpusComparison, taus: Sequence[float] | NDArray[np.float64]
) -> tuple[AtTau, ...]:
    """Everything that hangs on tau, at each of `taus` (Table 18)."""
    scores = comparison.scores(taus)
    found = []
    for row, dimension in enumerate(DIMENSIONS):
        rated = comparison.is_judged_in(dimension)
        found.append(row_correlations(scores[row][:, rated], comparison.ratings[rated, row]))
    judged = comparison.is_judged
    relevance = scores[_RELEVANCE][:, judged]
    systems = _system_correlations(comparison, relevance, comparison.ratings[judged, _RELEVANCE])
    zero, one = (relevance == 0).mean(axis=1), (relevance == 1).mean(axis=1)
    return tuple(
        AtTau(
            float(tau),
            tuple(number_or_none(of_dimension.spearman[at]) for of_dimension in found),
            tuple(number_or_none(of_dimension.kendall[at]) for of_dimension in found),
            number_or_none(systems[at]),
            float(zero[at]),
            float(one[at]),
        )
        for at, tau in enumerate(taus)
    )


def _system_correlations(comparison: CorpusComparison, relevance: Array, people: Array) -> Array:
    """Spearman correlation of systems' mean relevance with people's, at each tau: (n taus,)."""
    names, system = np.unique(comparison.system[comparison.is_judged], return_inverse=True)
    is_of = np.eye(names.size)[system]
    share = is_of / is_of.sum(axis=0)
    return row_correlations(np.round(relevance @ share, 12), people @ share).spearman


def _mean_best(comparison: CorpusComparison, system: str, bootstrap: ClusterBootstrap) -> Estimate:
    n = len(comparison.changes)
    sums, counts = np.zeros(n), np.zeros(n)
    for one in comparison.reviews:
        if one.system == system and one.similarity.size:
            best = one.similarity.max(axis=0)
            sums[one.change] += best.sum(dtype=np.float64)
            counts[one.change] += best.size
    return clustered_ratio(sums, counts, bootstrap)
