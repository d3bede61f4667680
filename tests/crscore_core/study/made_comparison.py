"""A comparison without a study or an encoder: reviews with ratings and similarities by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crscore_core.study.comparison import ComparedReview, StudyComparison
from crscore_core.study.model import Rating, StudyChange, StudyReview

__all__ = ["Made", "made_comparison", "scoring"]


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


def made_comparison(*reviews: Made) -> StudyComparison:
    n_changes = max(review.change for review in reviews) + 1
    changes = tuple(
        StudyChange(str(number), "py", "", (), (), (), (), None, None)
        for number in range(n_changes)
    )
    compared = []
    for made in reviews:
        similarity = np.array(made.similarity, dtype=np.float32).reshape(len(made.similarity), -1)
        rating = Rating(*made.rating)
        compared.append(
            ComparedReview(
                made.change,
                "py",
                StudyReview(made.system, made.text, rating, ()),
                rating,
                tuple(f"Reference {row}." for row in range(similarity.shape[0])),
                tuple(f"Sentence {column}." for column in range(similarity.shape[1])),
                similarity,
            )
        )
    return StudyComparison("by hand", "by hand", changes, (), tuple(compared))
