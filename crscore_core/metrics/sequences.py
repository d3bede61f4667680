"""Sequence metrics from rapidfuzz: edit distance, ROUGE-L, exact match."""

import re
from collections.abc import Sequence

from crscore_core.metrics.model import TextPair

_WORD = re.compile(r"[^\W_]+")


def edit_similarity(pairs: Sequence[TextPair]) -> list[float]:
    """Return 1 - Levenshtein distance / length of the longer text, in characters."""
    from rapidfuzz.distance import Levenshtein

    return [Levenshtein.normalized_similarity(*pair) for pair in pairs]


def rouge_l(pairs: Sequence[TextPair]) -> list[float]:
    """Return the F1 of the longest common subsequence of words, in lower case, unstemmed.

    On English text this equals the package rouge-score, whose table of n x m cells is too large
    for long texts. Words in other scripts count too; a text without words is compared by
    characters.
    """
    from rapidfuzz.distance import LCSseq

    scores = []
    for pair in pairs:
        review, reference = (_WORD.findall(text.lower()) or list(text) for text in pair)
        common = LCSseq.similarity(review, reference)
        scores.append(2 * common / (len(review) + len(reference)))
    return scores


def exact_match(pairs: Sequence[TextPair]) -> list[bool]:
    """Return for each pair whether its texts are equal up to white space."""
    return [review.split() == reference.split() for review, reference in pairs]
