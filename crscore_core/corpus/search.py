"""Changes and reviews of a corpus that a person looks for: by name, by text, by what they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.reviews import Reviews

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Found:
    """The first positions in a comparison that fit, and the `total` that fits."""

    positions: tuple[int, ...]
    total: int


def find_changes(comparison: Reviews, words: str, most: int) -> Found:
    """Find changes with reviews whose id or title holds `words`; give the first `most`."""
    changes = comparison.changes
    fits = _holding((f"{change.id}\n{change.title}" for change in changes), words.strip())
    has_review = np.zeros(len(changes), dtype=np.bool_)
    has_review[comparison.change] = True
    return _first(np.flatnonzero(fits & has_review), most)


def find_reviews(comparison: Reviews, change: int, words: str, most: int) -> Found:
    """Find reviews of a change whose id, system or text holds `words`; give the first `most`."""
    positions = np.flatnonzero(comparison.change == change)
    reviews = [comparison[int(position)] for position in positions]
    fits = _holding((f"{one.id}\n{one.system}\n{one.text}" for one in reviews), words.strip())
    return _first(positions[fits], most)


def position_of_change(comparison: Reviews, change_id: str) -> int | None:
    """Position of the change with this id, None if it has no review or is not there."""
    reviewed = set(comparison.change.tolist())
    ids = (change.id for change in comparison.changes)
    return next((at for at, name in enumerate(ids) if name == change_id and at in reviewed), None)


def position_of_review(comparison: Reviews, review_id: str) -> int | None:
    """Position of the review with this id, None if it is not there."""
    ids = comparison.ids
    return ids.index(review_id) if review_id in ids else None


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions that a review meets, all at once; the default lets every review through.

    `languages` and `systems` name those wanted, empty for any. `inline_code` is whether a review
    quotes code, None for either. `text` occurs in the review or, with `in_diff`, in the diff;
    case is ignored, and it is no pattern.
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
        if wanted.in_diff:
            diffs = _holding((change.diff for change in comparison.changes), wanted.text)
            holds |= diffs[comparison.change]
        fits &= holds
    return np.flatnonzero(fits)


def _holding(texts: Iterable[str], part: str) -> NDArray[np.bool_]:
    folded = part.casefold()
    return np.array([folded in text.casefold() for text in texts], dtype=np.bool_)


def _first(positions: NDArray[np.intp], most: int) -> Found:
    shown: Sequence[int] = positions[:most].tolist()
    return Found(tuple(shown), len(positions))
