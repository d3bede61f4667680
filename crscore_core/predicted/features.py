"""Features of predicted relevance: eight numbers about a review.

They are made of the review's own text, the pseudo-references and the similarities between them.
Who or what wrote the review, and a reference review, play no part.
"""

import functools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import SimilarityError
from crscore_core.text import STOP_WORDS

FEATURES_VERSION = 1
"""Counts up when a feature is computed differently: a model applies to its own version only."""

_WORD = re.compile(r"\w+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PART = re.compile(r"[^\W\d_]+|\d+")
_LONGEST = 40  # longer words are no words, and are compared unstemmed


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about a review.

    If `is_monotone`, a larger value never lowers predicted relevance; otherwise more may be
    better up to a point, or worse.
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
"""The features in the order of every row of them. Words that are compared are content words, see
`content_words`; `words` counts every run of letters, digits and underscores."""


def review_features(
    references: Sequence[str], sentences: Sequence[str], similarity: ArrayLike
) -> NDArray[np.float64]:
    """Compute the features of one review: float64, (n features,), in the order of `FEATURES`.

    `references` are the texts of the pseudo-references, the rows of `similarity`; `sentences` are
    those of the review, its columns. A share of no content words is 0.

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
    review_words = [word for sentence in sentences for word in content_words(sentence)]
    distinct_words = set(review_words)
    reference_words = [_reference_words(reference) for reference in references]
    known_words = frozenset[str]().union(*reference_words)
    return np.array(
        [
            matrix.max(axis=1).mean(),
            matrix.max(axis=0).mean(),
            math.fsum(_share(len(words & distinct_words), len(words)) for words in reference_words)
            / len(references),
            _share(sum(word in known_words for word in review_words), len(review_words)),
            _share(len(distinct_words), len(review_words)),
            math.log1p(len(sentences)),
            math.log1p(sum(len(_WORD.findall(sentence)) for sentence in sentences)),
            math.log(len(references)),
        ]
    )


def content_words(text: str) -> tuple[str, ...]:
    """Split a text into content words: lower case, stemmed, in order, repeated as they occur.

    Identifiers are split where their case changes, at underscores and between letters and digits,
    so that `maxRetryCount` and "the retry counts" share two words. English stop words and single
    characters are left out; the stemmer is Snowball's for English (Porter 2).
    """
    parts = (part.lower() for part in _PART.findall(_CAMEL.sub(" ", text)))
    return tuple(_stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS)


@functools.lru_cache(maxsize=1024)  # every review of a change is compared with the same ones
def _reference_words(reference: str) -> frozenset[str]:
    return frozenset(content_words(reference))


@functools.lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    from Stemmer import Stemmer

    # A stemmer keeps the word it works on, so threads must not share one.
    return word if len(word) > _LONGEST else str(Stemmer("english").stemWord(word))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
