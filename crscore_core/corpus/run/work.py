"""The work of a run on disk: what was read, how it is cut into parts, what is done."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, fields, replace
from functools import cache
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, CorpusReview, Ratings
from crscore_core.corpus.part import Cutting, Part, review_size
from crscore_core.corpus.reading.review_row import ChangeCells, known_change
from crscore_core.corpus.reading.table import RejectedRow
from crscore_core.corpus.run.folder import WrittenPair
from crscore_core.errors import InputError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_VALUES = attrgetter(*(field.name for field in fields(ChangeCells) if field.compare))

_SCHEMA = """
CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE changes (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, size INTEGER NOT NULL,
    cells TEXT NOT NULL
);
CREATE TABLE reviews (
    row INTEGER PRIMARY KEY, change INTEGER NOT NULL, size INTEGER NOT NULL,
    id TEXT, system TEXT NOT NULL, text TEXT NOT NULL,
    conciseness REAL, comprehensiveness REAL, relevance REAL, labels TEXT NOT NULL,
    reference TEXT NOT NULL
);
CREATE TABLE rejects (row INTEGER PRIMARY KEY, reason TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE parts (
    number INTEGER PRIMARY KEY, change INTEGER NOT NULL, row INTEGER NOT NULL, written TEXT
);
"""
"""A part begins with a review, by the number of its change and its row; `written` are its files."""

_REFERENCES = """
CREATE TEMP TABLE IF NOT EXISTS named (change INTEGER, text TEXT, PRIMARY KEY (change, text))
"""
"""References that rows named so far. They are reviews once all rows are read, and need not outlast
the program, as a file is read from the start again."""


class Work:
    """A database of one file at `path`. What is committed survives whatever ends the program.

    Raises:
        InputError: anywhere, where the disk is full or the file damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._guarded():
            self._rows = sqlite3.connect(path, isolation_level=None)
            self._rows.execute("PRAGMA journal_mode = WAL")
            if not self._rows.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._rows.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
            self._rows.execute(_REFERENCES)

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

    def change_number(self, cells: ChangeCells) -> int | None:
        """The number of a change, None of one that is new."""
        query = "SELECT number FROM changes WHERE key = ?"
        return next((number for (number,) in self._each(query, change_key(cells))), None)

    def add_change(self, number: int, cells: ChangeCells) -> None:
        """Add a change that is new."""
        size = sum(len(value or "") for value in _VALUES(cells))
        values = (number, change_key(cells), size, json.dumps(asdict(cells)))
        self._do("INSERT INTO changes VALUES (?, ?, ?, ?)", *values)

    def add_review(self, change: int, review: CorpusReview) -> None:
        """Add a review of the change of this number."""
        values = (
            review.row, change, review_size(review.text), review.id or None, review.system,
            review.text,
            *astuple(review.ratings), json.dumps(dict(review.labels)), review.reference,
        )  # fmt: skip
        self._do("INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

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
                row = last + number
                self.add_review(change, CorpusReview(review_id, GROUND_TRUTH, text, row=row))

    def add_reject(self, reject: RejectedRow) -> None:
        """Add a row that is set aside."""
        self._do("INSERT INTO rejects VALUES (?, ?, ?)", *astuple(reject))

    def rejects(self) -> Iterator[RejectedRow]:
        """All rows set aside, in order."""
        for row in self._each("SELECT row, reason, content FROM rejects ORDER BY row"):
            yield RejectedRow(*row)

    def count(self, what: str) -> int:
        """Number of changes, reviews or rejects."""
        return next(int(n) for (n,) in self._each(f"SELECT count(*) FROM {what}"))  # noqa: S608

    def cut(self) -> None:
        """Cut what was read into parts: changes in their order, with all their reviews."""
        cutting, parts = Cutting(), 0
        self._do("CREATE INDEX IF NOT EXISTS reviews_of_change ON reviews (change, row)")
        query = (
            "SELECT change, row, reviews.size, changes.size, count(*) OVER of_change, "
            "sum(reviews.size) OVER of_change FROM reviews JOIN changes ON number = change "
            "WINDOW of_change AS (PARTITION BY change) ORDER BY change, row"
        )
        last = None
        for change, row, size, size_of_change, reviews, size_of_all in self._each(query):
            is_new, last = change != last, change
            needed = (reviews, size_of_change + size_of_all) if is_new else (1, size)
            if cutting.begins_part(*needed) or not parts:
                self._do("INSERT INTO parts VALUES (?, ?, ?, NULL)", parts, change, row)
                parts += 1
            cutting.take(size + size_of_change * is_new)

    def open_parts(self) -> list[int]:
        """Numbers of the parts that are not written, in order."""
        query = "SELECT number FROM parts WHERE written IS NULL ORDER BY number"
        return [int(number) for (number,) in self._each(query)]

    def part(self, number: int) -> Part:
        """Read a part.

        A change bears its name, else the id that all its reviews but references have, else its
        number, from 1. A review without an id bears the number of its row.
        """
        begin = "(SELECT change, row FROM parts WHERE number = ?1)"
        end = "SELECT change, row FROM parts WHERE number = ?1 + 1"
        query = (
            "SELECT change, row, id, system, text, conciseness, comprehensiveness, relevance, "  # noqa: S608
            f"labels, reference FROM reviews WHERE (change, row) >= {begin} "
            f"AND (NOT EXISTS ({end}) OR (change, row) < ({end})) ORDER BY change, row"
        )
        with self._guarded():
            reviews = [
                (
                    change,
                    CorpusReview(
                        review_id or f"row {row}",
                        system,
                        text,
                        _ratings(ratings),
                        json.loads(labels),
                        reference,
                        row,
                    ),
                )
                for change, row, review_id, system, text, *ratings, labels, reference in self._each(
                    query, number
                )
            ]
            changes = []
            for change, of_change in groupby(reviews, itemgetter(0)):
                cells, same_id = self._change(change)
                read = known_change(cells)
                changes.append(
                    replace(read, id=read.id or same_id, reviews=tuple(one for _, one in of_change))
                )
            first = reviews[0]
            before = "SELECT 1 FROM reviews WHERE change = ? AND row < ? LIMIT 1"
            continues = any(True for _ in self._each(before, first[0], first[1].row))
            return Part(number, first[0], tuple(changes), continues)

    def _change(self, number: int) -> tuple[ChangeCells, str]:
        """Read the cells of a change, and the id to give it where it has no name."""
        query = (
            "SELECT cells, ifnull(min(ifnull(id, '')) FILTER (WHERE system <> ?2), ''), "
            "max(ifnull(id, '')) FILTER (WHERE system <> ?2) "
            "FROM changes JOIN reviews ON change = number WHERE number = ?1"
        )
        cells, first, last = next(self._each(query, number, GROUND_TRUTH))
        same_id = first if first and first == last else f"change {number + 1}"
        return ChangeCells(**json.loads(cells)), same_id

    def save_part(self, number: int, files: WrittenPair) -> None:
        """Note that a part is written."""
        text = json.dumps(asdict(files))
        self._do("UPDATE parts SET written = ? WHERE number = ?", text, number)

    def forget_part(self, number: int) -> None:
        """Note that a part is not written any more."""
        self._do("UPDATE parts SET written = NULL WHERE number = ?", number)

    def written_parts(self) -> list[WrittenPair]:
        """The parts that are written, in order."""
        query = "SELECT written FROM parts WHERE written IS NOT NULL ORDER BY number"
        with self._guarded():
            return [_files().validate_json(text) for (text,) in self._each(query)]

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
        """Turn errors of the file, or of its rows, into a `InputError`."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise InputError(
                f"the run cannot use its file {self.path.name} ({error}); make room on the "
                "disk and try again: finished work is kept"
            ) from error
        except (
            sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, RecursionError
        ) as error:  # fmt: skip
            reason = str(error).partition("\n")[0]
            raise InputError(
                f"the file {str(self.path)!r} is damaged ({type(error).__name__}: {reason}); the "
                "run cannot go on: begin it again in another folder"
            ) from error


def change_key(cells: ChangeCells) -> bytes:
    """Identity of a change among all others."""
    return hashlib.sha256(json.dumps(_VALUES(cells)).encode()).digest()


def _ratings(values: list[float | None]) -> Ratings:
    return Ratings(*values) if any(value is not None for value in values) else UNRATED


@cache
def _files() -> "TypeAdapter[WrittenPair]":
    from pydantic import TypeAdapter

    return TypeAdapter(WrittenPair)
