"""What a run is cut into: each piece fits into memory, and is done or not done."""

from dataclasses import dataclass

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.corpus.run.change_references import ChangeReferences

__all__ = ["Block", "Part", "Reject", "ScoredPart", "StoredReview", "WrittenPart"]


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
class WrittenPart:
    """A file of scores: its number, reviews, those of them without scores, and its checksum."""

    number: int
    rows: int
    unscored: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The scores of a part as the content of a Parquet file; see `WrittenPart`."""

    number: int
    rows: int
    unscored: int
    content: bytes
