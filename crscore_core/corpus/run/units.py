"""Pieces of a run: each fits into memory, and is done or not done."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.corpus.run.change_references import ChangeReferences

__all__ = ["Block", "Filling", "Part", "Reject", "ScoredPart", "StoredReview", "pieces"]

ItemT = TypeVar("ItemT")

_MOST_CHARACTERS = 8_000_000
_ROWS_A_FILE = 1000


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review of the corpus; `row` is its number there, `change` that of its change here."""

    row: int
    change: int
    id: str
    system: str
    text: str
    ratings: Ratings


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that was set aside; `content` is all that it holds."""

    row: int
    reason: str
    content: str


@dataclass(frozen=True, slots=True)
class Block:
    """Changes whose pseudo-references are made together, by number, in order."""

    number: int
    changes: tuple[tuple[int, ChangeCells], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Reviews that are scored together, and their changes' pseudo-references by number."""

    number: int
    reviews: tuple[StoredReview, ...]
    references: dict[int, ChangeReferences]


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The content of a file of a run: its number, rows, and those of them without scores."""

    number: int
    rows: int
    unscored: int
    content: bytes


class Filling:
    """Numbers of groups that are filled one after the other, each with at most `most` members."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._number = self._taken = self._characters = 0

    def take(self, characters: int) -> int:
        """Return the group that has room for a member of so many characters."""
        full = self._taken >= self._most or self._characters + characters > _MOST_CHARACTERS
        if self._taken and full:
            self._number += 1
            self._taken = self._characters = 0
        self._taken += 1
        self._characters += characters
        return self._number


def pieces(items: Iterable[ItemT], size: Callable[[ItemT], int]) -> Iterator[list[ItemT]]:
    """Cut items into lists that fit into memory; `size` counts the characters of an item."""
    filling = Filling(_ROWS_A_FILE)
    for _, group in groupby(items, lambda item: filling.take(size(item))):
        yield list(group)
