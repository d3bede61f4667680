"""One review of a corpus read at one threshold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import ComparedChange, ComparedReview, Reviews
from crscore_core.scoring.metric import matches, score
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.review_score import ReviewSentence, read_sentences


@dataclass(frozen=True, slots=True)
class CaseReference:
    """A pseudo-reference; `best_similarity` is None where the review has no sentence."""

    reference: PseudoReference
    is_covered: bool
    best_similarity: float | None


@dataclass(frozen=True, slots=True, eq=False)
class ReviewCase:
    """A review, its change, and what each part of both adds to the scores at `tau`.

    `scores` has a value from 0 to 1 for each of `DIMENSIONS`, None for a review without
    sentences. `is_match` marks pairs that exceed
    tau, in the shape of the review's similarity: (n pseudo-references, n sentences).
    """

    tau: float
    change: ComparedChange
    review: ComparedReview
    scores: Mapping[str, float | None]
    sentences: tuple[ReviewSentence, ...]
    references: tuple[CaseReference, ...]
    is_match: NDArray[np.bool_]


def review_case(comparison: Reviews, position: int, tau: float) -> ReviewCase:
    """Read the review at a position of the comparison."""
    review = comparison[position]
    change = comparison.changes[review.change]
    similarity, is_match = review.similarity, matches(review.similarity, tau)
    scores = score(similarity, tau) if similarity.size else None
    references = tuple(
        CaseReference(
            reference,
            bool(is_match[row].any()),
            float(similarity[row].max()) if review.sentences else None,
        )
        for row, reference in enumerate(change.references)
    )
    return ReviewCase(
        tau,
        change,
        review,
        {name: getattr(scores, name, None) for name in DIMENSIONS},
        read_sentences(review.sentences, similarity, tau),
        references,
        is_match,
    )
