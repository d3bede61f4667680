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
from crscore_core.corpus.systems import bootstrap_of
from crscore_core.ranking.verdict import difference_words
from crscore_core.statistics import (
    ClusteredPairs,
    Estimate,
    MeanDifference,
    ScoresByChange,
    mean_difference,
)
from crscore_core.text import capital

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
Positions = NDArray[np.intp]

COMPARED = tuple(name for name, measure in MEASURES.items() if measure.is_score)
"""Names of the scores that are compared review by review."""


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
class Agreement:
    """Spearman's rho of each run's scores with people's ratings of the same `n` reviews.

    `difference` is the second less the first; intervals resample changes.
    """

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
    name of each setting that differs to its value in either run. `means` compares the mean scores
    of the matched reviews, the second run's less the first's; empty without such reviews.
    `agreement` is that with people's ratings of the same dimension, without a threshold with
    relevance, on reviews with the same text: where both runs have ratings, with their mean.
    `n_other_texts` says how many matched reviews have another text in the second run.

    `changed` has the matched reviews whose scores differ, the largest changes of the first of
    `COMPARED` first, then of the next. Columns: `review`, `change`, `system`, `text` (of the second
    run); of each of `COMPARED` its scores `one` and `other` and the `difference`, all prefixed with
    its name and a blank, NaN where an empty review has no score.
    """

    one: Reviews
    other: Reviews
    verdict: str
    settings: Mapping[str, tuple[str, str]]
    matched: MatchedReviews
    means: Mapping[str, MeanDifference]
    agreement: Mapping[str, Agreement]
    changed: "pd.DataFrame"
    n_other_texts: int


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
        InputError: more changes than can be resampled.
    """
    matched = _match(one, other)
    of = measure_named(measure, set(one.labels) & set(other.labels))
    scores_one, scores_other = (
        np.stack([measured_values(run, name, tau)[places] for name in COMPARED])
        for run, tau, places in ((one, tau_one, matched.one), (other, tau_other, matched.other))
    )
    change = one.change[matched.one]
    means = {
        name: mean_difference(ScoresByChange.of(after, change), ScoresByChange.of(before, change))
        for name, before, after in zip(COMPARED, scores_one, scores_other, strict=True)
        if change.size
    }
    settings = {
        "encoder": (one.encoder, other.encoder),
        "precision": (one.precision, other.precision),
        "claims": (one.claims, other.claims),
        "analyzers": (_yes(one.analyzers), _yes(other.analyzers)),
        "tau": (f"{tau_one:g}", f"{tau_other:g}"),
    }
    differ = [name for name in SAME if settings[name][0] != settings[name][1]]
    if differ and of.is_score:
        said = f"No verdict: {of.title} of A and B comes from different {' and '.join(differ)}."
    else:
        said = _verdict(of, (one, tau_one), (other, tau_other))
    texts = zip(matched.one, matched.other, strict=True)
    has_same_text = np.array([one.texts[at] == other.texts[also] for at, also in texts], np.bool_)
    first, second = one.ratings[matched.one], other.ratings[matched.other]
    ratings = np.where(
        np.isnan(first), second, (first + np.where(np.isnan(second), first, second)) / 2
    )
    ratings[~has_same_text | ~one.is_of_a_system[matched.one]] = np.nan
    return RunComparison(
        one,
        other,
        said,
        {name: values for name, values in settings.items() if values[0] != values[1]},
        matched,
        means,
        _agreement(scores_one, scores_other, ratings, change),
        _changed(one, other, matched, scores_one, scores_other),
        int((~has_same_text).sum()),
    )


def _agreement(
    scores_one: Array, scores_other: Array, ratings: Array, change: Positions
) -> dict[str, Agreement]:
    """Correlate both runs' scores with ratings, (n reviews, n dimensions), where people rated."""
    changes, cluster = np.unique(change, return_inverse=True)
    bootstrap = bootstrap_of(max(1, changes.size), change.size)
    found = {}
    for name, *scores in zip(COMPARED, scores_one, scores_other, strict=True):
        people = ratings[:, DIMENSIONS.index(name if name in DIMENSIONS else "relevance")]
        judged = ~np.isnan(people)
        if judged.any():
            first, second = (
                ClusteredPairs(side[judged], people[judged], cluster[judged]) for side in scores
            )
            estimates = bootstrap.compare(first.spearman, second.spearman)
            found[name] = Agreement(int(judged.sum()), *estimates)
    return found


def _changed(
    one: Reviews, other: Reviews, matched: MatchedReviews, scores_one: Array, scores_other: Array
) -> "pd.DataFrame":
    """List the matched reviews whose scores, (n measures, n matched), differ."""
    import pandas as pd

    differences = np.abs(scores_other - scores_one)
    differ = np.flatnonzero(differences.any(axis=0))
    order = differ[np.lexsort(-differences[::-1, differ])]
    reviews = [other[at] for at in matched.other[order]]
    columns: dict[str, object] = {
        "review": [review.id for review in reviews],
        "change": [other.changes[review.change].id for review in reviews],
        "system": [review.system for review in reviews],
    }
    before, after = (
        np.where(run.is_empty[places[order]], np.nan, scores[:, order])
        for run, places, scores in (
            (one, matched.one, scores_one),
            (other, matched.other, scores_other),
        )
    )
    for row, name in enumerate(COMPARED):
        columns[f"{name} one"], columns[f"{name} other"] = before[row], after[row]
        columns[f"{name} difference"] = after[row] - before[row]
    return pd.DataFrame({**columns, "text": [review.text for review in reviews]})


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
