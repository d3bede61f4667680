"""What differs between two runs, in their settings, their scores, and their worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.runs.matching import MatchedReviews, match_reviews
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    clustered_mean,
    number_or_none,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AgreementChange", "DimensionChange", "RunComparison", "compare_runs"]

Array = NDArray[np.float64]

_MANY_CHANGES = 2_000
_RESAMPLES, _RESAMPLES_OF_MANY = 1_000, 200


@dataclass(frozen=True, slots=True)
class DimensionChange:
    """Mean scores of the reviews that both runs have, and how much more the second gives them.

    `difference` is the mean of paired differences; its interval resamples changes.
    """

    dimension: str
    one: float | None
    other: float | None
    difference: Estimate


@dataclass(frozen=True, slots=True)
class AgreementChange:
    """Spearman's rho of each run's scores with people's ratings of the same `n` reviews.

    These are the ones that people rated the same in both runs.

    `difference` is that of the second less that of the first; intervals resample changes.
    """

    dimension: str
    n: int
    one: Estimate
    other: Estimate
    difference: Estimate


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Two runs side by side.

    `settings` maps the name of each setting that differs to its value in either run. `scores_one`
    and `scores_other` are Con, Comp and Rel of the matched reviews, (n dimensions, n matched).
    `n_other_texts` and `n_other_ratings` say how many of them have another text, or were rated
    in both and otherwise in some dimension, in the second run. `agreement` has the dimensions
    that people rated in both.
    """

    one: CorpusComparison
    other: CorpusComparison
    settings: Mapping[str, tuple[str, str]]
    matched: MatchedReviews
    scores_one: Array
    scores_other: Array
    dimensions: tuple[DimensionChange, ...]
    agreement: tuple[AgreementChange, ...]
    n_other_texts: int
    n_other_ratings: int

    def changed(self, most: int) -> "pd.DataFrame":
        """At most so many reviews whose scores differ, those whose relevance does most first.

        Columns: `review`, `change`, `system`, `text` (of the second run); of each dimension, its
        scores `one` and `other` and the `difference`, all prefixed with its name and a blank.
        """
        import pandas as pd

        differences = self.scores_other - self.scores_one
        differ = np.flatnonzero(differences.any(axis=0))
        sizes = np.abs(differences[:, differ])
        order = np.lexsort((-sizes.sum(axis=0), -sizes[DIMENSIONS.index("relevance")]))
        chosen = differ[order[:most]]
        reviews = [self.other.reviews[at] for at in self.matched.other[chosen]]
        columns: dict[str, object] = {
            "review": [review.id for review in reviews],
            "change": [self.other.changes[review.change].id for review in reviews],
            "system": [review.system for review in reviews],
        }
        for row in (2, 0, 1):
            name = DIMENSIONS[row]
            columns[f"{name} one"] = self.scores_one[row, chosen]
            columns[f"{name} other"] = self.scores_other[row, chosen]
            columns[f"{name} difference"] = differences[row, chosen]
        return pd.DataFrame({**columns, "text": [review.text for review in reviews]})

    @property
    def n_changed(self) -> int:
        """How many of the matched reviews have other scores."""
        return int((self.scores_other != self.scores_one).any(axis=0).sum())


def compare_runs(
    one: CorpusComparison, other: CorpusComparison, tau_one: float, tau_other: float
) -> RunComparison:
    """Compare two runs, each at the threshold that belongs to its encoder.

    Raises:
        StatisticsError: more changes than can be resampled.
    """
    matched = match_reviews(one, other)
    scores_one = one.scores([tau_one])[:, 0, matched.one]
    scores_other = other.scores([tau_other])[:, 0, matched.other]
    changes, cluster = np.unique(one.change[matched.one], return_inverse=True)
    bootstrap = ClusterBootstrap(
        max(1, changes.size), _RESAMPLES if changes.size <= _MANY_CHANGES else _RESAMPLES_OF_MANY
    )
    first = _Matched(one, matched.one, scores_one)
    second = _Matched(other, matched.other, scores_other)
    pairs = zip(matched.one, matched.other, strict=True)
    return RunComparison(
        one,
        other,
        _settings(one, other, tau_one, tau_other),
        matched,
        scores_one,
        scores_other,
        tuple(
            DimensionChange(
                name,
                _mean(scores_one[row]),
                _mean(scores_other[row]),
                clustered_mean(scores_other[row] - scores_one[row], cluster, bootstrap),
            )
            for row, name in enumerate(DIMENSIONS)
        ),
        _agreement(first, second, cluster, bootstrap),
        sum(one.reviews[at].text != other.reviews[also].text for at, also in pairs),
        int(_rated_otherwise(first, second).any(axis=1).sum()),
    )


def _settings(
    one: CorpusComparison, other: CorpusComparison, tau_one: float, tau_other: float
) -> Mapping[str, tuple[str, str]]:
    settings = {
        "encoder": (one.encoder, other.encoder),
        "claims": (one.claims, other.claims),
        "tau": (f"{tau_one:g}", f"{tau_other:g}"),
    }
    return {name: values for name, values in settings.items() if values[0] != values[1]}


def _rated_otherwise(one: "_Matched", other: "_Matched") -> NDArray[np.bool_]:
    """Which were rated in both, and not the same: (n matched, n dimensions)."""
    is_in_both = ~np.isnan(one.ratings) & ~np.isnan(other.ratings)
    differ: NDArray[np.bool_] = is_in_both & (one.ratings != other.ratings)
    return differ


def _agreement(
    one: "_Matched", other: "_Matched", cluster: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> tuple[AgreementChange, ...]:
    found = []
    for row, name in enumerate(DIMENSIONS):
        judged = one.is_judged_in(name) & (one.ratings == other.ratings)[:, row]
        if judged.any():
            first, second = (
                _Rho.of(side.pairs(row, judged, cluster), bootstrap) for side in (one, other)
            )
            difference = _Rho(second.value - first.value, second.samples - first.samples)
            estimates = (rho.estimate(bootstrap) for rho in (first, second, difference))
            found.append(AgreementChange(name, int(judged.sum()), *estimates))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Matched:
    """The matched reviews of one run: their positions in it and their scores."""

    run: CorpusComparison
    at: NDArray[np.intp]
    scores: Array

    @property
    def ratings(self) -> Array:
        """People's, (n matched, n dimensions), NaN where they did not rate."""
        return self.run.ratings[self.at]

    def is_judged_in(self, dimension: str) -> NDArray[np.bool_]:
        """Which of them people rated in a dimension."""
        return self.run.is_judged_in(dimension)[self.at]

    def pairs(
        self, row: int, judged: NDArray[np.bool_], cluster: NDArray[np.intp]
    ) -> ClusteredPairs:
        """Scores and ratings of those of them that were judged, in a dimension."""
        return ClusteredPairs(self.scores[row, judged], self.ratings[judged, row], cluster[judged])


@dataclass(frozen=True, slots=True, eq=False)
class _Rho:
    """Spearman's rho and its value in every resample; NaN where undefined."""

    value: float
    samples: Array

    @classmethod
    def of(cls, pairs: ClusteredPairs, bootstrap: ClusterBootstrap) -> "_Rho":
        """Of scores and ratings."""
        observed = pairs.spearman(np.ones((1, bootstrap.weights.shape[1])))
        return cls(float(observed[0]), pairs.spearman(bootstrap.weights))

    def estimate(self, bootstrap: ClusterBootstrap) -> Estimate:
        """The value with its interval."""
        return Estimate(number_or_none(self.value), bootstrap.interval_of(self.samples))


def _mean(scores: Array) -> float | None:
    return float(scores.mean()) if scores.size else None
