"""Where the paper's procedure puts tau for the encoder and the reviews at hand (section 3.3)."""

from dataclasses import dataclass

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_ratio

__all__ = ["ProcedureTaus", "best_system", "mean_best_similarity", "procedure_taus"]


@dataclass(frozen=True, slots=True)
class ProcedureTaus:
    """tau_best and tau_gt as the reviews at hand give them; intervals resample changes.

    tau_best is that of `best_system`, which is None where nobody rated relevance, tau_gt that of
    the ground truth. Both are without value where there is no review to take them from.
    """

    tau_best: Estimate
    tau_gt: Estimate
    best_system: str | None


def procedure_taus(comparison: CorpusComparison, bootstrap: ClusterBootstrap) -> ProcedureTaus:
    """tau_best and tau_gt by the paper's procedure.

    The paper takes changes that are not in the study for it.
    """
    best = best_system(comparison)
    return ProcedureTaus(
        Estimate(None, None) if best is None else mean_best_similarity(comparison, best, bootstrap),
        mean_best_similarity(comparison, GROUND_TRUTH, bootstrap),
        best,
    )


def best_system(comparison: CorpusComparison) -> str | None:
    """The system with the highest mean of people's relevance, the ground truth left out.

    Of several, the first by name. None where nobody rated.
    """
    judged = comparison.is_judged
    names, system = np.unique(comparison.system[judged], return_inverse=True)
    if not names.size:
        return None
    rated = comparison.ratings[judged, DIMENSIONS.index("relevance")]
    return str(names[np.argmax(np.bincount(system, rated) / np.bincount(system))])


def mean_best_similarity(
    comparison: CorpusComparison, system: str, bootstrap: ClusterBootstrap
) -> Estimate:
    """Mean, over a system's review sentences, of the best similarity to a pseudo-reference."""
    n = len(comparison.changes)
    sums, counts = np.zeros(n), np.zeros(n)
    for at in np.flatnonzero(comparison.system == system):
        one = comparison.reviews[at]
        if one.similarity.size:
            best = one.similarity.max(axis=0)
            sums[one.change] += best.sum(dtype=np.float64)
            counts[one.change] += best.size
    return clustered_ratio(sums, counts, bootstrap) if n else Estimate(None, None)
