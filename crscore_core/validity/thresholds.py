"""The threshold tau: where the paper's procedure puts it, and what depends on it (Table 18)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import MOST_SYSTEMS, busiest_systems
from crscore_core.errors import InputError
from crscore_core.scoring import TauPreset
from crscore_eval.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_ratio,
    row_correlations,
)

Array = NDArray[np.float64]

_RELEVANCE = DIMENSIONS.index("relevance")
_CORRELATIONS = ("spearman_", "kendall_", "system_spearman")
"""Beginnings of the names of correlations among the columns of a sweep."""

_CELLS = 2**21
"""Similarities that are compared with taus at once: 16 MB."""


@dataclass(frozen=True, slots=True)
class ProcedureTaus:
    """tau_best and tau_gt as the reviews at hand give them; intervals resample changes.

    tau_best is that of `best_system`, which is None where nobody rated relevance, tau_gt that of
    the ground truth. Both are without value where there is no review to take them from.
    """

    tau_best: Estimate
    tau_gt: Estimate
    best_system: str | None

    @property
    def preset(self) -> TauPreset:
        """The two values.

        Raises:
            InputError: there is no review of `best_system`, or no ground truth.
        """
        if self.tau_best.value is None or self.tau_gt.value is None:
            raise InputError(
                f"tau_best and tau_gt need reviews of {self.best_system or 'a rated system'} and "
                f"{GROUND_TRUTH}"
            )
        return TauPreset(self.tau_best.value, self.tau_gt.value)


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdSweep:
    """Figures at each of many taus by name, each (n taus,); NaN where they are not defined.

    `columns` are `tau`; the mean scores `conciseness`, `comprehensiveness` and `relevance`;
    `share_zero` and `share_one`, the shares of reviews whose Rel is 0 and 1; the correlations
    with people review by review, `spearman_` and `kendall_` with each of `DIMENSIONS`; and
    `system_spearman`, that of systems' mean relevance, of the systems that are ranked:
    `systems_left_out` is the number of others. All are over the `reviews` reviews of `is_swept`,
    the correlations over the rated ones among them.
    """

    columns: Mapping[str, Array]
    reviews: int
    systems_left_out: int

    @property
    def taus(self) -> Array:
        """The thresholds, (n taus,)."""
        return self.columns["tau"]

    @property
    def has_correlation(self) -> bool:
        """Return True if a correlation with people is defined in any dimension, at any tau."""
        return any(name.startswith("spearman_") for name in self.best)

    @property
    def best(self) -> dict[str, int]:
        """The index of the tau at which each correlation is highest, of those that are defined."""
        return {
            name: int(np.nanargmax(values))
            for name, values in self.columns.items()
            if name.startswith(_CORRELATIONS) and not np.isnan(values).all()
        }


def procedure_taus(
    comparison: Reviews, bootstrap: ClusterBootstrap, best: str | None = None
) -> ProcedureTaus:
    """tau_best and tau_gt: mean best similarities of review sentences (section 3.3).

    tau_best is over the reviews of the system `best`, by default `best_system`, tau_gt over the
    ground truth. The paper takes changes for it that are not in the study.
    """
    best = best or best_system(comparison)
    nothing = Estimate(None, None)
    return ProcedureTaus(
        nothing if best is None else _mean_best_similarity(comparison, best, bootstrap),
        _mean_best_similarity(comparison, GROUND_TRUTH, bootstrap),
        best,
    )


def best_system(comparison: Reviews) -> str | None:
    """The system with the highest mean of people's relevance, the ground truth left out.

    Of several, the first by name. None where nobody rated.
    """
    judged = comparison.is_judged
    names, system = np.unique(comparison.system[judged], return_inverse=True)
    if not names.size:
        return None
    rated = comparison.ratings[judged, _RELEVANCE]
    return str(names[np.argmax(np.bincount(system, rated) / np.bincount(system))])


def is_swept(reviews: Reviews) -> NDArray[np.bool_]:
    """Every review but the ground truth's; all of them where there are no others, (n reviews,)."""
    is_of_a_system = reviews.is_of_a_system
    return is_of_a_system if is_of_a_system.any() else ~is_of_a_system


def sweep_thresholds(reviews: Reviews, taus: Sequence[float] | Array) -> ThresholdSweep:
    """Everything that depends on tau, at each of `taus`.

    Taus are taken in parts, as every similarity is compared with each of them.

    Raises:
        InputError: a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    systems = busiest_systems(reviews, MOST_SYSTEMS, reviews.is_of_a_system)
    swept = np.flatnonzero(is_swept(reviews))
    maxima = reviews.maxima
    width = max(maxima.of_sentences.size, maxima.of_references.size, reviews.system_number.size, 1)
    step = max(1, _CELLS // width)
    parts = [
        _sweep_part(reviews, thresholds[start : start + step], swept, systems)
        for start in range(0, max(1, thresholds.size), step)
    ]
    return ThresholdSweep(
        {name: np.concatenate([part[name] for part in parts]) for name in parts[0]},
        swept.size,
        np.unique(reviews.system_number[reviews.is_of_a_system]).size - len(systems),
    )


def _sweep_part(
    reviews: Reviews, taus: Array, swept: NDArray[np.intp], systems: Collection[str]
) -> dict[str, Array]:
    """The columns of a `ThresholdSweep` at some of its taus."""
    scores = reviews.scores(taus)
    of_swept = scores[:, :, swept]
    spearman, kendall = {}, {}
    for row, name in enumerate(DIMENSIONS):
        judged = np.flatnonzero(reviews.is_judged_in(name))
        spearman[f"spearman_{name}"], kendall[f"kendall_{name}"] = (
            row_correlations(scores[row][:, judged], reviews.ratings[judged, row])
            if judged.size and taus.size
            else np.full((2, taus.size), np.nan)
        )
    return {
        "tau": taus,
        **dict(zip(DIMENSIONS, _means(of_swept), strict=True)),
        "share_zero": _means(of_swept[_RELEVANCE] == 0),
        "share_one": _means(of_swept[_RELEVANCE] == 1),
        **spearman,
        **kendall,
        "system_spearman": _system_spearman(reviews, scores[_RELEVANCE], systems),
    }


def _system_spearman(reviews: Reviews, relevance: Array, systems: Collection[str]) -> Array:
    """Spearman's rho of systems' mean relevance with people's, at each tau: (n taus,).

    `relevance` is (n taus, n reviews). Means are rounded, so that equal means that were summed in
    another order count as equal.
    """
    is_ranked = np.array([name in systems for name in reviews.systems], dtype=np.bool_)
    judged = np.flatnonzero(reviews.is_judged_in("relevance") & is_ranked[reviews.system_number])
    by_system = judged[np.argsort(reviews.system_number[judged], kind="stable")]
    if not by_system.size:
        return np.full(len(relevance), np.nan)
    starts = np.unique(reviews.system_number[by_system], return_index=True)[1]
    counts = np.diff(starts, append=by_system.size)

    def means(values: Array) -> Array:
        sums = np.add.reduceat(values[:, by_system], starts, axis=1)
        return np.asarray(np.round(sums / counts, 12))

    people = means(reviews.ratings[np.newaxis, :, _RELEVANCE])[0]
    return row_correlations(means(relevance), people)[0]


def _means(values: Array | NDArray[np.bool_]) -> Array:
    """Means over the last axis, undefined where there are no reviews."""
    if not values.shape[-1]:
        return np.full(values.shape[:-1], np.nan)
    means: Array = values.mean(axis=-1)
    return means


def _mean_best_similarity(
    comparison: Reviews, system: str, bootstrap: ClusterBootstrap
) -> Estimate:
    """Mean, over a system's review sentences, of the best similarity to a pseudo-reference."""
    n_changes = len(comparison.changes)
    if not n_changes:
        return Estimate(None, None)
    maxima = comparison.maxima
    change = comparison.change.repeat(maxima.n_sentences)
    chosen = (comparison.system == system).repeat(maxima.n_sentences)
    return clustered_ratio(
        np.bincount(change[chosen], maxima.of_sentences[chosen], minlength=n_changes),
        np.bincount(change[chosen], minlength=n_changes),
        bootstrap,
    )
