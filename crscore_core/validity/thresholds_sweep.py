"""What hangs on tau, at many taus at once (the paper's Table 18, for the reviews of any corpus)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import RatedMaxima
from crscore_core.statistics import RowCorrelations, row_correlations
from crscore_core.validity.rankings import ranked_systems

__all__ = ["ThresholdSweep", "is_swept", "sweep_thresholds"]

Array = NDArray[np.float64]

_RELEVANCE = DIMENSIONS.index("relevance")
_CORRELATIONS = ("spearman_", "kendall_", "system_spearman")
"""How the names of correlations begin among the columns of a sweep."""

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

    @property
    def columns(self) -> dict[str, Array]:
        """All of it by name, each (n taus,): `spearman_relevance` is that of one dimension."""
        correlations = {"spearman": self.spearman, "kendall": self.kendall}
        return {
            "tau": self.taus,
            **dict(zip(DIMENSIONS, self.means, strict=True)),
            "share_zero": self.share_zero,
            "share_one": self.share_one,
            **{
                f"{name}_{dimension}": values
                for name, found in correlations.items()
                for dimension, values in zip(DIMENSIONS, found, strict=True)
            },
            "system_spearman": self.system_spearman,
        }

    @property
    def best(self) -> dict[str, int]:
        """By the name of each correlation that is defined, at which of `taus` it is highest."""
        return {
            name: int(np.nanargmax(values))
            for name, values in self.columns.items()
            if name.startswith(_CORRELATIONS) and not np.isnan(values).all()
        }


def is_swept(reviews: RatedMaxima) -> NDArray[np.bool_]:
    """Every review but the ground truth's; all of them where there are no others, (n reviews,)."""
    is_of_a_system = reviews.is_of_a_system
    return is_of_a_system if is_of_a_system.any() else ~is_of_a_system


def sweep_thresholds(reviews: RatedMaxima, taus: Sequence[float] | Array) -> ThresholdSweep:
    """Everything that hangs on tau, at each of `taus`.

    In parts, as every similarity is compared with every tau.

    Raises:
        SimilarityError: a tau is not a finite number.
    """
    thresholds = np.asarray(taus, dtype=np.float64)
    systems, left_out = ranked_systems(reviews, np.ones(reviews.system.size, dtype=np.bool_))
    swept = _Swept(
        reviews,
        np.flatnonzero(is_swept(reviews)),
        tuple(np.flatnonzero(reviews.is_judged_in(name)) for name in DIMENSIONS),
        _JudgedSystems.of(reviews, systems.keys()),
    )
    maxima = reviews.maxima
    width = max(maxima.of_sentences.size, maxima.of_references.size, reviews.system.size, 1)
    step = max(1, _CELLS // width)
    parts = [swept.at(thresholds[at : at + step]) for at in range(0, max(1, thresholds.size), step)]
    spearman, kendall, system_spearman, means, share_zero, share_one = (
        np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)
    )
    return ThresholdSweep(
        thresholds,
        spearman,
        kendall,
        system_spearman,
        means,
        share_zero,
        share_one,
        swept.swept.size,
        left_out,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _JudgedSystems:
    """Reviews that people rated by relevance, those of one system after those of another.

    `reviews` are their positions, `starts` where each system begins among them.
    """

    reviews: NDArray[np.intp]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, reviews: RatedMaxima, systems: Collection[str]) -> "_JudgedSystems":
        """Of the reviews of these systems."""
        is_ranked = np.array([name in systems for name in reviews.systems], dtype=np.bool_)
        judged = np.flatnonzero(reviews.is_judged_in("relevance") & is_ranked[reviews.system])
        in_order = judged[np.argsort(reviews.system[judged], kind="stable")]
        return cls(in_order, np.unique(reviews.system[in_order], return_index=True)[1])

    def means(self, values: Array) -> Array:
        """Each system's mean of `values`, (n rows, n reviews): (n rows, n systems).

        Rounded, so that equal means that were summed in another order count as equal.
        """
        counts = np.diff(self.starts, append=self.reviews.size)
        sums = np.add.reduceat(values[:, self.reviews], self.starts, axis=1)
        return np.round(sums / counts, 12)


@dataclass(frozen=True, slots=True, eq=False)
class _Swept:
    """Positions of the `swept` reviews, and by dimension of those that people rated."""

    reviews: RatedMaxima
    swept: NDArray[np.intp]
    judged: tuple[NDArray[np.intp], ...]
    systems: _JudgedSystems

    def at(self, taus: Array) -> tuple[Array, ...]:
        """What `ThresholdSweep` holds at `taus`, in its order, from the correlations on."""
        scores = self.reviews.scores(taus)
        swept = scores[:, :, self.swept]
        found = [
            _correlations(of_dimension[:, judged], self.reviews.ratings[judged, row])
            for row, (of_dimension, judged) in enumerate(zip(scores, self.judged, strict=True))
        ]
        return (
            np.stack([one.spearman for one in found]),
            np.stack([one.kendall for one in found]),
            self._of_systems(scores[_RELEVANCE]),
            _means(swept),
            _means(swept[_RELEVANCE] == 0),
            _means(swept[_RELEVANCE] == 1),
        )

    def _of_systems(self, relevance: Array) -> Array:
        """Spearman correlation of systems' mean relevance with people's, at each tau: (n taus,)."""
        if not self.systems.starts.size:
            return np.full(len(relevance), np.nan)
        people = self.systems.means(self.reviews.ratings[np.newaxis, :, _RELEVANCE])[0]
        return _correlations(self.systems.means(relevance), people).spearman


def _correlations(metrics: Array, people: Array) -> RowCorrelations:
    """As `row_correlations`, undefined where there are no reviews."""
    if metrics.size:
        return row_correlations(metrics, people)
    undefined = np.full(len(metrics), np.nan)
    return RowCorrelations(undefined, undefined)


def _means(values: Array | NDArray[np.bool_]) -> Array:
    """Means over the last axis, undefined where there are no reviews."""
    if not values.shape[-1]:
        return np.full(values.shape[:-1], np.nan)
    means: Array = values.mean(axis=-1)
    return means
