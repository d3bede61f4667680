"""The work of a run on disk: what was read, what is done, what is left."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reading.review_row import ChangeCells
from crscore_core.corpus.run.document import WrittenPart
from crscore_core.corpus.run.table import RunChange
from crscore_core.corpus.run.units import (
    Block,
    ChangeReferences,
    Filling,
    Part,
    Reject,
    StoredReview,
)
from crscore_core.corpus.score import CHANGES_AT_ONCE
from crscore_core.errors import BatchError
from crscore_core.scoring import split_sentences

Row = tuple[Any, ...]

REVIEWS_AT_ONCE = 1000
"""Reviews that are scored together: the texts of many make full batches for an encoder."""

_A_SENTENCE = 400
"""What a sentence takes beside its text, most of it its vector, counted as characters."""

_VALUES = attrgetter(*(field.name for field in fields(ChangeCells)))

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
    conciseness REAL, comprehensiveness REAL, relevance REAL
);
CREATE INDEX reviews_of_part ON reviews (part);
CREATE TABLE rejects (row INTEGER PRIMARY KEY, reason TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE parts (
    number INTEGER PRIMARY KEY, rows INTEGER NOT NULL, unscored INTEGER NOT NULL,
    sha256 TEXT NOT NULL
);
"""


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
        self._block = Filling(CHANGES_AT_ONCE)
        self._part = Filling(REVIEWS_AT_ONCE)

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()

    @contextmanager
    def saved_together(self) -> Iterator[None]:
        """Commit what is done inside, all or nothing."""
        with self._guarded():
            self._rows.execute("BEGIN")
            try:
                yield
            except BaseException:
                if self._rows.in_transaction:
                    self._rows.execute("ROLLBACK")
                raise
            self._rows.execute("COMMIT")

    def note(self, name: str, document: Mapping[str, Any]) -> None:
        """Keep a document under a name."""
        with self._guarded():
            values = (name, json.dumps(document))
            self._rows.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", values)

    def noted(self, name: str) -> dict[str, Any] | None:
        """The document under a name, if there is one."""
        found = self._one("SELECT text FROM notes WHERE name = ?", name)
        with self._read_back():
            return None if found is None else dict(json.loads(found[0]))

    def clear(self) -> None:
        """Forget all that was read, to read it again."""
        with self.saved_together():
            for table in ("changes", "reviews", "rejects", "parts"):
                self._rows.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
        self._block, self._part = Filling(CHANGES_AT_ONCE), Filling(REVIEWS_AT_ONCE)

    def change_number(self, cells: ChangeCells) -> int | None:
        """The number of a change, None of one that is new."""
        found = self._one("SELECT number FROM changes WHERE key = ?", change_key(cells))
        return None if found is None else int(found[0])

    def add_change(self, number: int, cells: ChangeCells) -> None:
        """Add a change that is new."""
        size = sum(len(value or "") for value in _VALUES(cells))
        values = (
            number,
            change_key(cells),
            self._block.take(size),
            json.dumps(asdict(cells)),
            None,
        )
        with self._guarded():
            self._rows.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?)", values)

    def add_review(self, review: StoredReview, size: int) -> None:
        """Add a review; `size` is how many characters it brings, with the claims of its change."""
        part = self._part.take(size + _A_SENTENCE * len(split_sentences(review.text)))
        values = (
            review.row, part, review.change, review.id, review.system, review.text,
            *astuple(review.ratings),
        )  # fmt: skip
        with self._guarded():
            self._rows.execute("INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def add_reject(self, reject: Reject) -> None:
        """Add a row that is set aside."""
        with self._guarded():
            self._rows.execute("INSERT INTO rejects VALUES (?, ?, ?)", astuple(reject))

    def rejects(self) -> Iterator[Reject]:
        """All rows set aside, in order."""
        for row in self._each("SELECT row, reason, content FROM rejects ORDER BY row"):
            yield Reject(*row)

    def count(self, table: str) -> int:
        """How many changes, reviews, rejects or parts there are."""
        found = self._one(f"SELECT count(*) FROM {table}")  # noqa: S608 - a name of our own
        return int(found[0]) if found else 0

    def open_blocks(self) -> list[int]:
        """Numbers of the blocks without pseudo-references, in order."""
        query = "SELECT DISTINCT block FROM changes WHERE found IS NULL ORDER BY block"
        return [int(number) for (number,) in self._each(query)]

    def referenced_changes(self) -> int:
        """How many changes have their pseudo-references."""
        found = self._one("SELECT count(*) FROM changes WHERE found IS NOT NULL")
        return int(found[0]) if found else 0

    def block(self, number: int) -> Block:
        """A block of changes."""
        query = "SELECT number, cells FROM changes WHERE block = ? ORDER BY number"
        with self._read_back():
            changes = tuple(
                (int(change), ChangeCells(**json.loads(cells)))
                for change, cells in self._each(query, number)
            )
        return Block(number, changes)

    def save_references(self, found: Iterable[tuple[int, ChangeReferences]]) -> None:
        """Keep the pseudo-references of changes, by their numbers."""
        values = [(change.as_json(), number) for number, change in found]
        with self.saved_together():
            self._rows.executemany("UPDATE changes SET found = ? WHERE number = ?", values)

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
            "SELECT row, change, id, system, text, conciseness, comprehensiveness, relevance "
            "FROM reviews WHERE part = ? ORDER BY row"
        )
        changes = (
            "SELECT number, found FROM changes "
            "WHERE number IN (SELECT change FROM reviews WHERE part = ?)"
        )
        with self._read_back():
            reviews = tuple(
                StoredReview(row, change, review_id, system, text, Ratings(*ratings))
                for row, change, review_id, system, text, *ratings in self._each(query, number)
            )
            found = {
                int(change): ChangeReferences.of_json(text)
                for change, text in self._each(changes, number)
            }
            return Part(number, reviews, {one.change: found[one.change] for one in reviews})

    def changes(self) -> Iterator[RunChange]:
        """Read every change with its pseudo-references, in order.

        A change bears the id that all its reviews have, or else its number, from 1.
        """
        query = (
            "SELECT number, cells, found, min(id), max(id) FROM changes "
            "JOIN reviews ON reviews.change = number GROUP BY number ORDER BY number"
        )
        with self._read_back():
            for number, cells, found, first_id, last_id in self._each(query):
                yield _run_change(
                    number,
                    first_id if first_id == last_id else f"change {number + 1}",
                    json.loads(cells)["diff"],
                    ChangeReferences.of_json(found),
                )

    def save_part(self, part: WrittenPart) -> None:
        """Note that a part is written."""
        with self._guarded():
            self._rows.execute("INSERT INTO parts VALUES (?, ?, ?, ?)", astuple(part))

    def forget_part(self, number: int) -> None:
        """Note that a part is not written any more."""
        with self._guarded():
            self._rows.execute("DELETE FROM parts WHERE number = ?", (number,))

    def written_parts(self) -> list[WrittenPart]:
        """The parts that are written, in order."""
        query = "SELECT number, rows, unscored, sha256 FROM parts ORDER BY number"
        with self._read_back():
            return [
                WrittenPart(int(number), int(rows), int(unscored), str(sha256))
                for number, rows, unscored, sha256 in self._each(query)
            ]

    def _one(self, query: str, *values: object) -> Row | None:
        return next(iter(self._each(query, *values)), None)

    def _each(self, query: str, *values: object) -> Iterator[Row]:
        with self._guarded():
            # `yield from` would close its cursor, also of a database that is closed by then
            for row in self._rows.execute(query, values):  # noqa: UP028
                yield row

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise BatchError(
                f"the run cannot use its file {self.path.name} ({error}); see that there is room "
                "on the disk and go on with --resume: nothing that was done is lost"
            ) from error
        except sqlite3.Error as error:
            raise self._damage(error) from error

    @contextmanager
    def _read_back(self) -> Iterator[None]:
        """Where what was written is made values again."""
        try:
            yield
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._damage(error) from error

    def _damage(self, error: Exception) -> BatchError:
        return BatchError(
            f"the file {str(self.path)!r} is damaged ({type(error).__name__}: {error}); the run "
            "cannot go on: begin it again in another folder"
        )


def _run_change(number: int, change_id: str, diff: str, made: ChangeReferences) -> RunChange:
    """A change as the finished run keeps it, left out where it has no pseudo-references."""
    whole, left_out = made.references, made.left_out
    if whole is not None and not whole.pseudo_references:
        left_out = "it gives no pseudo-references"
    return RunChange(
        number,
        change_id,
        made.language,
        "",
        diff,
        whole.pseudo_references if whole else (),
        whole.warnings if whole else (),
        left_out,
    )


def change_key(cells: ChangeCells) -> bytes:
    """What tells a change from all others."""
    return hashlib.sha256(json.dumps(_VALUES(cells)).encode()).digest()
