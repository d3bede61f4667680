"""Measures: numbers that reviews and the systems that wrote them are ordered by."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reviews import METRICS, Reviews
from crscore_core.errors import InputError
from crscore_eval.statistics import ScoresByChange

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
            "{one}'s reviews match the change more closely than {other}'s",
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

FEWEST_RATED, FEWEST_RATED_CHANGES = 50, 10
"""Rated reviews, and changes of these, from which on people's ratings decide."""

UNCHECKED = "not checked against people here"
"""What is said of a judge's figure until people answered about enough of the same reviews."""

_JUDGED = {
    "right": ("share of findings that are right, says {}",
              "{{one}}'s findings are more often right than {{other}}'s, says {}", 0.0, 1.0),
    "wrong": ("wrong findings of a review, says {}",
              "{{one}}'s reviews have more wrong findings than {{other}}'s, says {}", 0.0, None),
    "worth": ("worth saying (1 to 5), says {}",
              "{{one}}'s reviews are worth more than {{other}}'s, says {}", 1.0, 5.0),
    "relevance": ("relevance (1 to 5), says {}",
                  "{{one}}'s reviews are more relevant than {{other}}'s, says {}", 1.0, 5.0),
}  # fmt: skip
_ASKED = {"right": "right", "wrong": "right", "worth": "worth"}
"""The label that people's answers about a judge's figure are."""


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
    if of_judge := judge_figure(name):
        judge, figure = of_judge
        title, higher, *ends = _JUDGED[figure]
        says = f"the {judge.replace('_', ' ')}"
        return Measure(name, title.format(says), higher.format(says), *ends)
    title = f"label {name}"
    return Measure(name, title, f"{{one}}'s reviews have a higher mean of {title} than {{other}}'s",
                   None, None)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredReviews:
    """Reviews with a measure: `values`, (n,), NaN where a review has none.

    A score counts 0 for an empty review. `people`, (n,), are ratings of relevance from 1 to 5, NaN
    where nobody rated.
    """

    reviews: Reviews
    measure: Measure
    values: Array
    people: Array

    @classmethod
    def of(cls, reviews: Reviews, measure: str, tau: float) -> "MeasuredReviews":
        """Measure reviews, at a tau where the measure depends on it.

        Raises:
            InputError: there is no such measure.
        """
        found = measure_named(measure, reviews.labels)
        return cls(reviews, found, measured_values(reviews, measure, tau), people_of(reviews))

    @property
    def remark(self) -> str:
        """A sentence about a judge's figures; empty for any other measure."""
        if judge_figure(self.measure.name) is None:
            return ""
        words = unchecked(self.reviews, self.measure.name)
        return f"A language model judged these reviews: {words or 'see its agreement with people'}."


def measured_values(reviews: Reviews, measure: str, tau: float) -> Array:
    """Return each review's value of a measure, (n,), NaN where it has none.

    A score counts 0 for an empty review.

    Raises:
        InputError: there is no such measure.
    """
    if measure in DIMENSIONS:
        values: Array = reviews.scores([tau])[DIMENSIONS.index(measure), 0]
        return values
    if measure in METRICS:
        return METRICS[measure](reviews)
    if measure == PEOPLE:
        return people_of(reviews)
    measure_named(measure, reviews.labels)
    return reviews.label(measure)


def unchecked(reviews: Reviews, measure: str) -> str:
    """Return `UNCHECKED` for a judge's figure about too few of which people answered, else ""."""
    of_judge = judge_figure(measure)
    if of_judge is None:
        return ""
    asked = _ASKED.get(of_judge[1])
    if asked is None:
        answers = people_of(reviews)
    elif asked in reviews.labels:
        answers = reviews.label(asked)
    else:
        return UNCHECKED
    both = ~np.isnan(answers) & ~np.isnan(reviews.label(measure))
    is_enough = both.sum() >= FEWEST_RATED
    n_changes = np.unique(reviews.change[both]).size
    return "" if is_enough and n_changes >= FEWEST_RATED_CHANGES else UNCHECKED


def unchecked_judges(reviews: Reviews, names: Iterable[str]) -> str:
    """Return `UNCHECKED` if people answered too little about what a judge calls right, else ""."""
    return UNCHECKED if any(unchecked(reviews, f"{name}_right") for name in names) else ""


def people_of(reviews: Reviews) -> Array:
    """Return people's ratings of relevance, (n,), from 1 to 5; NaN where nobody rated."""
    ratings: Array = reviews.ratings[:, DIMENSIONS.index("relevance")]
    return ratings


def scores_by_change(
    runs: Sequence[tuple[MeasuredReviews, NDArray[np.bool_]]],
) -> list[ScoresByChange]:
    """Group the chosen values of each of several runs by change; equal diffs are one change.

    The chosen reviews of a run, (n,), all have a value.
    """
    numbers: dict[str, int] = {}
    grouped = []
    for measured, chosen in runs:
        reviews = measured.reviews
        number = np.array([numbers.setdefault(one.diff, len(numbers)) for one in reviews.changes])
        change = number[reviews.change[chosen]]
        grouped.append(ScoresByChange.of(measured.values[chosen], change))
    return grouped
