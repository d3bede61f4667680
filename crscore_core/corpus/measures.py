"""Measures: numbers that reviews and the systems that wrote them are ordered by."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number for each review, from `lowest` to `highest`; None where the range is open.

    `name` is that of options, addresses and columns, `title` that of sentences. `higher` says of
    `{one}` and `{other}` what a higher mean means, and no more.
    """

    name: str
    title: str
    higher: str
    lowest: float | None = 0.0
    highest: float | None = 1.0

    @property
    def is_score(self) -> bool:
        """True for a score of the metric, which counts an empty review 0."""
        return self.name in MEASURES and self.name != PEOPLE


PEOPLE = "people"
"""Name of the measure that people's ratings of relevance are."""

MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "relevance",
            "relevance",
            "{one}'s reviews talk about more of the change than {other}'s",
        ),
        Measure(
            "no_threshold",
            "similarity without a threshold",
            "{one}'s reviews are more similar to the change's points than {other}'s",
        ),
        Measure(
            "conciseness",
            "conciseness",
            "more of {one}'s sentences are about the change than of {other}'s",
        ),
        Measure(
            "comprehensiveness",
            "comprehensiveness",
            "{one}'s reviews cover more of the change's points than {other}'s",
        ),
        Measure(
            PEOPLE,
            "rating of relevance (1 to 5)",
            "people rated {one}'s reviews as more relevant than {other}'s",
            1.0,
            5.0,
        ),
    )
}
"""The measures that any reviews may have, the default first."""

DEFAULT_MEASURE = next(iter(MEASURES))


def measure_named(name: str, labels: Collection[str] = ()) -> Measure:
    """Return the measure of a name; each of `labels`, the labels of the reviews, is one.

    Raises:
        InputError: there is no such measure.
    """
    if name in MEASURES:
        return MEASURES[name]
    if name not in labels:
        known = ", ".join([*MEASURES, *labels])
        raise InputError(f"there is no measure {name[:80]!r}; choose one of {known}")
    title = f"label {name}"
    return Measure(name, title, f"{{one}}'s reviews have a higher mean of {title} than {{other}}'s",
                   None, None)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredReviews:
    """n reviews, each with its value of a measure and what people say of it.

    `ids` has their names. `system`, (n,), says which of `systems` wrote each, `change`, (n,),
    numbers their changes from 0. `values`, (n,), are those of `measure`, `people`, (n,), ratings of
    relevance from 1 to 5; NaN where there is none. `words`, (n,), counts the words of each.
    `is_empty`, (n,), marks reviews without sentences: they have no score, and means of scores count
    them 0.
    """

    measure: Measure
    ids: Sequence[str]
    systems: tuple[str, ...]
    system: NDArray[np.intp]
    change: NDArray[np.intp]
    values: Array
    people: Array
    words: Array
    is_empty: NDArray[np.bool_]

    @classmethod
    def of(cls, comparison: CorpusComparison, measure: str, tau: float) -> "MeasuredReviews":
        """Measure the reviews of a comparison, at a tau where the measure depends on it.

        Raises:
            InputError: there is no such measure.
        """
        reviews = comparison.rated_maxima
        return cls(
            measure_named(measure, comparison.labels),
            [review.id for review in comparison.reviews],
            reviews.systems,
            reviews.system,
            comparison.change,
            measured_values(comparison, measure, tau),
            comparison.ratings[:, DIMENSIONS.index("relevance")],
            np.array([len(review.text.split()) for review in comparison.reviews], np.float64),
            reviews.is_empty,
        )


def measured_values(comparison: CorpusComparison, measure: str, tau: float) -> Array:
    """Return each review's value of a measure, (n reviews,), NaN where it has none.

    A score counts 0 for an empty review.

    Raises:
        InputError: there is no such measure.
    """
    if measure in DIMENSIONS:
        values: Array = comparison.scores([tau])[DIMENSIONS.index(measure), 0]
        return values
    if measure in METRICS:
        return count_unscored(METRICS[measure].compute(comparison))
    if measure == PEOPLE:
        ratings: Array = comparison.ratings[:, DIMENSIONS.index("relevance")]
        return ratings
    measure_named(measure, comparison.labels)
    return np.array([review.labels.get(measure, np.nan) for review in comparison.reviews])
