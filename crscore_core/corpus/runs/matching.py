"""Which reviews of two comparisons are the same."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison

__all__ = ["MatchedReviews", "match_reviews"]

_Key = Callable[[CorpusComparison, ComparedReview], Hashable]


@dataclass(frozen=True, slots=True, eq=False)
class MatchedReviews:
    """Positions of reviews in each of two comparisons.

    `one` and `other`, (n matched,), are those of the same reviews, in the order of the first;
    `only_one` and `only_other` are those of reviews that the other comparison does not have.
    """

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    only_one: NDArray[np.intp]
    only_other: NDArray[np.intp]


def match_reviews(one: CorpusComparison, other: CorpusComparison) -> MatchedReviews:
    """Match reviews of the same change by their id, and what is left by system and text.

    An id alone tells nothing, as another file may count its reviews the same way. A text may be
    another one where id and change are the same.
    """
    left_one = dict(enumerate(one.reviews))
    left_other = dict(enumerate(other.reviews))
    found: dict[int, int] = {}
    for key in (_by_id, _by_text):
        free: defaultdict[Hashable, list[int]] = defaultdict(list)
        for at, review in reversed(left_other.items()):
            free[key(other, review)].append(at)
        for at, review in list(left_one.items()):
            if same := free.get(key(one, review)):
                found[at] = same.pop()
                del left_one[at], left_other[found[at]]
    pairs = sorted(found.items())
    return MatchedReviews(
        _positions(at for at, _ in pairs),
        _positions(at for _, at in pairs),
        _positions(left_one),
        _positions(left_other),
    )


def _by_id(comparison: CorpusComparison, review: ComparedReview) -> Hashable:
    return comparison.changes[review.change].diff, review.id


def _by_text(comparison: CorpusComparison, review: ComparedReview) -> Hashable:
    return comparison.changes[review.change].diff, review.system, review.text


def _positions(numbers: Iterable[int]) -> NDArray[np.intp]:
    return np.fromiter(numbers, dtype=np.intp)
