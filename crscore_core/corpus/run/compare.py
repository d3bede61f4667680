"""Differences between two runs: settings, scores, agreement with people."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    clustered_mean,
)

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
Positions = NDArray[np.intp]

_MANY_CHANGES = 2_000
_RESAMPLES, _RESAMPLES_OF_MANY = 1_000, 200


@dataclass(frozen=True, slots=True, eq=False)
class MatchedReviews:
    """Positions of reviews in each of two comparisons.

    `one` and `other`, (n matched,), are those of the same reviews, in the order of the first;
    `only_one` and `only_other` are those of reviews that the other comparison does not have.
    """

    one: Positions
    other: Positions
    only_one: Positions
    only_other: Positions


@dataclass(frozen=True, slots=True)
class DimensionChange:
    """A statistic of the scores that each of two runs gives the same `n` reviews.

    `difference` is the second less the first; intervals resample changes.
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
    `dimensions` are mean scores. `agreement` is Spearman's rho with people's ratings, of the
    dimensions that people rated in both and of the reviews whose rating is the same in both.
    `n_other_texts` and `n_other_ratings` say how many reviews have another text, or were rated in
    both and otherwise in some dimension, in the second run.
    """

    one: CorpusComparison
    other: CorpusComparison
    settings: Mapping[str, tuple[str, str]]
    matched: MatchedReviews
    scores_one: Array
    scores_other: Array
    dimensions: tuple[DimensionChange, ...]
    agreement: tuple[DimensionChange, ...]
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
    matched = _match(one, other)
    scores_one = one.scores([tau_one])[:, 0, matched.one]
    scores_other = other.scores([tau_other])[:, 0, matched.other]
    ratings_one, ratings_other = one.ratings[matched.one], other.ratings[matched.other]
    is_rated_otherwise = (
        ~np.isnan(ratings_one) & ~np.isnan(ratings_other) & (ratings_one != ratings_other)
    )
    changes, cluster = np.unique(one.change[matched.one], return_inverse=True)
    bootstrap = ClusterBootstrap(
        max(1, changes.size), _RESAMPLES if changes.size <= _MANY_CHANGES else _RESAMPLES_OF_MANY
    )
    agreement = []
    for row, name in enumerate(DIMENSIONS):
        judged = one.is_judged_in(name)[matched.one] & (ratings_one == ratings_other)[:, row]
        if judged.any():
            first, second = (
                ClusteredPairs(scores[row, judged], ratings_one[judged, row], cluster[judged])
                for scores in (scores_one, scores_other)
            )
            estimates = bootstrap.compare(first.spearman, second.spearman)
            agreement.append(DimensionChange(name, int(judged.sum()), *estimates))
    settings = {
        "encoder": (one.encoder, other.encoder),
        "claims": (one.claims, other.claims),
        "tau": (f"{tau_one:g}", f"{tau_other:g}"),
    }
    positions = zip(matched.one, matched.other, strict=True)
    return RunComparison(
        one,
        other,
        {name: values for name, values in settings.items() if values[0] != values[1]},
        matched,
        scores_one,
        scores_other,
        tuple(
            DimensionChange(
                name,
                cluster.size,
                *(
                    clustered_mean(scores[row], cluster, bootstrap)
                    for scores in (scores_one, scores_other, scores_other - scores_one)
                ),
            )
            for row, name in enumerate(DIMENSIONS)
        ),
        tuple(agreement),
        sum(one.reviews[at].text != other.reviews[also].text for at, also in positions),
        int(is_rated_otherwise.any(axis=1).sum()),
    )


def _match(one: CorpusComparison, other: CorpusComparison) -> MatchedReviews:
    """Match reviews of the same change by their id, and what is left by system and text.

    An id alone tells nothing, as another file may count its reviews the same way. Reviews whose
    id and change are the same may differ in their text.
    """
    left_one = dict(enumerate(one.reviews))
    left_other = dict(enumerate(other.reviews))
    found: dict[int, int] = {}
    keys: tuple[Callable[[ComparedReview], Hashable], ...] = (
        lambda review: review.id,
        lambda review: (review.system, review.text),
    )
    for key in keys:
        free: defaultdict[Hashable, list[int]] = defaultdict(list)
        for at, review in reversed(left_other.items()):
            free[other.changes[review.change].diff, key(review)].append(at)
        for at, review in list(left_one.items()):
            if same := free.get((one.changes[review.change].diff, key(review))):
                found[at] = same.pop()
                del left_one[at], left_other[found[at]]
    pairs = np.array(sorted(found.items()), dtype=np.intp).reshape(-1, 2)
    only = (np.array(list(left), dtype=np.intp) for left in (left_one, left_other))
    return MatchedReviews(pairs[:, 0], pairs[:, 1], *only)
