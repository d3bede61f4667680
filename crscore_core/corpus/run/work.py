"""The work of a run on disk: what was read, what is done, what is left."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.corpus.reading.table import RejectedRow
from crscore_core.corpus.run.document import WrittenPart
from crscore_core.corpus.run.table import Filling, RunChange
from crscore_core.corpus.score import CHANGES_AT_ONCE
from crscore_core.errors import BatchError
from crscore_core.scoring import split_sentences
from crscore_core.scoring.references import ReferenceSet

if TYPE_CHECKING:
    from pydantic import TypeAdapter

REVIEWS_AT_ONCE = 1000
"""Reviews that are scored together: the texts of many make full batches for an encoder."""

_A_SENTENCE = 400
"""Memory of a sentence beside its text, mostly its vector, counted in characters."""

_VALUES = attrgetter(*(field.name for field in fields(ChangeCells) if field.compare))

_SCHEMA = """
CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE changes (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, block INTEGER NOT NULL,
    cells TEXT NOT NULL, found TEXT
);
CREATE INDEX changes_of_block ON changes (block);
CREATE TABLE reviews (
    row INTEGER PRIMARY KEY, part INTEGER NOT NULL, change INTEGER NOT NULL,
    id TEXT NOT NULL, system TEXT NOT NULL, text TEXT NOT NULL,
    conciseness REAL, comprehensiveness REAL, relevance REAL, labels TEXT NOT NULL
);
CREATE INDEX reviews_of_part ON reviews (part);
CREATE TABLE rejects (row INTEGER PRIMARY KEY, reason TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE parts (
    number INTEGER PRIMARY KEY, rows INTEGER NOT NULL, unscored INTEGER NOT NULL,
    sha256 TEXT NOT NULL
);
"""


_REFERENCES = """
CREATE TEMP TABLE IF NOT EXISTS named (change INTEGER, text TEXT, PRIMARY KEY (change, text))
"""
"""References that rows named so far. They are reviews once all rows are read, and need not outlast
the program, as a file is read from the start again."""


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review of the corpus; `row` is its number there, `change` that of its change here."""

    row: int
    change: int
    id: str
    system: str
    text: str
    ratings: Ratings
    labels: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ChangeReferences:
    """The pseudo-references of a change, smells among them, or why there are none.

    `language` is empty where it is unknown.
    """

    language: str
    references: ReferenceSet | None
    left_out: str | None = None


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


class Work:
    """A database of one file at `path`. What is committed survives whatever ends the program.

    Raises:
        BatchError: anywhere, where the disk is full or the file damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._guarded():
            self._rows = sqlite3.connect(path, isolation_level=None)
            self._rows.execute("PRAGMA journal_mode = WAL")
            if not self._rows.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._rows.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
            self._rows.execute(_REFERENCES)
        self._block = Filling(CHANGES_AT_ONCE)
        self._part = Filling(REVIEWS_AT_ONCE)

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()

    @contextmanager
    def saved_together(self) -> Iterator[None]:
        """Commit what is done inside, all or nothing."""
        self._do("BEGIN")
        try:
            yield
            self._do("COMMIT")
        except BaseException:
            if self._rows.in_transaction:
                self._do("ROLLBACK")
            raise

    def note(self, name: str, document: Mapping[str, Any]) -> None:
        """Keep a document under a name."""
        self._do("INSERT OR REPLACE INTO notes VALUES (?, ?)", name, json.dumps(document))

    def noted(self, name: str) -> dict[str, Any] | None:
        """The document under a name, if there is one."""
        with self._guarded():
            texts = list(self._each("SELECT text FROM notes WHERE name = ?", name))
            return dict(json.loads(texts[0][0])) if texts else None

    def clear(self) -> None:
        """Forget all that was read, to read it again."""
        with self.saved_together():
            for table in ("changes", "reviews", "rejects", "parts", "named"):
                self._do(f"DELETE FROM {table}")  # noqa: S608 - names of our own
        self._block, self._part = Filling(CHANGES_AT_ONCE), Filling(REVIEWS_AT_ONCE)

    def change_number(self, cells: ChangeCells) -> int | None:
        """The number of a change, None of one that is new."""
        query = "SELECT number FROM changes WHERE key = ?"
        return next((number for (number,) in self._each(query, change_key(cells))), None)

    def add_change(self, number: int, cells: ChangeCells) -> None:
        """Add a change that is new."""
        block = self._block.take(sum(len(value or "") for value in _VALUES(cells)))
        values = (number, change_key(cells), block, json.dumps(asdict(cells)))
        self._do("INSERT INTO changes VALUES (?, ?, ?, ?, NULL)", *values)

    def add_review(self, review: StoredReview, size: int) -> None:
        """Add a review; `size` is how many characters it brings, with the claims of its change."""
        part = self._part.take(size + _A_SENTENCE * len(split_sentences(review.text)))
        values = (
            review.row, part, review.change, review.id, review.system, review.text,
            *astuple(review.ratings), json.dumps(dict(review.labels)),
        )  # fmt: skip
        self._do("INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

    def note_reference(self, change: int, text: str) -> None:
        """Note a reference review of a change; each counts once."""
        self._do("INSERT OR IGNORE INTO named VALUES (?, ?)", change, text)

    def add_references(self) -> None:
        """Add the references as reviews, but those that a row holds as a review already."""
        (last,) = next(self._each("SELECT max(row) FROM reviews"))
        with self.saved_together():
            query = "(SELECT change, text FROM reviews WHERE system = ?)"
            self._do(f"DELETE FROM named WHERE (change, text) IN {query}", GROUND_TRUTH)  # noqa: S608
            named = self._each("SELECT change, text FROM named ORDER BY change, rowid")
            for number, (change, text) in enumerate(named, start=1):
                review_id = f"change {change + 1}/{GROUND_TRUTH}"
                review = StoredReview(last + number, change, review_id, GROUND_TRUTH, text, UNRATED)
                self.add_review(review, len(text))

    def add_reject(self, reject: RejectedRow) -> None:
        """Add a row that is set aside."""
        self._do("INSERT INTO rejects VALUES (?, ?, ?)", *astuple(reject))

    def rejects(self) -> Iterator[RejectedRow]:
        """All rows set aside, in order."""
        for row in self._each("SELECT row, reason, content FROM rejects ORDER BY row"):
            yield RejectedRow(*row)

    def count(self, what: str) -> int:
        """Number of changes, reviews, rejects or parts."""
        return next(int(n) for (n,) in self._each(f"SELECT count(*) FROM {what}"))  # noqa: S608

    def referenced_changes(self) -> int:
        """Number of changes that have their pseudo-references."""
        return self.count("changes WHERE found IS NOT NULL")

    def open_blocks(self) -> list[int]:
        """Numbers of the blocks without pseudo-references, in order."""
        query = "SELECT DISTINCT block FROM changes WHERE found IS NULL ORDER BY block"
        return [int(number) for (number,) in self._each(query)]

    def block(self, number: int) -> Block:
        """A block of changes."""
        query = "SELECT number, cells FROM changes WHERE block = ? ORDER BY number"
        with self._guarded():
            changes = tuple(
                (int(change), ChangeCells(**json.loads(cells)))
                for change, cells in self._each(query, number)
            )
        return Block(number, changes)

    def save_references(self, found: Iterable[tuple[int, ChangeReferences]]) -> None:
        """Keep the pseudo-references of changes, by their numbers."""
        with self.saved_together():
            for number, change in found:
                text = _text_of(change)
                self._do("UPDATE changes SET found = ? WHERE number = ?", text, number)

    def open_parts(self) -> list[int]:
        """Numbers of the parts that are not written, in order."""
        query = (
            "SELECT DISTINCT part FROM reviews WHERE part NOT IN (SELECT number FROM parts) "
            "ORDER BY part"
        )
        return [int(number) for (number,) in self._each(query)]

    def part(self, number: int) -> Part:
        """A part, whose changes have their pseudo-references."""
        query = (
            "SELECT row, change, id, system, text, conciseness, comprehensiveness, relevance, "
            "labels FROM reviews WHERE part = ? ORDER BY row"
        )
        changes = (
            "SELECT number, found FROM changes "
            "WHERE number IN (SELECT change FROM reviews WHERE part = ?)"
        )
        with self._guarded():
            reviews = tuple(
                StoredReview(
                    row, change, review_id, system, text, Ratings(*ratings), json.loads(labels)
                )
                for row, change, review_id, system, text, *ratings, labels in self._each(
                    query, number
                )
            )
            found = {
                int(change): _references().validate_json(text)
                for change, text in self._each(changes, number)
            }
            return Part(number, reviews, {one.change: found[one.change] for one in reviews})

    def changes(self) -> Iterator[RunChange]:
        """Read every change with its pseudo-references, in order.

        A change bears its name, else the id that all its reviews but references have, else its
        number, from 1.
        It is left out where it has no pseudo-references.
        """
        query = (
            "SELECT number, cells, found, ifnull(min(id) FILTER (WHERE system <> ?1), 1), "
            "ifnull(max(id) FILTER (WHERE system <> ?1), 2) FROM changes "
            "JOIN reviews ON reviews.change = number GROUP BY number ORDER BY number"
        )
        with self._guarded():
            for number, cells, found, first_id, last_id in self._each(query, GROUND_TRUTH):
                change = _references().validate_json(found)
                whole, left_out = change.references, change.left_out
                if whole is not None and not whole.pseudo_references:
                    left_out = "it gives no pseudo-references"
                given = ChangeCells(**json.loads(cells))
                same_id = first_id if first_id == last_id else f"change {number + 1}"
                yield RunChange(
                    number,
                    given.name or same_id,
                    change.language,
                    given.title or "",
                    given.diff,
                    whole.pseudo_references if whole else (),
                    whole.warnings if whole else (),
                    left_out,
                )

    def save_part(self, part: WrittenPart) -> None:
        """Note that a part is written."""
        self._do("INSERT INTO parts VALUES (?, ?, ?, ?)", *astuple(part))

    def forget_part(self, number: int) -> None:
        """Note that a part is not written any more."""
        self._do("DELETE FROM parts WHERE number = ?", number)

    def written_parts(self) -> list[WrittenPart]:
        """The parts that are written, in order."""
        query = "SELECT number, rows, unscored, sha256 FROM parts ORDER BY number"
        with self._guarded():
            return [
                WrittenPart(int(number), int(rows), int(unscored), str(sha256))
                for number, rows, unscored, sha256 in self._each(query)
            ]

    def _do(self, command: str, *values: object) -> None:
        with self._guarded():
            self._rows.execute(command, values)

    def _each(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with self._guarded():
            # `yield from` would close its cursor, also of a database that is closed by then
            for row in self._rows.execute(query, values):  # noqa: UP028
                yield row

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn errors of the file, or of its rows, into a `BatchError`."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise BatchError(
                f"the run cannot use its file {self.path.name} ({error}); see that there is room "
                "on the disk and go on with --resume: nothing that was done is lost"
            ) from error
        except (
            sqlite3.Error, ValueError, KeyError, TypeError, AttributeError, RecursionError
        ) as error:  # fmt: skip
            reason = str(error).partition("\n")[0]
            raise BatchError(
                f"the file {str(self.path)!r} is damaged ({type(error).__name__}: {reason}); the "
                "run cannot go on: begin it again in another folder"
            ) from error


def change_key(cells: ChangeCells) -> bytes:
    """Identity of a change among all others."""
    return hashlib.sha256(json.dumps(_VALUES(cells)).encode()).digest()


def _text_of(change: ChangeReferences) -> str:
    """JSON without the smells of each analyzer, which stand among the references."""
    if change.references is not None:
        bare = tuple(replace(result, smells=()) for result in change.references.analyzers)
        change = replace(change, references=replace(change.references, analyzers=bare))
    return json.dumps(asdict(change))


@cache
def _references() -> "TypeAdapter[ChangeReferences]":
    from pydantic import TypeAdapter

    return TypeAdapter(ChangeReferences)
