"""What the calibrated relevance is computed from: eight numbers about a review.

They are made of the review's own text, the pseudo-references and the similarities between them.
Who or what wrote the review, and what a reference review says, is not among them.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import SimilarityError
from crscore_core.predicted.words import content_words, word_count

__all__ = ["FEATURES", "FEATURES_VERSION", "Feature", "review_features"]

FEATURES_VERSION = 1
"""Counts up when a feature is computed differently: models fitted to others do not apply."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about a review.

    Where `is_monotone`, a larger one never lowers the calibrated relevance; where it is not,
    more may be better up to a point, or worse.
    """

    name: str
    meaning: str
    is_monotone: bool


FEATURES = (
    Feature(
        "coverage",
        "mean over the pseudo-references of the highest similarity to a sentence",
        is_monotone=True,
    ),
    Feature(
        "focus",
        "mean over the sentences of the highest similarity to a pseudo-reference",
        is_monotone=True,
    ),
    Feature(
        "word_coverage",
        "mean over the pseudo-references of the share of their words that the review uses",
        is_monotone=True,
    ),
    Feature(
        "word_focus",
        "share of the review's words that occur in a pseudo-reference",
        is_monotone=True,
    ),
    Feature("variety", "share of the review's words that are different ones", is_monotone=True),
    Feature("sentences", "natural logarithm of 1 + the number of sentences", is_monotone=False),
    Feature("words", "natural logarithm of 1 + the number of words", is_monotone=False),
    Feature(
        "pseudo_references",
        "natural logarithm of the number of pseudo-references",
        is_monotone=False,
    ),
)
"""The features in the order of every row of them. "Words" that are compared are content words,
see `content_words`; those that are only counted are all."""


def review_features(
    references: Sequence[str], sentences: Sequence[str], similarity: ArrayLike
) -> NDArray[np.float64]:
    """The features of one review: float64, (n features,), in the order of `FEATURES`.

    `references` are the texts of the pseudo-references, the rows of `similarity`; `sentences`
    those of the review, its columns. What has no content words has a share of 0 of them.

    Raises:
        SimilarityError: the matrix is empty, not finite, or not of this shape.
    """
    matrix = np.asarray(similarity, dtype=np.float64)
    if matrix.shape != (len(references), len(sentences)) or matrix.size == 0:
        raise SimilarityError(
            f"{len(references)} pseudo-references and {len(sentences)} sentences cannot have a "
            f"similarity matrix of shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise SimilarityError("the similarity matrix holds a value that is not a finite number")
    used = [word for sentence in sentences for word in content_words(sentence)]
    different = set(used)
    referred = [_referred(reference) for reference in references]
    known = frozenset[str]().union(*referred)
    return np.array(
        [
            matrix.max(axis=1).mean(),
            matrix.max(axis=0).mean(),
            math.fsum(_share(len(words & different), len(words)) for words in referred)
            / len(referred),
            _share(sum(word in known for word in used), len(used)),
            _share(len(different), len(used)),
            math.log1p(len(sentences)),
            math.log1p(sum(map(word_count, sentences))),
            math.log(len(references)),
        ]
    )


@functools.lru_cache(maxsize=1024)
def _referred(reference: str) -> frozenset[str]:
    """The words of a pseudo-reference, which every review of its change is compared with."""
    return frozenset(content_words(reference))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
