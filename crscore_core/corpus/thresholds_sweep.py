"""What hangs on tau, at many taus at once (the paper's Table 18, for the reviews of any corpus)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.rankings import ranked_systems
from crscore_core.statistics import row_correlations

__all__ = ["ThresholdSweep", "is_swept", "sweep_thresholds"]

Array = NDArray[np.float64]

_RELEVANCE = DIMENSIONS.index("relevance")
_CELLS = 2**21
"""Similarities that are compared with taus at once: 16 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdSweep:
    """What holds at each of `taus`, (n taus,); NaN where it is not defined.

    `spearman` and `kendall`, both (n dimensions, n taus), are the correlations of each of
    `DIMENSIONS` with people, review by review; `system_spearman`, (n taus,), is that of systems'
    mean relevance, of the systems that are ranked: `systems_left_out` is how many others there
    are. `means`, (n dimensions, n taus), are the mean scores, and `share_zero` and
    `share_one`, (n taus,), the shares of reviews whose Rel is 0 and 1. All are over the `reviews`
    reviews of `is_swept`, the correlations over the rated ones among them.
    """

    taus: Array
    spearman: Array
    kendall: Array
    system_spearman: Array
    means: Array
    share_zero: Array
    share_one: Array
    reviews: int
    systems_left_out: int

    @property
    def has_correlation(self) -> bool:
        """Whether a correlation of scores with people is defined in any dimension, at any tau."""
        return not bool(np.isnan(self.spearman).all())


def is_swept(comparison: CorpusComparison) -> NDArray[np.bool_]:
    """Every review but the ground truth's; all of them where there are no others, (n reviews,)."""
    is_of_a_system: NDArray[np.bool_] = comparison.system != GROUND_TRUTH
    return is_of_a_system if is_of_a_system.any() else ~is_of_a_system


def sweep_thresholds(comparison: CorpusComparison, taus: Sequence[float] | Array) -> ThresholdSweep:
    """Everything that hangs on tau, at each of `taus`."""
    thresholds = np.asarray(taus, dtype=np.float64)
    scores = _scores(comparison, thresholds)
    found = [_with_people(comparison, row, scores[row]) for row in range(len(DIMENSIONS))]
    swept = scores[:, :, is_swept(comparison)]
    n = swept.shape[2]
    systems, left_out = ranked_systems(comparison, np.ones(len(comparison.reviews), dtype=np.bool_))
    none = np.full((len(DIMENSIONS), thresholds.size), np.nan)
    return ThresholdSweep(
        thresholds,
        np.stack([spearman for spearman, _ in found]),
        np.stack([kendall for _, kendall in found]),
        _with_people_by_system(comparison, scores[_RELEVANCE], list(systems)),
        swept.mean(axis=2) if n else none,
        (swept[_RELEVANCE] == 0).mean(axis=1) if n else none[0],
        (swept[_RELEVANCE] == 1).mean(axis=1) if n else none[0],
        n,
        left_out,
    )


def _scores(comparison: CorpusComparison, taus: Array) -> Array:
    """In parts, as every similarity is compared with every tau: (n dimensions, n taus, n)."""
    maxima = comparison.maxima
    width = max(maxima.of_sentences.size, maxima.of_references.size, 1)
    step = max(1, _CELLS // width)
    parts = [comparison.scores(taus[at : at + step]) for at in range(0, taus.size, step)]
    return np.concatenate(parts, axis=1) if parts else comparison.scores(taus)


def _with_people(comparison: CorpusComparison, row: int, scores: Array) -> tuple[Array, Array]:
    rated = comparison.is_judged_in(DIMENSIONS[row])
    if not rated.any():
        return np.full(len(scores), np.nan), np.full(len(scores), np.nan)
    found = row_correlations(scores[:, rated], comparison.ratings[rated, row])
    return found.spearman, found.kendall


def _with_people_by_system(
    comparison: CorpusComparison, relevance: Array, systems: Sequence[str]
) -> Array:
    """Spearman correlation of systems' mean relevance with people's, at each tau: (n taus,)."""
    judged = comparison.is_judged & np.isin(comparison.system, systems)
    names, system = np.unique(comparison.system[judged], return_inverse=True)
    if not names.size or not len(relevance):
        return np.full(len(relevance), np.nan)
    order = np.argsort(system, kind="stable")
    starts = np.searchsorted(system[order], np.arange(names.size))
    counts = np.bincount(system)
    of_judged = relevance[:, judged][:, order]
    people = comparison.ratings[judged, _RELEVANCE][order]
    return row_correlations(
        # Equal means that were summed in another order count as equal.
        np.round(np.add.reduceat(of_judged, starts, axis=1) / counts, 12),
        np.round(np.add.reduceat(people, starts) / counts, 12),
    ).spearman
