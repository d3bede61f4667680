"""Simple metrics that every other metric should beat."""

import re
from collections.abc import Sequence

import numpy as np

from crscore_eval.statistics.bootstrap import Array

_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"\w+")
_INLINE_CODE = re.compile(r"`+([^`\n]+)`+")
_IDENTIFIER = re.compile(
    r"\b[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w+)+"  # a.name, A::name
    r"|\b[^\W\d]\w*(?=\()"  # name(
    r"|\b[^\W\d]\w*_\w+|\b_\w+"  # a_name, _name
    r"|\b[^\W\d]\w*[a-z0-9][A-Z]\w*"  # aName
)


def words(reviews: Sequence[str]) -> Array:
    """Return the number of words of each review, (n,).

    A word is a run of letters, digits and underscores. The texts should be visible texts.
    """
    return np.array([len(_WORD.findall(review)) for review in reviews], np.float64)


def shared_identifiers(reviews: Sequence[str], codes: Sequence[str]) -> Array:
    """Return the share of each review's distinct identifiers that its code has, (n,), 0 to 1.

    A review without identifiers has 0, so that every review has a value.
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
