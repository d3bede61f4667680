"""Answers of people who rate the reviews of a run: one SQLite file in its folder."""

import json
import sqlite3
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import label_column
from crscore_core.errors import InputError

ANSWERS = "_ratings.sqlite"
"""Name of the file; readers of Parquet pass over names that begin with `_`."""

RIGHT, WORTH = "right", "worth"
"""Questions about a review that no pseudo-reference answers, and the labels that answers become."""

QUESTIONS = (*DIMENSIONS, RIGHT, WORTH)
"""Questions to a rater about a review, in order."""

CANNOT_TELL = -1
"""Answer to `RIGHT` beside 1, right, and 0, wrong. It counts in no mean and no agreement."""

_SECONDS_FOR_OTHERS = 10.0
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL, change INTEGER NOT NULL,
    item INTEGER NOT NULL, question TEXT NOT NULL, value INTEGER NOT NULL,
    is_blind INTEGER NOT NULL, time REAL NOT NULL, UNIQUE (rater, change, item, question));
CREATE TABLE IF NOT EXISTS missing (
    rater TEXT NOT NULL, change INTEGER NOT NULL, claims TEXT NOT NULL,
    PRIMARY KEY (rater, change));
CREATE TABLE IF NOT EXISTS plan (name TEXT PRIMARY KEY, value REAL NOT NULL);
"""
_PROGRAMS = "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')"


@dataclass(frozen=True, slots=True)
class Answer:
    """A rater's answer to one question about one item of a change.

    `change` is the position of the change in the run's comparison. `question` is one of
    `QUESTIONS`, then `item` is the `row` of a review in the run's tables; any other question has
    items and values of its own. `value` is 1, 0 or `CANNOT_TELL` in `RIGHT`, and from 1 to 5 in
    the other `QUESTIONS`. `is_blind` says that the rater saw neither system nor scores. `time` is
    in seconds since 1970.
    """

    rater: str
    change: int
    item: int
    question: str
    value: int
    is_blind: bool
    time: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class RatingPlan:
    """Settings of a rating: overlap of raters, and whether claims are coded.

    `overlap` is the share of the changes, from 0 to 1, that everybody gets. `codes_claims` has
    raters code the claims of a change before they rate its reviews.
    """

    overlap: float = 0.2
    codes_claims: bool = False


class RunAnswers:
    """The answers about the run in a folder. Each is on the disk once its method returns.

    Several processes may write.

    Raises:
        InputError: anywhere, where the file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / ANSWERS

    @property
    def state(self) -> tuple[int, int] | None:
        """Time of the last change and size of the file; None while nobody has answered."""
        try:
            found = self._file.lstat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{str(self._file)!r} is a link or no file, so it holds no ratings")
        return found.st_mtime_ns, found.st_size

    def give(self, answer: Answer) -> None:
        """Keep an answer, in place of the same rater's last one to the question."""
        with self._opened() as database:
            database.execute(
                "INSERT OR REPLACE INTO answers"
                " (rater, change, item, question, value, is_blind, time)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                astuple(answer),
            )

    def take_back(self, rater: str) -> None:
        """Remove the last answer of a rater."""
        with self._opened() as database:
            database.execute(
                "DELETE FROM answers WHERE id = (SELECT max(id) FROM answers WHERE rater = ?)",
                [rater],
            )

    def add_missing(self, rater: str, change: int, claims: tuple[str, ...]) -> None:
        """Keep the claims that a rater misses among those of a change, in place of others."""
        with self._opened() as database:
            database.execute(
                "INSERT OR REPLACE INTO missing VALUES (?, ?, ?)",
                [rater, change, json.dumps(claims)],
            )

    def remove(self, rater: str) -> None:
        """Remove everything that a rater said."""
        with self._opened() as database:
            database.execute("DELETE FROM answers WHERE rater = ?", [rater])
            database.execute("DELETE FROM missing WHERE rater = ?", [rater])

    def list(self) -> tuple[Answer, ...]:
        """Return the answers in the order in which they were given."""
        return tuple(
            Answer(rater, change, item, question, value, bool(is_blind), at)
            for rater, change, item, question, value, is_blind, at in self._read(
                "SELECT rater, change, item, question, value, is_blind, time"
                " FROM answers ORDER BY id"
            )
        )

    def missing(self) -> Mapping[tuple[str, int], tuple[str, ...]]:
        """Return the claims that raters miss, by rater and change."""
        rows = self._read("SELECT rater, change, claims FROM missing")
        return {(rater, change): tuple(json.loads(claims)) for rater, change, claims in rows}

    def means(self) -> Mapping[str, Mapping[int, float]]:
        """Return each review's means over its raters, by column and row; {} without any.

        Columns are `human_` and one of `DIMENSIONS`, in which a rating counts once it is whole,
        and those of the labels `RIGHT` and `WORTH`. A label that somebody was asked about has a
        column, also where nobody could tell.
        """
        whole = "question IN (?, ?, ?)"
        rated = self._read(
            f"SELECT 'human_' || question, item, avg(value) FROM answers WHERE {whole}"  # noqa: S608
            f" AND (rater, item) IN (SELECT rater, item FROM answers WHERE {whole}"
            " GROUP BY rater, item HAVING count(*) = 3) GROUP BY question, item",
            *DIMENSIONS,
            *DIMENSIONS,
        )
        means: dict[str, dict[int, float]] = {}
        for column, item, mean in rated:
            means.setdefault(column, {})[item] = mean
        for label in (RIGHT, WORTH):
            answered = self._read(
                "SELECT item, avg(iif(value < 0, NULL, value)) FROM answers WHERE question = ?"
                " GROUP BY item",
                label,
            )
            if answered:
                known = {item: mean for item, mean in answered if mean is not None}
                means[label_column(label)] = known
        return means

    @property
    def plan(self) -> RatingPlan:
        """Return the settings that all raters of the run share."""
        kept = dict(self._read("SELECT name, value FROM plan"))
        usual = RatingPlan()
        return RatingPlan(
            kept.get("overlap", usual.overlap), bool(kept.get("codes_claims", usual.codes_claims))
        )

    def set_plan(self, plan: RatingPlan) -> None:
        """Keep what raters are asked from now on."""
        with self._opened() as database:
            database.executemany(
                "INSERT OR REPLACE INTO plan VALUES (?, ?)",
                [("overlap", plan.overlap), ("codes_claims", plan.codes_claims)],
            )

    def copy(self, folder: Path) -> None:
        """Copy all answers to another folder, which has none; others may write meanwhile."""
        if self.state is not None:
            with self._opened() as ours, closing(sqlite3.connect(folder / ANSWERS)) as copy:
                ours.backup(copy)

    def _read(self, query: str, *values: str) -> "Sequence[tuple[Any, ...]]":
        if self.state is None:
            return []
        with self._opened() as database:
            return database.execute(query, values).fetchall()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with (
                closing(sqlite3.connect(self._file, timeout=_SECONDS_FOR_OTHERS)) as database,
                database,
            ):
                if database.execute(_PROGRAMS).fetchone():
                    raise sqlite3.DatabaseError("it has views or triggers, which may never end")
                database.executescript(_TABLES)
                yield database
        except sqlite3.Error as error:
            raise InputError(
                f"the ratings in {str(self._file)!r} cannot be read or written: {error}; "
                "repair the file, or move it away to go on without them"
            ) from error
