"""Systems in order of a measure, every pair compared over the changes that both reviewed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import (
    FEWEST_RATED,
    FEWEST_RATED_CHANGES,
    MEASURES,
    PEOPLE,
    Measure,
    MeasuredReviews,
)
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.systems import MOST_SYSTEMS, bootstrap_of
from crscore_eval.statistics import (
    FEWEST_CHANGES,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    MeanDifference,
    ScoresByChange,
    compare_all,
)

Array = NDArray[np.float64]
Positions = NDArray[np.intp]

_MOST_CLUSTERS = 10_000


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system with its number of reviews and its means, with t intervals over changes.

    `measured` is the mean of the measure, `people` that of ratings of relevance from 1 to 5;
    `by_people` says which of them orders the systems. `words` is the mean number of words of the
    reviews, a baseline. `empty` of the reviews have no score, and means of scores count them 0.
    `scores` are means of `DIMENSIONS`, see `system_rows`. Systems with equal means share the mean
    of their ranks. `place` holds the first and the last place that the system may have: systems
    whose order is open share places. Rank and place are None for the ground truth, and for a
    system whose reviews are all empty.
    """

    system: str
    reviews: int
    empty: int
    words: float
    measured: Estimate
    people: Estimate
    by_people: bool
    scores: tuple[float, ...] | None = None
    rank: float | None = None
    place: tuple[int, int] | None = None

    @property
    def mean(self) -> Estimate:
        """The mean that orders the systems."""
        return self.people if self.by_people else self.measured

    @property
    def other(self) -> Estimate:
        """The mean that does not."""
        return self.measured if self.by_people else self.people

    @property
    def places(self) -> str:
        """`place` in words, such as 1 or 2–3; empty without one."""
        return "–".join(map(str, dict.fromkeys(self.place or ())))


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems, `higher` having the higher mean.

    `difference` compares their means, `higher` less `lower`, over the changes that both reviewed
    where these are enough: there `lower` may be the higher one. `other` does so by the other
    values, None where one of the two has none. P-values are corrected for the number of pairs.
    `settles_at` is the number of changes that settles an open order if the difference stays, None
    if there is no such number.
    """

    higher: str
    lower: str
    difference: MeanDifference
    other: MeanDifference | None
    settles_at: int | None


@dataclass(frozen=True, slots=True)
class SystemOrder:
    """Systems from the highest mean to the lowest.

    They are ordered by people's ratings if `by_people`, else by `measure`; the other of the two are
    the other values of rows and pairs. `agreement` is Spearman's rho of the measure with people's
    ratings, None unless these are enough. `pairs` are all pairs of `systems`. `reviews` and
    `changes` count what is compared, `rated` the reviews that people rated. The ground truth is
    left out, and so are the systems beyond `MOST_SYSTEMS` (`systems_left_out`), those whose reviews
    are all empty (`without_score`), and those on fewer changes than `FEWEST_CHANGES` where two
    others have more (`few_changes`). `remark` says what the measure is, where a judge gave it.
    """

    measure: Measure
    by_people: bool
    systems: tuple[SystemRow, ...]
    pairs: tuple[SystemPair, ...]
    agreement: Estimate | None
    reviews: int
    changes: int
    rated: int
    systems_left_out: int
    without_score: tuple[str, ...]
    few_changes: tuple[str, ...]
    remark: str = ""

    @property
    def ordered_by(self) -> Measure:
        """The measure that the systems are in order of."""
        return MEASURES[PEOPLE] if self.by_people else self.measure

    @property
    def contradicted(self) -> tuple[SystemPair, ...]:
        """Pairs that people clearly order otherwise than the measure, the widest first."""
        found: dict[SystemPair, MeanDifference] = {}
        for pair in self.pairs:
            if pair.other is None:
                continue
            if not self.by_people and pair.other.sign < 0:
                found[pair] = pair.other
            elif self.by_people and pair.difference.sign > 0 and pair.other.one < pair.other.other:
                found[pair] = pair.difference
        return tuple(sorted(found, key=lambda pair: -abs(found[pair].one - found[pair].other)))

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
                    **_figures("mean", "ci", each.mean),
                    "rank": each.rank,
                    "place": each.place,
                    **_figures(f"{other}_mean", f"{other}_ci", each.other),
                    "words": each.words,
                }
                for each in self.systems
            ],
            "pairs": [
                {
                    "higher": pair.higher,
                    "lower": pair.lower,
                    **_figures("difference", "ci", pair.difference.estimate),
                    "probability": pair.difference.probability,
                    "p": pair.difference.p,
                    "clear": pair.difference.sign > 0,
                    "changes": pair.difference.changes,
                    "same_changes": pair.difference.is_paired,
                    "settles_at": pair.settles_at,
                    **_figures(
                        f"{other}_difference",
                        f"{other}_ci",
                        pair.other.estimate if pair.other else None,
                    ),
                }
                for pair in self.pairs
            ],
            "agreement": self.agreement
            and {
                "measure": self.measure.name,
                **_figures("spearman", "ci", self.agreement),
                "reviews": self.rated,
            },
            "contradicted_by_people": [[pair.higher, pair.lower] for pair in self.contradicted],
            "reviews": self.reviews,
            "changes": self.changes,
            "rated_reviews": self.rated,
            "systems_left_out": self.systems_left_out,
            "systems_without_score": self.without_score,
            "systems_with_few_changes": self.few_changes,
            "remark": self.remark,
        }


def _figures(value: str, ends: str, of: Estimate | None) -> dict[str, Any]:
    return {value: of and of.value, ends: of and of.ends}


def people_decide(measured: MeasuredReviews) -> bool:
    """Return True if people rated enough reviews of systems for the order to be theirs."""
    reviews = measured.reviews
    rated = reviews.is_of_a_system & ~np.isnan(measured.people)
    is_enough = rated.sum() >= FEWEST_RATED
    return bool(is_enough and np.unique(reviews.change[rated]).size >= FEWEST_RATED_CHANGES)


def rank(
    measured: MeasuredReviews,
    bootstrap: ClusterBootstrap | None = None,
    *,
    is_chosen: bool = False,
) -> SystemOrder | None:
    """Order the systems by people's ratings where these are enough, else by the measure.

    If a person chose the measure (`is_chosen`), the order is by the measure. None where no review
    of a system has a value. Of more than `MOST_SYSTEMS` those with the most reviews are compared,
    and of equally many those with the highest means. Intervals of means and differences are t
    intervals over changes (`mean_difference`); probabilities resample changes, by default as
    `bootstrap_of` does. Of more changes than the bootstrap has clusters, several share one.
    """
    from scipy.stats import rankdata

    reviews = measured.reviews
    by_people = people_decide(measured) and (not is_chosen or measured.measure.name == PEOPLE)
    measure, values, others = measured.measure, measured.values, measured.people
    if by_people:
        measure, values, others = MEASURES[PEOPLE], others, values
    known = reviews.is_of_a_system & ~np.isnan(values)
    silent = _silent(measured, known) if measure.is_score else np.zeros(0, dtype=np.intp)
    chosen = np.flatnonzero(known & ~np.isin(reviews.system_number, silent))
    if not chosen.size:
        return None
    n_changes = int(reviews.change.max()) + 1
    cells = np.unique(reviews.system_number[chosen] * n_changes + reviews.change[chosen])
    numbers, changes = np.unique(cells // n_changes, return_counts=True)
    few = numbers[changes < FEWEST_CHANGES]
    if numbers.size - few.size < 2:
        few = few[:0]
    chosen = chosen[~np.isin(reviews.system_number[chosen], few)]
    if bootstrap is None:
        bootstrap = bootstrap_of(min(n_changes, _MOST_CLUSTERS), chosen.size)
    system = reviews.system_number[chosen]
    numbers, first, counts = np.unique(system, return_index=True, return_counts=True)
    means = np.bincount(system, values[chosen])[numbers] / counts
    shown = np.lexsort((first, -means, -counts))[:MOST_SYSTEMS]
    shown = shown[np.lexsort((first[shown], -means[shown]))]
    of_each = {reviews.systems[at]: chosen[system == at] for at in numbers[shown].tolist()}

    def by_change(column: Array) -> dict[str, ScoresByChange]:
        grouped = {name: _by_change(column, at, reviews.change) for name, at in of_each.items()}
        return {name: scores for name, scores in grouped.items() if scores}

    pairs = _pairs(by_change(values), by_change(others), bootstrap)
    rows = (_row(measured, name, at, by_people=by_people) for name, at in of_each.items())
    ranks = rankdata(-means[shown]).tolist()
    return SystemOrder(
        measured.measure,
        by_people,
        tuple(
            replace(row, rank=rank, place=_place(row.system, pairs, shown.size))
            for row, rank in zip(rows, ranks, strict=True)
        ),
        pairs,
        _agreement(measured, chosen, bootstrap),
        chosen.size,
        np.unique(reviews.change[chosen]).size,
        int((~np.isnan(measured.people[chosen])).sum()),
        numbers.size - shown.size,
        tuple(reviews.systems[number] for number in silent),
        tuple(reviews.systems[number] for number in few),
        "" if by_people else measured.remark,
    )


def system_rows(
    measured: MeasuredReviews, order: SystemOrder | None, tau: float
) -> list[SystemRow]:
    """Return the systems in their order, then the ground truth and those without a score.

    Scores are means at `tau`, None where all reviews are empty. `order` is None where no system
    has a place.
    """
    reviews = measured.reviews
    by_people = order is not None and order.by_people
    has_value = ~np.isnan(measured.people if by_people else measured.values)
    silent = _silent(measured, has_value)[:MOST_SYSTEMS].tolist()
    rows = {row.system: row for row in (order.systems if order else ())}
    scores = reviews.scores([tau])[:, 0]
    found = []
    for name in dict.fromkeys([*rows, GROUND_TRUTH, *(reviews.systems[at] for at in silent)]):
        places = np.flatnonzero(has_value & (reviews.system == name))
        if not places.size:
            continue
        row = rows.get(name) or _row(measured, name, places, by_people=by_people)
        means = None if row.empty == row.reviews else scores[:, places].mean(axis=1)
        found.append(replace(row, scores=None if means is None else tuple(means.tolist())))
    return found


def _silent(measured: MeasuredReviews, chosen: NDArray[np.bool_]) -> Positions:
    """Return the numbers of the systems whose chosen reviews are all empty."""
    reviews = measured.reviews
    return np.setdiff1d(
        reviews.system_number[chosen], reviews.system_number[chosen & ~reviews.is_empty]
    )


def _by_change(values: Array, places: Positions, change: Positions) -> ScoresByChange | None:
    """Group the known values of some reviews; None if there are none."""
    known = places[~np.isnan(values[places])]
    return ScoresByChange.of(values[known], change[known]) if known.size else None


def _row(measured: MeasuredReviews, name: str, places: Positions, *, by_people: bool) -> SystemRow:
    reviews, measure = measured.reviews, measured.measure
    empty = int(reviews.is_empty[places].sum())

    def mean(values: Array, of: Measure) -> Estimate:
        scores = _by_change(values, places, reviews.change)
        if scores is None:
            return Estimate(None, None)
        return scores.estimate(
            -np.inf if of.lowest is None else of.lowest,
            np.inf if of.highest is None else of.highest,
        )

    has_none = measure.is_score and empty == places.size and not by_people
    return SystemRow(
        name,
        places.size,
        empty,
        float(reviews.n_words[places].mean()),
        Estimate(None, None) if has_none else mean(measured.values, measure),
        mean(measured.people, MEASURES[PEOPLE]),
        by_people,
    )


def _pairs(
    values: Mapping[str, ScoresByChange],
    others: Mapping[str, ScoresByChange],
    bootstrap: ClusterBootstrap,
) -> tuple[SystemPair, ...]:
    """Compare all pairs of systems by both kinds of values."""
    found, by_others = compare_all(values, bootstrap), compare_all(others)
    n_open = sum(of.p is not None and of.sign == 0 for of in found.values())
    return tuple(
        SystemPair(
            *pair, of, by_others.get(pair), None if of.sign else of.changes_to_settle(n_open)
        )
        for pair, of in found.items()
    )


def _place(system: str, pairs: Sequence[SystemPair], systems: int) -> tuple[int, int]:
    above = sum(pair.difference.sign > 0 for pair in pairs if pair.lower == system)
    below = sum(pair.difference.sign > 0 for pair in pairs if pair.higher == system)
    return 1 + above, systems - below


def _agreement(
    measured: MeasuredReviews, chosen: Positions, bootstrap: ClusterBootstrap
) -> Estimate | None:
    """Return Spearman's rho of the measure with people's ratings, where these are enough."""
    if not people_decide(measured) or measured.measure.name == PEOPLE:
        return None
    known = ~np.isnan(measured.people[chosen]) & ~np.isnan(measured.values[chosen])
    rated = chosen[known]
    if not rated.size:
        return None
    cluster = measured.reviews.change[rated] % bootstrap.weights.shape[1]
    pairs = ClusteredPairs(measured.values[rated], measured.people[rated], cluster)
    return bootstrap.estimate(pairs.spearman)
