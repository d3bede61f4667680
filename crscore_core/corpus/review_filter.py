"""Choosing reviews of a corpus by what they are like, whatever their scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CountRange", "ReviewFilter", "filter_reviews"]


@dataclass(frozen=True, slots=True)
class CountRange:
    """From how many to how many, ends included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """What reviews have to be like, all of it at once; the default lets every review through.

    `languages` and `systems` name those wanted, empty for any. `inline_code` is whether a review
    quotes code, None for either. `pseudo_references` is how many a review is compared with,
    `words` how many it has, None for any number. `text` occurs in the review or, with
    `in_diff`, in the diff, letter by letter but for case; it is no pattern.
    """

    languages: frozenset[str] = frozenset()
    systems: frozenset[str] = frozenset()
    inline_code: bool | None = None
    pseudo_references: CountRange | None = None
    words: CountRange | None = None
    text: str = ""
    in_diff: bool = False


def filter_reviews(
    rows: "pd.DataFrame", comparison: CorpusComparison, wanted: ReviewFilter
) -> NDArray[np.intp]:
    """The positions of reviews that are as wanted, rising.

    `rows` are all reviews of `comparison` in its order, with the columns of `ReviewTable`.
    """
    fits = np.ones(len(rows), dtype=np.bool_)
    for column, names in (("language", wanted.languages), ("system", wanted.systems)):
        if names:
            fits &= rows[column].isin(names).to_numpy()
    if wanted.inline_code is not None:
        fits &= rows["inline_code"].to_numpy() == wanted.inline_code
    for column, counts in (
        ("pseudo_references", wanted.pseudo_references),
        ("words", wanted.words),
    ):
        if counts is not None:
            fits &= rows[column].between(counts.low, counts.high).to_numpy()
    if wanted.text:
        holds = _holding(rows["text"], wanted.text)
        if wanted.in_diff:
            holds |= _holding((one.diff for one in comparison.changes), wanted.text)[
                comparison.change
            ]
        fits &= holds
    return np.flatnonzero(fits)


def _holding(texts: Iterable[str], part: str) -> NDArray[np.bool_]:
    folded = part.casefold()
    return np.array([folded in text.casefold() for text in texts], dtype=np.bool_)
