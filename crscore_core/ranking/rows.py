"""Rows of a table of systems: the measure that orders them next to scores, ratings and words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import MEASURES, PEOPLE, Measure, MeasuredReviews
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.systems import MOST_SYSTEMS
from crscore_core.ranking.order import SystemOrder, mean_over_changes
from crscore_core.statistics import Estimate, ScoresByChange

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system with the means of its reviews that have a value of the measure.

    `place` is None for the ground truth, and for a system whose reviews are all empty: it has no
    scores. `leading` is the mean of the measure that the systems are in order of, `people` that of
    ratings of relevance from 1 to 5, both with t intervals over changes. `scores` are means of
    `DIMENSIONS`, `words` is the mean number of words, a baseline. `empty` of the reviews have no
    score, and means count them 0.
    """

    system: str
    place: str | None
    reviews: int
    empty: int
    leading: Estimate
    people: Estimate
    scores: tuple[float, ...] | None
    words: float


def system_rows(
    measured: MeasuredReviews, order: SystemOrder | None, tau: float
) -> list[SystemRow]:
    """Return the systems in their order, then the ground truth and those without a score.

    Values and scores are at `tau`; `order` is None where no system has a place.
    """
    reviews = measured.reviews
    places = {each.system: each.place for each in order.systems} if order else {}
    by_people = order is not None and order.by_people
    scores = reviews.scores([tau])[:, 0]
    has_value = ~np.isnan(measured.people if by_people else measured.values)
    has_text = np.isin(reviews.system_number, reviews.system_number[has_value & ~reviews.is_empty])
    silent = np.unique(reviews.system_number[has_value & ~has_text])[:MOST_SYSTEMS]
    names = dict.fromkeys([*places, GROUND_TRUTH, *(reviews.systems[at] for at in silent.tolist())])
    rows = []
    for name in names:
        of_system = has_value & (reviews.system == name)
        if not of_system.any():
            continue
        is_silent = bool(reviews.is_empty[of_system].all())
        people = _mean(measured.people, of_system, reviews.change, MEASURES[PEOPLE])
        if by_people:
            leading = people
        elif is_silent and measured.measure.is_score:
            leading = Estimate(None, None)
        else:
            leading = _mean(measured.values, of_system, reviews.change, measured.measure)
        place = places.get(name)
        rows.append(
            SystemRow(
                name,
                "–".join(map(str, dict.fromkeys(place))) if place else None,
                int(of_system.sum()),
                int(reviews.is_empty[of_system].sum()),
                leading,
                people,
                None if is_silent else tuple(scores[:, of_system].mean(axis=1).tolist()),
                float(reviews.n_words[of_system].mean()),
            )
        )
    return rows


def _mean(
    values: Array, chosen: NDArray[np.bool_], change: NDArray[np.intp], measure: Measure
) -> Estimate:
    known = chosen & ~np.isnan(values)
    if not known.any():
        return Estimate(None, None)
    return mean_over_changes(ScoresByChange.of(values[known], change[known]), measure)
