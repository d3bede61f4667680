"""Systems in order of a measure, every pair compared over the changes that both reviewed."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import MEASURES, PEOPLE, Measure, MeasuredReviews
from crscore_core.corpus.systems import MOST_SYSTEMS, bootstrap_of
from crscore_core.statistics import (
    FEWEST_CHANGES,
    SURE,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    MeanDifference,
    ScoresByChange,
    holm,
    mean_difference,
    share_above,
)

Array = NDArray[np.float64]

FEWEST_RATED, FEWEST_RATED_CHANGES = 50, 10
"""Rated reviews, and changes of these, from which on people's ratings decide."""

_MOST_CLUSTERS = 10_000


@dataclass(frozen=True, slots=True)
class SystemPlace:
    """A system with its number of reviews, its mean with a t interval over changes, and its rank.

    Systems with equal means share the mean of their ranks. `place` holds the first and the last
    place that the system may have: systems whose order is open share places. `other` is the mean
    of the other values (see `SystemOrder`), None where there is none. `words` is the mean number
    of words of its reviews, a baseline. `empty` of its reviews have no score, and means of scores
    count them 0.
    """

    system: str
    reviews: int
    mean: Estimate
    rank: float
    place: tuple[int, int]
    other: Estimate | None
    words: float
    empty: int


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems, `higher` having the higher mean.

    `of` compares their means, `higher` less `lower`, over the changes that both reviewed where
    these are enough; `other` does so by the other values, None where one of the two has none.
    `p` and the p-value of `other` are corrected for the number of pairs by Holm's method, None with
    too few changes. `probability` is the share of resamples in which `higher` is above, equal means
    counting half. `settles_at` is the number of changes that settles an open order if the
    difference stays, None if there is no such number.
    """

    higher: str
    lower: str
    of: MeanDifference
    other: MeanDifference | None
    probability: float | None
    p: float | None = None
    settles_at: int | None = None

    @property
    def difference(self) -> Estimate:
        """The difference of the means."""
        return self.of.estimate

    @property
    def is_clear(self) -> bool:
        """True if `higher` is higher beyond chance, after the correction."""
        return self.p is not None and self.p < SURE and self.of.one > self.of.other

    @property
    def is_reversed(self) -> bool:
        """True if `lower` is higher beyond chance on the changes that both reviewed."""
        return self.p is not None and self.p < SURE and self.of.one < self.of.other

    @property
    def other_sign(self) -> int:
        """Sign of the difference by the other values, 0 where it may be chance."""
        return 0 if self.other is None else self.other.sign


@dataclass(frozen=True, slots=True)
class SystemOrder:
    """Systems from the highest mean to the lowest.

    They are ordered by people's ratings if `by_people`, else by `measure`; the other of the two are
    the other values of places and pairs. `agreement` is Spearman's rho of the measure with people's
    ratings, None unless these are enough. `pairs` are all pairs of `systems`. `reviews` and
    `changes` count what is compared, `rated` the reviews that people rated. The ground truth is
    left out, and so are the systems beyond `MOST_SYSTEMS` (`systems_left_out`), those whose reviews
    are all empty (`without_score`), and those on fewer changes than `FEWEST_CHANGES` where two
    others have more (`few_changes`).
    """

    measure: Measure
    by_people: bool
    systems: tuple[SystemPlace, ...]
    pairs: tuple[SystemPair, ...]
    agreement: Estimate | None
    reviews: int
    changes: int
    rated: int
    systems_left_out: int = 0
    without_score: tuple[str, ...] = ()
    few_changes: tuple[str, ...] = ()

    @property
    def ordered_by(self) -> Measure:
        """The measure that the systems are in order of."""
        return MEASURES[PEOPLE] if self.by_people else self.measure

    @property
    def contradicted(self) -> tuple[SystemPair, ...]:
        """Pairs that people clearly order otherwise than the measure, the widest first."""
        if self.by_people:
            found = [
                pair
                for pair in self.pairs
                if pair.is_clear and pair.other and pair.other.one < pair.other.other
            ]
        else:
            found = [pair for pair in self.pairs if pair.other_sign < 0]
        return tuple(sorted(found, key=lambda pair: -_people_gap(pair, by_people=self.by_people)))

    def as_json(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        other = "measure" if self.by_people else PEOPLE
        return {
            "measure": self.ordered_by.name,
            "systems": [
                {
                    "system": each.system,
                    "n": each.reviews,
                    "empty": each.empty,
                    "mean": each.mean.value,
                    "ci": each.mean.ends,
                    "rank": each.rank,
                    "place": each.place,
                    f"{other}_mean": each.other and each.other.value,
                    f"{other}_ci": each.other and each.other.ends,
                    "words": each.words,
                }
                for each in self.systems
            ],
            "pairs": [
                {
                    "higher": pair.higher,
                    "lower": pair.lower,
                    "difference": pair.difference.value,
                    "ci": pair.difference.ends,
                    "probability": pair.probability,
                    "p": pair.p,
                    "clear": pair.is_clear,
                    "changes": pair.of.changes,
                    "same_changes": pair.of.is_paired,
                    "settles_at": pair.settles_at,
                    f"{other}_difference": pair.other and pair.other.estimate.value,
                    f"{other}_ci": pair.other and pair.other.estimate.ends,
                }
                for pair in self.pairs
            ],
            "agreement": self.agreement
            and {
                "measure": self.measure.name,
                "spearman": self.agreement.value,
                "ci": self.agreement.ends,
                "reviews": self.rated,
            },
            "contradicted_by_people": [[pair.higher, pair.lower] for pair in self.contradicted],
            "reviews": self.reviews,
            "changes": self.changes,
            "rated_reviews": self.rated,
            "systems_left_out": self.systems_left_out,
            "systems_without_score": self.without_score,
            "systems_with_few_changes": self.few_changes,
        }


def people_decide(measured: MeasuredReviews) -> bool:
    """Return True if people rated enough reviews of systems for the order to be theirs."""
    reviews = measured.reviews
    rated = reviews.is_of_a_system & ~np.isnan(measured.people)
    is_enough = rated.sum() >= FEWEST_RATED
    return bool(is_enough and np.unique(reviews.change[rated]).size >= FEWEST_RATED_CHANGES)


def order_systems(
    measured: MeasuredReviews,
    bootstrap: ClusterBootstrap | None = None,
    *,
    by_people: bool = False,
) -> SystemOrder | None:
    """Order the systems by the mean of a measure, or by people; None where no review has a value.

    Of more than `MOST_SYSTEMS` those with the most reviews are compared, and of equally many those
    with the highest means. Intervals of means and differences are t intervals over changes
    (`mean_difference`); shares resample changes, by default as `bootstrap_of` does. Of more changes
    than the bootstrap has clusters, several share one.
    """
    reviews = measured.reviews
    from scipy.stats import rankdata

    values, others = (
        (measured.people, measured.values) if by_people else (measured.values, measured.people)
    )
    measure, other = measured.measure, MEASURES[PEOPLE]
    if by_people:
        measure, other = other, measure
    known = reviews.is_of_a_system & ~np.isnan(values)
    has_text = np.isin(reviews.system_number, reviews.system_number[known & ~reviews.is_empty])
    chosen = np.flatnonzero(known & (has_text | ~measure.is_score))
    if not chosen.size:
        return None
    n_changes = int(reviews.change.max()) + 1
    has_enough = _changes_of_each(measured, chosen, n_changes) >= FEWEST_CHANGES
    few = np.unique(reviews.system_number[chosen[~has_enough[reviews.system_number[chosen]]]])
    if has_enough.sum() < 2:
        few = few[:0]
    chosen = chosen[~np.isin(reviews.system_number[chosen], few)]
    if bootstrap is None:
        bootstrap = bootstrap_of(min(n_changes, _MOST_CLUSTERS), chosen.size)
    system = reviews.system_number[chosen]
    numbers, first, counts = np.unique(system, return_index=True, return_counts=True)
    means = np.bincount(system, values[chosen])[numbers] / counts
    shown = np.lexsort((first, -means, -counts))[:MOST_SYSTEMS]
    shown = shown[np.lexsort((first[shown], -means[shown]))]
    ranks = rankdata(-means[shown]).tolist()
    of_each = {
        reviews.systems[number]: chosen[system == number] for number in numbers[shown].tolist()
    }
    by_change, others_by_change = (
        {
            name: ScoresByChange.of(column[valued], reviews.change[valued])
            for name, places in of_each.items()
            if (valued := places[~np.isnan(column[places])]).size
        }
        for column in (values, others)
    )
    pairs = _corrected(_pairs(list(of_each), by_change, others_by_change, bootstrap))
    return SystemOrder(
        measured.measure,
        by_people,
        tuple(
            SystemPlace(
                name,
                places.size,
                mean_over_changes(by_change[name], measure),
                rank,
                _place(name, pairs, len(of_each)),
                mean_over_changes(also, other) if (also := others_by_change.get(name)) else None,
                float(reviews.n_words[places].mean()),
                int(reviews.is_empty[places].sum()),
            )
            for (name, places), rank in zip(of_each.items(), ranks, strict=True)
        ),
        pairs,
        _agreement(measured, chosen, bootstrap),
        chosen.size,
        np.unique(reviews.change[chosen]).size,
        int((~np.isnan(measured.people[chosen])).sum()),
        numbers.size - shown.size,
        tuple(reviews.systems[n] for n in np.unique(reviews.system_number[known & ~has_text]))
        if measure.is_score
        else (),
        tuple(reviews.systems[number] for number in few),
    )


def mean_over_changes(scores: ScoresByChange, measure: Measure) -> Estimate:
    """Return the mean of a measure with a t interval over changes, within the measure's range."""
    if measure.lowest is None or measure.highest is None:
        return scores.estimate(-np.inf, np.inf)
    return scores.estimate(measure.lowest, measure.highest)


def _place(system: str, pairs: Sequence[SystemPair], systems: int) -> tuple[int, int]:
    above = sum(pair.is_clear for pair in pairs if pair.lower == system)
    below = sum(pair.is_clear for pair in pairs if pair.higher == system)
    return 1 + above, systems - below


def _people_gap(pair: SystemPair, *, by_people: bool) -> float:
    of = pair.of if by_people else pair.other
    return 0.0 if of is None else abs(of.one - of.other)


def _pairs(
    order: Sequence[str],
    values: Mapping[str, ScoresByChange],
    others: Mapping[str, ScoresByChange],
    bootstrap: ClusterBootstrap,
) -> Iterator[SystemPair]:
    """Compare all pairs of systems by both kinds of values."""
    weights = bootstrap.weights.astype(np.float64)
    for higher, lower in itertools.combinations(order, 2):
        of = mean_difference(values[higher], values[lower])
        has_other = higher in others and lower in others
        yield SystemPair(
            higher,
            lower,
            of,
            mean_difference(others[higher], others[lower]) if has_other else None,
            None if of.p is None else share_above(values[higher], values[lower], weights),
            of.p,
        )


def _changes_of_each(
    measured: MeasuredReviews, chosen: NDArray[np.intp], n_changes: int
) -> NDArray[np.intp]:
    """Return the number of changes that each system reviewed, (n systems,)."""
    reviews = measured.reviews
    cells = np.unique(reviews.system_number[chosen] * n_changes + reviews.change[chosen])
    return np.bincount(cells // n_changes, minlength=len(reviews.systems))


def _corrected(pairs: Iterable[SystemPair]) -> tuple[SystemPair, ...]:
    """Correct p-values for the number of pairs, and say how many changes settle what is open."""
    numbered = dict(enumerate(pairs))
    p_values = holm({number: pair.p for number, pair in numbered.items()})
    others = {number: pair.other for number, pair in numbered.items() if pair.other}
    p_of_others = holm({number: of.p for number, of in others.items()})
    corrected = [
        replace(
            pair,
            p=p_values.get(number),
            other=pair.other and replace(pair.other, p=p_of_others.get(number)),
        )
        for number, pair in numbered.items()
    ]
    settled = [pair.is_clear or pair.is_reversed for pair in corrected]
    n_open = sum(
        pair.p is not None and not done for pair, done in zip(corrected, settled, strict=True)
    )
    return tuple(
        pair if done else replace(pair, settles_at=pair.of.changes_to_settle(n_open))
        for pair, done in zip(corrected, settled, strict=True)
    )


def _agreement(
    measured: MeasuredReviews, chosen: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> Estimate | None:
    """Return Spearman's rho of the measure with people's ratings, where these are enough."""
    reviews = measured.reviews
    if not people_decide(measured) or measured.measure.name == PEOPLE:
        return None
    known = ~np.isnan(measured.people[chosen]) & ~np.isnan(measured.values[chosen])
    rated = chosen[known]
    if not rated.size:
        return None
    cluster = reviews.change[rated] % bootstrap.weights.shape[1]
    pairs = ClusteredPairs(measured.values[rated], measured.people[rated], cluster)
    return bootstrap.estimate(pairs.spearman)
