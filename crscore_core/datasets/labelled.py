"""Reviews with labels of people, in one shape for every data set."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import (
    DIMENSIONS,
    GROUND_TRUTH,
    Corpus,
    CorpusChange,
    CorpusReview,
)
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A label of n reviews: `values`, (n,), NaN where nobody gave one.

    A label whose values are all 0 or 1 is binary; any other is graded.
    """

    name: str
    values: Array

    @property
    def is_given(self) -> NDArray[np.bool_]:
        """Mark the reviews that have the label, (n,)."""
        given: NDArray[np.bool_] = ~np.isnan(self.values)
        return given

    @property
    def is_binary(self) -> bool:
        """Return True if every value is 0 or 1."""
        return bool(np.isin(self.values[self.is_given], (0, 1)).all())

    def counts(self) -> dict[float, int]:
        """Count the reviews at each value, values rising."""
        values, counts = np.unique(self.values[self.is_given], return_counts=True)
        return dict(zip(values.tolist(), counts.tolist(), strict=True))


@dataclass(frozen=True)
class LabelledData:
    """A data set: a corpus whose reviews have labels, named in the order that people see.

    `has_diffs` is False where the code of a change is no diff, so that no claims can be made of
    it. `study` is the human study that the corpus was made of; its changes have claims and smells
    of their own. `compared` has the reviews compared with pseudo-references already, where that
    was done. `oddities` say what was left out while reading.
    """

    name: str
    title: str
    corpus: Corpus
    labels: tuple[str, ...]
    has_diffs: bool = True
    study: HumanStudy | None = None
    folder: Path | None = None
    compared: Reviews | None = None
    oddities: tuple[str, ...] = ()

    @cached_property
    def reviews(self) -> "LabelledReviews":
        """The reviews as columns, without the reference reviews."""
        return LabelledReviews(self)


def data_of_comparison(title: str, comparison: Reviews) -> LabelledData:
    """Make a data set of reviews that were compared; ratings are among its labels.

    A label that no review has is left out, and so are a judge's figures, which people did not give.
    """
    reviews: list[list[CorpusReview]] = [[] for _ in comparison.changes]
    for one in comparison:
        review = CorpusReview(one.id, one.system, one.text, one.ratings, one.labels)
        reviews[one.change].append(review)
    changes = tuple(
        CorpusChange(change.id, change.language or None, change.diff, tuple(of_change))
        for change, of_change in zip(comparison.changes, reviews, strict=True)
    )
    corpus = with_ratings(Corpus(title, changes), comparison.labels)
    named = dict.fromkeys(
        name
        for change in corpus.changes
        for review in change.reviews
        if review.system != GROUND_TRUTH
        for name in review.labels
        if judge_figure(name) is None
    )
    rated = [name for name in DIMENSIONS[::-1] if name in named]
    labels = tuple(dict.fromkeys([*rated, *named]))
    return LabelledData("own", title, corpus, labels, compared=comparison)


def with_ratings(corpus: Corpus, labels: Collection[str] = ()) -> Corpus:
    """Return the corpus with ratings among the labels of reviews, except those in `labels`."""
    names = [name for name in DIMENSIONS if name not in labels]

    def rated(review: CorpusReview) -> CorpusReview:
        values = {name: getattr(review.ratings, name) for name in names}
        given = {name: value for name, value in values.items() if value is not None}
        return replace(review, labels={**given, **review.labels})

    changes = (
        replace(change, reviews=tuple(map(rated, change.reviews))) for change in corpus.changes
    )
    return replace(corpus, changes=tuple(changes))


class LabelledReviews:
    """The n reviews of a data set that are no reference reviews, in the order of its corpus.

    `change` is the position of each review's change in the corpus, (n,). `references` holds the
    reference review of each review: its own, else the first of its change, else nothing.
    """

    def __init__(self, data: LabelledData) -> None:
        """Flatten a corpus.

        Raises:
            InputError: no review has a label.
        """
        rows = [
            (number, change, review)
            for number, change in enumerate(data.corpus.changes)
            for review in change.reviews
            if review.system != GROUND_TRUTH
        ]
        self.changes: tuple[CorpusChange, ...] = data.corpus.changes
        self.change: NDArray[np.intp] = np.array([number for number, _, _ in rows], dtype=np.intp)
        self.reviews: tuple[CorpusReview, ...] = tuple(review for _, _, review in rows)
        first = [_reference(change) for change in data.corpus.changes]
        self.references: tuple[str, ...] = tuple(
            review.reference or first[number] for number, _, review in rows
        )
        self.code: tuple[str, ...] = tuple(change.diff for _, change, _ in rows)
        self.language: NDArray[np.str_] = np.array(
            [change.language or "" for _, change, _ in rows], dtype=np.str_
        )
        self.labels: Mapping[str, LabelSet] = {
            name: LabelSet(
                name, np.array([review.labels.get(name, np.nan) for review in self.reviews])
            )
            for name in data.labels
        }
        if not any(label.is_given.any() for label in self.labels.values()):
            raise InputError(
                f"{data.title}: no review has a label ({', '.join(data.labels) or 'none named'})"
            )

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each review."""
        return tuple(review.text for review in self.reviews)


def _reference(change: CorpusChange) -> str:
    return next((one.text for one in change.reviews if one.system == GROUND_TRUTH), "")
