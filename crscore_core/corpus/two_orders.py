"""Systems and reviews in two orders, by predicted relevance and by Rel, and where these disagree.

Predicted relevance says what people would say of a review, Rel how much of the change the review
talks about.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.at_odds import (
    FIRST,
    OWN,
    STUDY_CLAIMS,
    agreement_words,
    listed,
    opposite_words,
    published_agreement,
    short_name,
)
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.systems import MOST_SYSTEMS, bootstrap_of
from crscore_core.predicted.model import BesideRel, HeldOut
from crscore_core.statistics import (
    FEWEST_CHANGES,
    SURE,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    MeanDifference,
    RankedSystem,
    ScoresByChange,
    holm,
    mean_difference,
    rank_systems,
    share_above,
    system_scores,
)
from crscore_core.statistics.disagreement import disagreement

Array = NDArray[np.float64]

FEWEST_RATED, FEWEST_RATED_CHANGES = 50, 10
"""Rated reviews, and changes of these, from which on people's own ratings decide."""

FAR_APART = 0.5
"""Share of the reviews that have to lie between the places of a review in the two orders."""

_RATINGS = 1, 5
_MOST_CLUSTERS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredReviews:
    """Reviews by both measures, and what people say of them: n reviews in one order.

    `ids` has their names. `system`, (n,), says which of `systems` wrote each, `change`, (n,),
    numbers their changes from 0. `predicted` and `rel`, (n,), are predicted relevance and Rel, from
    0 to 1, `people`, (n,), ratings of relevance from 1 to 5; NaN where there is none. `is_empty`,
    (n,), marks reviews without sentences: they have no score, and means count them 0. Predictions
    are for similarities of `encoder`, to pseudo-references named `claims`. `knows_people` says
    that ratings count: people meant them, and no model was fitted to them. Those of reviews that
    were compared with the study's own claims never count, as the model was.
    """

    ids: Sequence[str]
    systems: tuple[str, ...]
    system: NDArray[np.intp]
    change: NDArray[np.intp]
    predicted: Array
    rel: Array
    people: Array
    is_empty: NDArray[np.bool_]
    encoder: str
    claims: str
    knows_people: bool = True

    @classmethod
    def of(
        cls,
        comparison: CorpusComparison,
        predicted: Array,
        rel: Array,
        *,
        knows_people: bool = True,
    ) -> "MeasuredReviews":
        """Take the reviews of a comparison, with both measures of each, (n reviews,)."""
        reviews = comparison.rated_maxima
        return cls(
            [review.id for review in comparison.reviews],
            reviews.systems,
            reviews.system,
            comparison.change,
            predicted,
            rel,
            comparison.ratings[:, DIMENSIONS.index("relevance")],
            reviews.is_empty,
            comparison.encoder,
            comparison.claims,
            knows_people,
        )


@dataclass(frozen=True, slots=True)
class SystemPlaces:
    """A system with its number of reviews, and its mean and rank by either measure.

    `people` is the mean of people's ratings of relevance, from 1 to 5, None where there is none.
    `empty` of the reviews have no score, and the means count them 0.
    `place` holds the first and the last place that the system may have by predicted relevance:
    systems whose order is not sure share places.
    """

    system: str
    reviews: int
    predicted: RankedSystem
    rel: RankedSystem
    place: tuple[int, int]
    people: Estimate | None = None
    empty: int = 0


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems, `better` having the higher mean of predicted relevance.

    `of` is the difference of their means of predicted relevance, `better` less `worse`, over the
    changes that both reviewed where these are enough; `rel` is that of their means of Rel, and
    `people` that of people's ratings from 1 to 5, its p-value corrected too, None where one has no
    rating.
    `probability` is the share of resamples in which `better` is above, equal means counting half;
    None with too few changes, as is `p`, the p-value corrected for the number of pairs by Holm's
    method. `settles_at` is the number of changes that makes an unsure order sure if the difference
    stays, None if there is no such number. `is_opposite` says that the measures order the two
    oppositely, at least one of them clearly.
    """

    better: str
    worse: str
    of: MeanDifference
    rel: MeanDifference
    people: MeanDifference | None
    probability: float | None
    is_opposite: bool
    p: float | None = None
    settles_at: int | None = None

    @property
    def predicted(self) -> Estimate:
        """The difference of the means of predicted relevance."""
        return self.of.estimate

    @property
    def is_sure(self) -> bool:
        """True if `better` is better beyond chance, after the correction."""
        return self.p is not None and self.p < SURE and self.of.one > self.of.other

    @property
    def is_reversed(self) -> bool:
        """True if `worse` is better beyond chance on the changes that both reviewed."""
        return self.p is not None and self.p < SURE and self.of.one < self.of.other


@dataclass(frozen=True, slots=True)
class TwoOrders:
    """Systems by predicted relevance from best to worst, and what Rel says otherwise.

    `pairs` are all pairs of `systems`, best first; `systems_left_out` counts the systems beyond
    `MOST_SYSTEMS`, `without_score` names those whose reviews are all empty, and `few_changes` those
    on fewer changes than `FEWEST_CHANGES`, where two others have more; they have no place.
    `agreement` says how far either measure agrees with people. `reviews` and
    `changes` count what is compared, `rated` the reviews that people rated. `far_apart` counts
    the reviews that lie farther apart in the two orders than `FAR_APART`; `first_apart` are the
    ids of the farthest, each with True where predicted relevance puts the review higher. The
    ground truth is left out.
    """

    systems: tuple[SystemPlaces, ...]
    systems_left_out: int
    pairs: tuple[SystemPair, ...]
    agreement: tuple[BesideRel, ...]
    reviews: int
    changes: int
    rated: int
    far_apart: int
    first_apart: tuple[tuple[str, bool], ...]
    without_score: tuple[str, ...] = ()
    few_changes: tuple[str, ...] = ()

    @property
    def opposite(self) -> tuple[SystemPair, ...]:
        """The pairs that the two measures order oppositely, the largest gap first."""
        pairs = [pair for pair in self.pairs if pair.is_opposite]
        return tuple(sorted(pairs, key=lambda pair: -(pair.predicted.value or 0)))

    def disagreement(self, name: Callable[[str], str] = str) -> list[str]:
        """Say in sentences where the measures disagree, and which agreed better with people.

        No sentence where they do not disagree. `name` gives the name of a system for readers;
        names and ids are people's text, as it came.
        """
        sentences = []
        named = []
        for pair in self.opposite:
            names = short_name(name(pair.better)), short_name(name(pair.worse))
            named.append(" and ".join(names))
            if len(named) == 1:
                gaps = ((of.one, of.other, of.estimate) for of in (pair.of, pair.rel))
                sentences.append(opposite_words(*names, *gaps))
        if named[1:]:
            sentences.append(f"So they do about {listed(named[1:])}.")
        if self.far_apart:
            named = [
                f"{short_name(review)} ({'higher' if is_higher else 'lower'})"
                for review, is_higher in self.first_apart
            ]
            have = "has" if self.far_apart == 1 else "have"
            sentences.append(
                f"{self.far_apart:,} of {self.reviews:,} reviews {have} very different places by "
                "the two, half of all reviews or more between them; by predicted relevance: "
                f"{listed(named, self.far_apart - len(named))}."
            )
        return [*sentences, *agreement_words(self.agreement)] if sentences else []

    def as_json(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        return {
            "systems": [
                {
                    "system": each.system,
                    "n": each.reviews,
                    "empty": each.empty,
                    "predicted_relevance": each.predicted.mean.value,
                    "ci": each.predicted.mean.ends,
                    "rank": each.predicted.rank.value,
                    "place": each.place,
                    "relevance": each.rel.mean.value,
                    "relevance_ci": each.rel.mean.ends,
                    "relevance_rank": each.rel.rank.value,
                    "human_relevance": each.people and each.people.value,
                    "human_relevance_ci": each.people and each.people.ends,
                }
                for each in self.systems
            ],
            "systems_left_out": self.systems_left_out,
            "systems_without_score": self.without_score,
            "systems_with_few_changes": self.few_changes,
            "pairs": [
                {
                    "better": pair.better,
                    "worse": pair.worse,
                    "difference": pair.predicted.value,
                    "ci": pair.predicted.ends,
                    "probability": pair.probability,
                    "p": pair.p,
                    "sure": pair.is_sure,
                    "changes": pair.of.changes,
                    "same_changes": pair.of.is_paired,
                    "settles_at": pair.settles_at,
                    "relevance_difference": pair.rel.estimate.value,
                    "relevance_ci": pair.rel.estimate.ends,
                    "human_relevance_difference": pair.people and pair.people.estimate.value,
                    "human_relevance_ci": pair.people and pair.people.estimate.ends,
                    "opposite": pair.is_opposite,
                }
                for pair in self.pairs
            ],
            "agreement": [
                {
                    "data": each.measured.data,
                    "claims": each.measured.claims,
                    "left_out": each.measured.left_out,
                    "reviews": each.measured.reviews,
                    "measure": each.measured.measure,
                    "predicted_relevance": each.measured.estimate.value,
                    "ci": each.measured.estimate.ends,
                    "relevance": each.rel.value,
                    "relevance_ci": each.rel.ends,
                    "difference": each.difference.value,
                    "difference_ci": each.difference.ends,
                }
                for each in self.agreement
            ],
            "reviews": self.reviews,
            "changes": self.changes,
            "rated_reviews": self.rated,
            "reviews_far_apart": self.far_apart,
            "first_far_apart": [review for review, _ in self.first_apart],
            "disagreement": self.disagreement(),
        }


def two_orders(
    reviews: MeasuredReviews, bootstrap: ClusterBootstrap | None = None
) -> TwoOrders | None:
    """Order systems and reviews by both measures; None where no review of a system has both.

    A system whose reviews are all empty has no score, so no place, and neither has one on fewer
    changes than `FEWEST_CHANGES` where two others have as many. Of more than `MOST_SYSTEMS`, those
    with the most reviews are compared, and of equally many those with the highest means. Intervals
    of means and differences are t intervals over changes (`mean_difference`); ranks and shares
    resample changes, by default as `bootstrap_of` does. Of more changes than the bootstrap has
    clusters, several share one.
    """
    is_a_system = np.array([name != GROUND_TRUTH for name in reviews.systems], dtype=np.bool_)
    known = ~np.isnan(reviews.predicted) & ~np.isnan(reviews.rel) & is_a_system[reviews.system]
    is_heard = np.isin(reviews.system, reviews.system[known & ~reviews.is_empty])
    chosen = np.flatnonzero(known & is_heard)
    if not chosen.size:
        return None
    n_changes = int(reviews.change.max()) + 1
    has_enough = _changes_of_each(reviews, chosen, n_changes) >= FEWEST_CHANGES
    few = np.unique(reviews.system[chosen[~has_enough[reviews.system[chosen]]]])
    if has_enough.sum() < 2:
        few = few[:0]
    chosen = chosen[~np.isin(reviews.system[chosen], few)]
    if bootstrap is None:
        bootstrap = bootstrap_of(min(n_changes, _MOST_CLUSTERS), chosen.size)
    system = reviews.system[chosen]
    numbers, first, counts = np.unique(system, return_index=True, return_counts=True)
    means = np.bincount(system, reviews.predicted[chosen])[numbers] / counts
    kept = np.lexsort((first, -means, -counts))[:MOST_SYSTEMS]
    shown = numbers[kept]
    of_shown = chosen[np.isin(system, shown)]
    names = [reviews.systems[number] for number in reviews.system[of_shown]]
    n_clusters = bootstrap.weights.shape[1]
    cluster = reviews.change % n_clusters
    by_predicted, by_rel = (
        system_scores(values[of_shown], names, cluster[of_shown], n_clusters)
        for values in (reviews.predicted, reviews.rel)
    )
    ranked, also = (rank_systems(scores, bootstrap).systems for scores in (by_predicted, by_rel))
    rel = {each.system: each for each in also}
    of_each = {reviews.systems[number]: chosen[system == number] for number in shown.tolist()}
    of_predicted, of_rel, of_people = (
        {
            name: ScoresByChange.of(values[valued], reviews.change[valued])
            for name, places in of_each.items()
            if (valued := places[~np.isnan(values[places])]).size
        }
        for values in (reviews.predicted, reviews.rel, reviews.people)
    )
    order = [each.system for each in ranked]
    pairs = _corrected(_pairs(order, of_predicted, of_rel, of_people, bootstrap))
    apart = disagreement(reviews.predicted[chosen], reviews.rel[chosen])
    is_far = np.abs(apart.one - apart.other) > FAR_APART
    return TwoOrders(
        tuple(
            SystemPlaces(
                each.system,
                of_each[each.system].size,
                replace(each, mean=of_predicted[each.system].estimate()),
                replace(rel[each.system], mean=of_rel[each.system].estimate()),
                (
                    1 + sum(pair.is_sure for pair in pairs if pair.worse == each.system),
                    len(ranked) - sum(pair.is_sure for pair in pairs if pair.better == each.system),
                ),
                rated.estimate(*_RATINGS) if (rated := of_people.get(each.system)) else None,
                int(reviews.is_empty[of_each[each.system]].sum()),
            )
            for each in ranked
        ),
        numbers.size - shown.size,
        pairs,
        _agreement(reviews, chosen, bootstrap),
        chosen.size,
        np.unique(reviews.change[chosen]).size,
        int((~np.isnan(reviews.people[chosen])).sum()),
        int(is_far.sum()),
        tuple(
            (reviews.ids[chosen[apart.positions[row]]], bool(apart.one[row] > apart.other[row]))
            for row in np.flatnonzero(is_far)[:FIRST]
        ),
        tuple(reviews.systems[number] for number in np.unique(reviews.system[known & ~is_heard])),
        tuple(reviews.systems[number] for number in few),
    )


def _pairs(
    order: Sequence[str],
    predicted: Mapping[str, ScoresByChange],
    rel: Mapping[str, ScoresByChange],
    people: Mapping[str, ScoresByChange],
    bootstrap: ClusterBootstrap,
) -> Iterator[SystemPair]:
    """Compare all pairs of systems by the scores and ratings of each."""
    weights = bootstrap.weights.astype(np.float64)
    for better, worse in itertools.combinations(order, 2):
        of = mean_difference(predicted[better], predicted[worse])
        by_rel = mean_difference(rel[better], rel[worse])
        is_rated = better in people and worse in people
        can_tell = of.p is not None
        yield SystemPair(
            better,
            worse,
            of,
            by_rel,
            mean_difference(people[better], people[worse]) if is_rated else None,
            share_above(predicted[better], predicted[worse], weights) if can_tell else None,
            can_tell and _contradict(of, by_rel),
            of.p,
        )


def _contradict(one: MeanDifference, other: MeanDifference) -> bool:
    """Return True if two differences point opposite ways, and one of them clearly."""
    values = (of.one - of.other for of in (one, other))
    return math.prod(values) < 0 and bool(one.sign or other.sign)


def _changes_of_each(
    reviews: MeasuredReviews, chosen: NDArray[np.intp], n_changes: int
) -> NDArray[np.intp]:
    """Return the number of changes that each system reviewed, (n systems,)."""
    cells = np.unique(reviews.system[chosen] * n_changes + reviews.change[chosen])
    return np.bincount(cells // n_changes, minlength=len(reviews.systems))


def _corrected(pairs: Iterable[SystemPair]) -> tuple[SystemPair, ...]:
    """Correct p-values for the number of pairs, and say how many changes settle what is open."""
    numbered = dict(enumerate(pairs))
    p_values = holm({number: pair.p for number, pair in numbered.items()})
    of_people = {number: pair.people for number, pair in numbered.items() if pair.people}
    by_people = holm({number: of.p for number, of in of_people.items()})
    corrected = [
        replace(
            pair,
            p=p_values.get(number),
            people=pair.people and replace(pair.people, p=by_people.get(number)),
        )
        for number, pair in numbered.items()
    ]
    settled = [pair.is_sure or pair.is_reversed for pair in corrected]
    n_open = sum(
        pair.p is not None and not done for pair, done in zip(corrected, settled, strict=True)
    )
    return tuple(
        pair if done else replace(pair, settles_at=pair.of.changes_to_settle(n_open))
        for pair, done in zip(corrected, settled, strict=True)
    )


def _agreement(
    reviews: MeasuredReviews, chosen: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> tuple[BesideRel, ...]:
    """Agreement on the reviews' own ratings where these are enough, else the published one."""
    rated = chosen[~np.isnan(reviews.people[chosen])]
    is_enough = rated.size >= FEWEST_RATED and (
        np.unique(reviews.change[rated]).size >= FEWEST_RATED_CHANGES
    )
    knows_people = reviews.knows_people and reviews.claims != STUDY_CLAIMS
    if not (knows_people and is_enough):
        return published_agreement(reviews.encoder, reviews.claims)
    cluster = reviews.change[rated] % bootstrap.weights.shape[1]
    by_rel, by_predicted = (
        ClusteredPairs(values[rated], reviews.people[rated], cluster).spearman
        for values in (reviews.rel, reviews.predicted)
    )
    rel, predicted, difference = bootstrap.compare(by_rel, by_predicted)
    measured = HeldOut("", OWN, reviews.claims, rated.size, "spearman", predicted)
    return (BesideRel(measured, rel, difference),)
