"""Metrics of texts: overlap with a reference review, from 0 to 1, and simple metrics."""

import re
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from crscore_core.text import STOP_WORDS
from crscore_eval.statistics.bootstrap import Array

_BLEU_WORD = re.compile(r"\w+|[.,]")
_ROUGE_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"\w+")
_INLINE_CODE = re.compile(r"`+([^`\n]+)`+")
_IDENTIFIER = re.compile(
    r"\b[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w+)+"  # a.name, A::name
    r"|\b[^\W\d]\w*(?=\()"  # name(
    r"|\b[^\W\d]\w*_\w+|\b_\w+"  # a_name, _name
    r"|\b[^\W\d]\w*[a-z0-9][A-Z]\w*"  # aName
)


def sacrebleu_scores(
    reviews: Iterable[str], references: Iterable[str], metric: str, **settings: bool | int
) -> list[float]:
    """Return the score of each review by one of sacrebleu's `METRICS` with these settings."""
    from sacrebleu.metrics import METRICS

    scorer, pairs = METRICS[metric](**settings), zip(reviews, references, strict=True)
    scores = (scorer.sentence_score(review, [reference]).score for review, reference in pairs)
    return [min(score / 100, 1.0) for score in scores]  # a rounded score may be above 100


bleu = partial(sacrebleu_scores, metric="BLEU", lowercase=True, effective_order=True)
"""BLEU in lower case, with mteval's tokenizer ("13a").

N-grams have 1 to 4 words, or fewer if the review is shorter. Counts of 0 are smoothed by
sacrebleu's default method ("exp", from NIST: 1/2, 1/4, ... of one match).
"""

chrf = partial(sacrebleu_scores, metric="CHRF")
"""chrF, the case-sensitive F2 of n-grams of 1 to 6 characters and up to `word_order` words."""


def bleu_without_stop_words(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return BLEU without English stop words; text that has only stop words keeps them."""
    return bleu(map(_without_stop_words, reviews), map(_without_stop_words, references))


def _without_stop_words(text: str) -> str:
    content = _BLEU_WORD.sub(lambda word: " " if word[0].lower() in STOP_WORDS else word[0], text)
    return content if content.strip() else text


def edit_similarity(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return 1 - Levenshtein distance / length of the longer text, in characters."""
    from rapidfuzz.distance import Levenshtein

    return list(map(Levenshtein.normalized_similarity, reviews, references))


def rouge_l(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the F1 of the longest common subsequence of words, in lower case, unstemmed.

    On English text the result equals that of the package rouge-score, which needs too much memory
    for long texts. Words in other scripts count too. Text without words is compared by characters.
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


def words(reviews: Sequence[str]) -> Array:
    """Return the number of words of each review, (n,).

    A word is a run of letters, digits and underscores. Pass visible texts.
    """
    return np.array([len(_WORD.findall(review)) for review in reviews], np.float64)


def shared_identifiers(reviews: Sequence[str], codes: Sequence[str]) -> Array:
    """Return the share of each review's distinct identifiers that occur in its code, (n,).

    A review without identifiers gets 0, so that every review has a value from 0 to 1.
    """
    shares = np.zeros(len(reviews))
    for row, (review, code) in enumerate(zip(reviews, codes, strict=True)):
        if names := identifiers(review):
            shares[row] = len(names & set(_NAME.findall(code))) / len(names)
    return shares


def identifiers(review: str) -> set[str]:
    """Return the identifiers in a review.

    They are all names in inline code, and names elsewhere that do not look like words: with
    capitals inside (`aName`), underscores, dots (each part counts), or a bracket after the name.
    """
    code = " ".join(_INLINE_CODE.findall(review))
    prose = " ".join(_IDENTIFIER.findall(_INLINE_CODE.sub(" ", review)))
    return set(_NAME.findall(f"{code} {prose}"))
