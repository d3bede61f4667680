"""Overlap of a review with a reference review: edit distance, ROUGE-L, exact match."""

import re
from collections.abc import Sequence

_ROUGE_WORD = re.compile(r"[^\W_]+")


def edit_similarity(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return 1 - Levenshtein distance / length of the longer text, in characters."""
    from rapidfuzz.distance import Levenshtein

    return list(map(Levenshtein.normalized_similarity, reviews, references))


def rouge_l(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the F1 of the longest common subsequence of words, in lower case, unstemmed.

    On English text the result equals the package rouge-score, which needs too much memory for long
    texts. Words in other scripts count too. A text without words is compared by characters.
    """
    from rapidfuzz.distance import LCSseq

    scores = []
    for pair in zip(reviews, references, strict=True):
        review, reference = (_ROUGE_WORD.findall(text.lower()) or list(text) for text in pair)
        common = LCSseq.similarity(review, reference)
        scores.append(2 * common / (len(review) + len(reference)))
    return scores


def exact_match(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return 1 for texts that are equal except for white space, else 0."""
    pairs = zip(reviews, references, strict=True)
    return [float(review.split() == reference.split()) for review, reference in pairs]
