"""Reviews of a corpus that a person looks for: by id, by text, by what they are."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.reviews import Reviews

if TYPE_CHECKING:
    import pandas as pd


def position_of_review(comparison: Reviews, review_id: str) -> int | None:
    """Position of the review with this id, None if it is not there."""
    ids = comparison.ids
    return ids.index(review_id) if review_id in ids else None


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions that a review meets, all at once; the default lets every review through.

    `languages` and `systems` name those wanted, empty for any. `inline_code` is whether a review
    quotes code, None for either. `text` occurs in the review, in its id or in that of its change,
    or, with `in_diff`, in the diff; case is ignored, and it is no pattern.
    """

    languages: frozenset[str] = frozenset()
    systems: frozenset[str] = frozenset()
    inline_code: bool | None = None
    text: str = ""
    in_diff: bool = False


def filter_reviews(
    rows: "pd.DataFrame", comparison: Reviews, wanted: ReviewFilter
) -> NDArray[np.intp]:
    """Positions of the reviews that meet `wanted`, rising.

    `rows` are all reviews of `comparison` in its order, with the columns of `Reviews.frame`.
    """
    fits = np.ones(len(rows), dtype=np.bool_)
    for column, names in (("language", wanted.languages), ("system", wanted.systems)):
        if names:
            fits &= rows[column].isin(names).to_numpy()
    if wanted.inline_code is not None:
        fits &= rows["inline_code"].to_numpy() == wanted.inline_code
    if wanted.text:
        holds = _holding(rows["text"], wanted.text)
        holds |= _holding(rows["review"], wanted.text) | _holding(rows["change"], wanted.text)
        if wanted.in_diff:
            diffs = _holding((change.diff for change in comparison.changes), wanted.text)
            holds |= diffs[comparison.change]
        fits &= holds
    return np.flatnonzero(fits)


def _holding(texts: Iterable[str], part: str) -> NDArray[np.bool_]:
    folded = part.casefold()
    return np.array([folded in text.casefold() for text in texts], dtype=np.bool_)
