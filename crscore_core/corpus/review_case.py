"""One review of a corpus, read at one threshold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring.metric import Scores, matches, score
from crscore_core.scoring.references import PseudoReference

__all__ = ["CaseReference", "CaseSentence", "ReviewCase", "review_case"]


@dataclass(frozen=True, slots=True)
class CaseSentence:
    """A sentence; `best_reference` is the position of the pseudo-reference it is most like."""

    text: str
    is_on_topic: bool
    best_similarity: float
    best_reference: int


@dataclass(frozen=True, slots=True)
class CaseReference:
    """A pseudo-reference; `best_similarity` is None where the review has no sentence."""

    reference: PseudoReference
    is_covered: bool
    best_similarity: float | None


@dataclass(frozen=True, slots=True, eq=False)
class ReviewCase:
    """A review, its change, and what each part of both adds to the scores at `tau`.

    `scores` are those of `DIMENSIONS`, from 0 to 1. `is_match` says which pairs exceed tau, of
    the shape of the review's similarity: (n pseudo-references, n sentences).
    """

    tau: float
    change: ComparedChange
    review: ComparedReview
    scores: Mapping[str, float]
    sentences: tuple[CaseSentence, ...]
    references: tuple[CaseReference, ...]
    is_match: NDArray[np.bool_]


def review_case(comparison: CorpusComparison, position: int, tau: float) -> ReviewCase:
    """The review at a position among those of the comparison."""
    review = comparison.reviews[position]
    change = comparison.changes[review.change]
    similarity, is_match = review.similarity, matches(review.similarity, tau)
    found = score(similarity, tau) if similarity.size else Scores(0.0, 0.0, 0.0)
    return ReviewCase(
        tau,
        change,
        review,
        {name: getattr(found, name) for name in DIMENSIONS},
        tuple(
            CaseSentence(
                text,
                bool(is_match[:, at].any()),
                float(similarity[:, at].max()),
                int(similarity[:, at].argmax()),
            )
            for at, text in enumerate(review.sentences)
        ),
        tuple(
            CaseReference(
                reference,
                bool(is_match[at].any()),
                float(similarity[at].max()) if review.sentences else None,
            )
            for at, reference in enumerate(change.references)
        ),
        is_match,
    )
