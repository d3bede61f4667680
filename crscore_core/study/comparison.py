"""Every rated review of the study against the pseudo-references of its change."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import StudyError
from crscore_core.maxima import Maxima
from crscore_core.sts import Encoder, compare_each, split_sentences
from crscore_core.study.model import (
    DIMENSIONS,
    GROUND_TRUTH,
    Rating,
    StudyChange,
    StudyReview,
)
from crscore_core.study.pseudo_references import StudyReferences

__all__ = ["ComparedReview", "StudyComparison", "compare_study"]


@dataclass(frozen=True, slots=True, eq=False)
class ComparedReview:
    """A rated review and how similar its sentences are to the pseudo-references.

    `change` is the position of its change among those compared. `similarity` is float32,
    (n pseudo-references, n sentences).
    """

    change: int
    language: str
    review: StudyReview
    rating: Rating
    references: tuple[str, ...]
    sentences: tuple[str, ...]
    similarity: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class StudyComparison:
    """All rated reviews of changes that have pseudo-references, in the order of the study.

    `changes` are those changes; `left_out` the rated ones that have no pseudo-references, whose
    reviews cannot be scored. `encoder` and `claims` name what made the similarities.
    """

    encoder: str
    claims: str
    changes: tuple[StudyChange, ...]
    left_out: tuple[StudyChange, ...]
    reviews: tuple[ComparedReview, ...]

    @cached_property
    def change(self) -> NDArray[np.intp]:
        """The position of each review's change, (n reviews,)."""
        return np.array([review.change for review in self.reviews], dtype=np.intp)

    @cached_property
    def system(self) -> NDArray[np.str_]:
        """The system that wrote each review, (n reviews,)."""
        return np.array([review.review.system for review in self.reviews])

    @cached_property
    def language(self) -> NDArray[np.str_]:
        """The language of each review's change, (n reviews,), keys of `STUDY_LANGUAGES`."""
        return np.array([review.language for review in self.reviews])

    @cached_property
    def is_judged(self) -> NDArray[np.bool_]:
        """Which reviews correlations are over: all but the ground truth (paper, section 5.2)."""
        return np.array([name != GROUND_TRUTH for name in self.system], dtype=np.bool_)

    @cached_property
    def ratings(self) -> NDArray[np.float64]:
        """What people gave, from 1 to 5: (n reviews, n dimensions), in order of `DIMENSIONS`."""
        return np.array(
            [[getattr(review.rating, name) for name in DIMENSIONS] for review in self.reviews],
            dtype=np.float64,
        )

    @cached_property
    def maxima(self) -> Maxima:
        """The best similarities of each review's sentences and pseudo-references."""
        return Maxima.of(review.similarity for review in self.reviews)

    def scores(self, taus: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Con, Comp and Rel of each review: (n dimensions, n taus, n reviews), from 0 to 1.

        An empty review covers nothing and says nothing: 0, as in the paper's tables.
        """
        found = self.maxima.at(taus)
        scores = np.stack([found.conciseness, found.comprehensiveness, found.relevance])
        return np.nan_to_num(scores, nan=0.0)


def compare_study(references: StudyReferences, encoder: Encoder) -> StudyComparison:
    """Compare every rated review with its change's pseudo-references.

    Every distinct text of the study is encoded once.

    Raises:
        StudyError: no rated change has pseudo-references, or nothing but the ground truth is rated.
    """
    pairs = list(zip(references.changes, references.texts, strict=True))
    kept = [(change, texts) for change, texts in pairs if texts]
    if not kept:
        raise StudyError("no rated change of the study has pseudo-references to compare with")
    if not any(
        review.rating and review.system != GROUND_TRUTH
        for change, _ in kept
        for review in change.reviews
    ):
        raise StudyError("people rated no review of the study but the ground truth")
    sentences = [[split_sentences(review.text) for review in change.reviews] for change, _ in kept]
    comparisons = compare_each(
        encoder, [(texts, of_change) for (_, texts), of_change in zip(kept, sentences, strict=True)]
    )
    reviews = [
        ComparedReview(
            position, change.language, review, review.rating, texts, split, comparison.similarity
        )
        for position, (change, texts) in enumerate(kept)
        for review, split, comparison in zip(
            change.reviews, sentences[position], comparisons[position], strict=True
        )
        if review.rating
    ]
    return StudyComparison(
        encoder.name,
        references.claims,
        tuple(change for change, _ in kept),
        tuple(change for change, texts in pairs if not texts),
        tuple(reviews),
    )
