"""A comparison without a study or an encoder: reviews with ratings and similarities by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reviews import ComparedChange, ComparedReview, Reviews
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from tests.crscore_core.corpus.made_reviews import altered, reviews_of


@dataclass(frozen=True)
class Made:
    """A rated review; `similarity` has a row a pseudo-reference and a column a sentence."""

    change: int
    rating: tuple[int, int, int]
    similarity: Sequence[Sequence[float]]
    system: str = "gpt3.5"
    text: str = "A review."


def scoring(change: int, share: float, relevance: int, system: str = "gpt3.5") -> Made:
    """A review whose Con, Comp and Rel are all `share`, in tenths, at any tau from 0 to 1."""
    hits = round(share * 10)
    diagonal = [
        [1.5 if row == column < hits else -1.0 for column in range(10)] for row in range(10)
    ]
    return Made(change, (relevance, relevance, relevance), diagonal, system)


def made_comparison(*reviews: Made) -> Reviews:
    n_changes = max(review.change for review in reviews) + 1
    n_references = {review.change: len(review.similarity) for review in reviews}
    changes = tuple(
        ComparedChange(
            str(number),
            "python",
            "",
            tuple(
                PseudoReference(f"Reference {row}.", ReferenceKind.CLAIM, "by hand", None, None)
                for row in range(n_references.get(number, 0))
            ),
        )
        for number in range(n_changes)
    )
    compared: list[ComparedReview] = []
    for made in reviews:
        similarity = np.array(made.similarity, dtype=np.float32).reshape(len(made.similarity), -1)
        compared.append(
            ComparedReview(
                made.change,
                f"{made.change}/{made.system}/{len(compared)}",
                made.system,
                made.text,
                Ratings(*made.rating),
                tuple(f"Reference {row}." for row in range(similarity.shape[0])),
                tuple(f"Sentence {column}." for column in range(similarity.shape[1])),
                similarity,
            )
        )
    return reviews_of(changes, compared)


def rated(comparison: Reviews, ratings: Iterable[Ratings]) -> Reviews:
    """The comparison with other ratings of its reviews, in their order."""
    pairs = zip(comparison, ratings, strict=True)
    reviews = tuple(replace(review, ratings=of_review) for review, of_review in pairs)
    return altered(comparison, reviews=reviews)
