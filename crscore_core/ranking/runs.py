"""Differences between two runs: settings, scores, agreement with people."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import (
    DEFAULT_MEASURE,
    MEASURES,
    Measure,
    MeasuredReviews,
    measure_named,
    measured_values,
    scores_by_change,
)
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import SAME, ComparedReview, Reviews
from crscore_core.ranking.verdict import difference_words
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    clustered_mean,
    mean_difference,
)
from crscore_core.text import capital

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
Positions = NDArray[np.intp]

COMPARED = tuple(name for name, measure in MEASURES.items() if measure.is_score)
"""Names of the scores that are compared review by review."""

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
class MeasureChange:
    """A statistic of the scores that each of two runs gives the same `n` reviews.

    `measure` is one of `COMPARED`. `difference` is the second less the first; intervals resample
    changes.
    """

    measure: str
    n: int
    one: Estimate
    other: Estimate
    difference: Estimate


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Two runs side by side.

    `verdict` says which run has the higher mean of a measure over the changes of both, by their
    diff, whichever reviews these have; empty where a run has no value, and the reason why there is
    none where the measure is a score and encoder, claims or analyzers differ. `settings` maps the
    name of each setting that differs to its value in either run. `scores_one` and `scores_other`
    are the scores of the matched reviews, (n measures, n matched), in order of `COMPARED`, and
    `means` their means. `agreement` is Spearman's rho with people's ratings of the same dimension,
    without a threshold with relevance; a rating that one run alone has counts for the same text in
    the other, and one that differs for neither. `n_other_texts` and `n_other_ratings` say how many
    reviews have another text, or were rated in both and otherwise in some dimension, in the second
    run.
    """

    one: Reviews
    other: Reviews
    verdict: str
    settings: Mapping[str, tuple[str, str]]
    matched: MatchedReviews
    scores_one: Array
    scores_other: Array
    means: tuple[MeasureChange, ...]
    agreement: tuple[MeasureChange, ...]
    n_other_texts: int
    n_other_ratings: int

    def changed(self, most: int) -> "pd.DataFrame":
        """At most so many reviews whose scores differ, the largest changes of `COMPARED` first.

        Columns: `review`, `change`, `system`, `text` (of the second run); of each measure that
        there is, its scores `one` and `other` and the `difference`, all prefixed with its name
        and a blank, NaN where an empty review has no score. Reviews stand by the change of the
        first measure, then of the next.
        """
        import pandas as pd

        differences = self._differences
        differ = np.flatnonzero(differences.any(axis=0))
        chosen = differ[np.lexsort(-np.abs(differences[::-1, differ]))[:most]]
        reviews = [self.other[at] for at in self.matched.other[chosen]]
        columns: dict[str, object] = {
            "review": [review.id for review in reviews],
            "change": [self.other.changes[review.change].id for review in reviews],
            "system": [review.system for review in reviews],
        }
        scores_one, scores_other = (
            np.where(run.is_empty[places[chosen]], np.nan, scores[:, chosen])
            for run, places, scores in (
                (self.one, self.matched.one, self.scores_one),
                (self.other, self.matched.other, self.scores_other),
            )
        )
        for measure in self.means:
            row = COMPARED.index(measure.measure)
            columns[f"{measure.measure} one"] = scores_one[row]
            columns[f"{measure.measure} other"] = scores_other[row]
            columns[f"{measure.measure} difference"] = scores_other[row] - scores_one[row]
        return pd.DataFrame({**columns, "text": [review.text for review in reviews]})

    @property
    def n_changed(self) -> int:
        """Number of the matched reviews whose scores differ."""
        return int(self._differences.any(axis=0).sum())

    @property
    def _differences(self) -> Array:
        return np.nan_to_num(self.scores_other - self.scores_one)


def compare_runs(
    one: Reviews,
    other: Reviews,
    tau_one: float,
    tau_other: float,
    measure: str = DEFAULT_MEASURE,
) -> RunComparison:
    """Compare two runs, each at the threshold that belongs to its encoder.

    Raises:
        InputError: a run has no such measure.
        StatisticsError: more changes than can be resampled.
    """
    matched = _match(one, other)
    of = measure_named(measure, set(one.labels) & set(other.labels))
    all_one, all_other = _scores(one, tau_one), _scores(other, tau_other)
    scores_one, scores_other = all_one[:, matched.one], all_other[:, matched.other]
    ratings_one, ratings_other = one.ratings[matched.one], other.ratings[matched.other]
    is_rated_otherwise = (
        ~np.isnan(ratings_one) & ~np.isnan(ratings_other) & (ratings_one != ratings_other)
    )
    positions = [*zip(matched.one, matched.other, strict=True)]
    has_same_text = np.array(
        [one.texts[at] == other.texts[also] for at, also in positions], dtype=np.bool_
    )
    fills = np.isnan(ratings_one) & has_same_text[:, np.newaxis]
    ratings = np.where(fills, ratings_other, ratings_one)
    ratings[is_rated_otherwise | (np.isnan(ratings_other) & ~has_same_text[:, np.newaxis])] = np.nan
    ratings[~one.is_of_a_system[matched.one]] = np.nan
    changes, cluster = np.unique(one.change[matched.one], return_inverse=True)
    bootstrap = ClusterBootstrap(
        max(1, changes.size), _RESAMPLES if changes.size <= _MANY_CHANGES else _RESAMPLES_OF_MANY
    )
    agreement, means = [], []
    for row, name in enumerate(COMPARED):
        means.append(
            MeasureChange(
                name,
                cluster.size,
                *(
                    clustered_mean(scores[row], cluster, bootstrap)
                    for scores in (scores_one, scores_other, scores_other - scores_one)
                ),
            )
        )
        dimension = DIMENSIONS.index(name if name in DIMENSIONS else "relevance")
        judged = ~np.isnan(ratings[:, dimension])
        if judged.any():
            first, second = (
                ClusteredPairs(scores[row, judged], ratings[judged, dimension], cluster[judged])
                for scores in (scores_one, scores_other)
            )
            estimates = bootstrap.compare(first.spearman, second.spearman)
            agreement.append(MeasureChange(name, int(judged.sum()), *estimates))
    settings = {
        "encoder": (one.encoder, other.encoder),
        "precision": (one.precision.value, other.precision.value),
        "claims": (one.claims, other.claims),
        "analyzers": (_yes(one.analyzers), _yes(other.analyzers)),
        "tau": (f"{tau_one:g}", f"{tau_other:g}"),
    }
    differ = [name for name in SAME if settings[name][0] != settings[name][1]]
    if differ and of.is_score:
        said = f"No verdict: {of.title} of A and B comes from different {' and '.join(differ)}."
    else:
        said = _verdict(of, (one, tau_one), (other, tau_other))
    return RunComparison(
        one,
        other,
        said,
        {name: values for name, values in settings.items() if values[0] != values[1]},
        matched,
        scores_one,
        scores_other,
        tuple(means),
        tuple(agreement),
        int((~has_same_text).sum()),
        int(is_rated_otherwise.any(axis=1).sum()),
    )


def _verdict(measure: Measure, *runs: tuple[Reviews, float]) -> str:
    """Say which run's mean is higher, over the changes of both, by their diff."""
    measured = [MeasuredReviews.of(run, measure.name, tau) for run, tau in runs]
    chosen = [of.reviews.is_of_a_system & ~np.isnan(of.values) for of in measured]
    if not all(one.any() for one in chosen):
        return ""
    first, second = scores_by_change(list(zip(measured, chosen, strict=True)))
    of = mean_difference(second, first)
    figures = difference_words(of, measure)
    if of.p is None:
        return f"Too few changes to compare A and B: {figures}."
    if of.sign == 0:
        return f"{capital(measure.title)} of A and B does not clearly differ: {figures}."
    higher, lower = ("B", "A") if of.sign > 0 else ("A", "B")
    said = capital(measure.higher).format(one=higher, other=lower)
    figures = difference_words(of if of.sign > 0 else of.turned, measure)
    return f"{said}: {figures}."


def _yes(value: bool) -> str:  # noqa: FBT001
    return "yes" if value else "no"


def _scores(comparison: Reviews, tau: float) -> Array:
    """Scores of all reviews, (n measures, n reviews); a review without sentences counts 0."""
    return np.stack([measured_values(comparison, name, tau) for name in COMPARED])


def _match(one: Reviews, other: Reviews) -> MatchedReviews:
    """Match reviews of the same change by their id, and what is left by system and text.

    An id alone tells nothing, as another file may count its reviews the same way. Reviews whose
    id and change are the same may differ in their text.
    """
    left_one = dict(enumerate(one))
    left_other = dict(enumerate(other))
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
