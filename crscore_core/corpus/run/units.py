"""Pieces of a run: each fits into memory, and is done or not done."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TypeVar

from analyzers import AnalyzerResult, Status
from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.scoring.references import PseudoReference, ReferenceKind, ReferenceSet

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
class ChangeReferences:
    """The pseudo-references of a change, smells among them, or why there are none.

    `language` is empty where it is unknown.
    """

    language: str
    references: ReferenceSet | None
    left_out: str | None = None

    def as_json(self) -> str:
        """Return JSON, without the smells of each analyzer, which stand among the references."""
        if self.references is None:
            return json.dumps(asdict(self))
        bare = tuple(replace(result, smells=()) for result in self.references.analyzers)
        return json.dumps(
            asdict(replace(self, references=replace(self.references, analyzers=bare)))
        )

    @classmethod
    def of_json(cls, text: str) -> "ChangeReferences":
        """Read what `as_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: it is something else.
        """
        document = json.loads(text)
        references = document["references"]
        if references is not None:
            references = ReferenceSet(
                tuple(
                    PseudoReference(**{**values, "kind": ReferenceKind(values["kind"])})
                    for values in references["pseudo_references"]
                ),
                references["claims"],
                tuple(
                    AnalyzerResult(**{**values, "status": Status(values["status"]), "smells": ()})
                    for values in references["analyzers"]
                ),
                tuple(references["warnings"]),
            )
        return cls(document["language"], references, document["left_out"])


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
