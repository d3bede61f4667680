"""Numbers about a review that no metric should lose to."""

from collections.abc import Sequence

import numpy as np

from crscore_core.metrics.model import Array
from crscore_core.predicted.words import NAME, WORD, identifiers


def words(reviews: Sequence[str]) -> Array:
    """Number of runs of letters, digits and underscores of each review, (n,)."""
    return np.array([len(WORD.findall(review)) for review in reviews], np.float64)


def shared_identifiers(reviews: Sequence[str], codes: Sequence[str]) -> Array:
    """Share of each review's distinct identifiers that its code or diff has too, (n,), 0 to 1.

    A review without identifiers shares none: its number is 0, so that every review has one.
    """
    shares = np.zeros(len(reviews))
    for row, (review, code) in enumerate(zip(reviews, codes, strict=True)):
        if named := identifiers(review):
            shares[row] = len(named & set(NAME.findall(code))) / len(named)
    return shares
