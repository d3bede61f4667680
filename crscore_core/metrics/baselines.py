"""Trivial baselines that every metric should beat."""

from collections.abc import Sequence

import numpy as np

from crscore_core.metrics.model import Array
from crscore_core.predicted.words import NAME, WORD, identifiers


def words(reviews: Sequence[str]) -> Array:
    """Count the words of each review, (n,): runs of letters, digits and underscores."""
    return np.array([len(WORD.findall(review)) for review in reviews], np.float64)


def shared_identifiers(reviews: Sequence[str], codes: Sequence[str]) -> Array:
    """Return the share of each review's distinct identifiers found in its code, (n,), 0 to 1.

    A review without identifiers gets 0, so that every review has a value.
    """
    shares = np.zeros(len(reviews))
    for row, (review, code) in enumerate(zip(reviews, codes, strict=True)):
        if named := identifiers(review):
            shares[row] = len(named & set(NAME.findall(code))) / len(named)
    return shares
