"""Ratings that people give in the app: one SQLite file in the folder of a run.

The questions are those of the study (paper, section 4.2 and appendix D) and two that no
pseudo-reference answers. Raters see neither system nor score, each in an order of their own.
"""

import hashlib
import math
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.table import DIMENSIONS, HUMAN, LABEL, Run, label_columns

RIGHT, WORTH = "right", "worth"
"""Whether a review is right, and whether it is worth saying."""

QUESTIONS = (*DIMENSIONS, RIGHT, WORTH)
"""Questions about a review, in the order in which they are asked."""

CANNOT_TELL = -1
"""Answer to `RIGHT`, besides 1 (right) and 0 (wrong); left out of all statistics."""

COLUMNS: Mapping[str, str] = {**HUMAN, RIGHT: f"{LABEL}{RIGHT}", WORTH: f"{LABEL}{WORTH}"}
"""Column of the table of reviews that each question's answers become."""

FROM_FILE = "file"
"""Name of the source whose ratings came with the reviews."""

MAX_CHANGES = 2_000
"""Most changes offered for rating; larger runs are sampled."""

_SHARED = 0.2  # share of the changes that every rater gets first, so that agreement can be measured
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL, id TEXT NOT NULL,
    question TEXT NOT NULL, value INTEGER NOT NULL, is_blind INTEGER NOT NULL, time REAL NOT NULL,
    UNIQUE (rater, id, question))
"""


class Question(NamedTuple):
    """The next question to a rater: about the review `id`, answered by one of `values`."""

    id: str
    name: str
    values: tuple[int, ...]


class Ratings:
    """The answers about a run. Each is on disk when the method that stores it returns.

    Raises:
        InputError: from any method, if the file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "_ratings.sqlite"

    def give(self, rater: str, question: Question, value: int, *, is_blind: bool) -> None:
        """Store an answer in place of the rater's earlier answer to the same question."""
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO answers (rater, id, question, value, is_blind, time)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (rater, question.id, question.name, value, is_blind, time.time()),
            )

    def undo(self, rater: str) -> None:
        """Remove the rater's last answer."""
        with self._open() as database:
            database.execute(
                "DELETE FROM answers WHERE number = (SELECT max(number) FROM answers"
                " WHERE rater = ?)",
                (rater,),
            )

    def answers(self) -> pd.DataFrame:
        """Return all answers in order: rater, id of the review, question, value, is_blind, time."""
        query = "SELECT rater, id, question, value, is_blind, time FROM answers ORDER BY number"
        if not self._file.exists():
            return pd.DataFrame(columns=["rater", "id", "question", "value", "is_blind", "time"])
        with self._open() as database:
            return pd.read_sql_query(query, database)

    @property
    def state(self) -> int:
        """A number that changes with every answer, as a key for caches; 0 if there are none."""
        return self._file.stat().st_mtime_ns if self._file.exists() else 0

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._file, timeout=10)) as database, database:
                database.execute(_TABLE)
                yield database
        except (sqlite3.Error, pd.errors.DatabaseError) as error:
            raise InputError(
                f"the ratings in {str(self._file)!r} cannot be read or written: {error}; "
                "make room or repair the file"
            ) from error


def next_question(run: Run, answers: pd.DataFrame, rater: str) -> Question | None:
    """Return what a rater is asked next, None if nothing is left.

    First comes the change the rater has begun, then the changes that everybody rates, then those
    that nobody else has rated, then the others. A rating of relevance lies between the other two.
    """
    own_answers = answers[answers["rater"] == rater].set_index(["id", "question"])
    own: dict[Any, int] = own_answers["value"].to_dict()
    reviews = _reviews_to_rate(run)
    rated_by_others = set(answers.loc[answers["rater"] != rater, "id"])
    has_answer = reviews["id"].isin({review for review, _ in own})
    begun = set(reviews.loc[has_answer, "change"])
    shared = _shared_changes(reviews)
    begun_by_others = set(reviews.loc[reviews["id"].isin(rated_by_others), "change"])
    changes = sorted(
        reviews["change"].unique(),
        key=lambda name: (
            name not in begun,
            shared.get(name, len(shared)),
            name in begun_by_others,
            _shuffled(rater, name),
        ),
    )
    by_change = reviews.groupby("change")["id"]
    for change in changes:
        for review in sorted(by_change.get_group(change), key=lambda name: _shuffled(rater, name)):
            for name in QUESTIONS:
                if (review, name) not in own:
                    return Question(review, name, _values(name, review, own))
    return None


def progress(run: Run, answers: pd.DataFrame, rater: str) -> tuple[int, int]:
    """Return how many reviews a rater has rated, and how many there are to rate."""
    ids = set(_reviews_to_rate(run)["id"])
    done = answers[(answers["rater"] == rater) & (answers["question"] == QUESTIONS[-1])]
    return len(ids & set(done["id"])), len(ids)


def with_ratings(run: Run, answers: pd.DataFrame) -> Run:
    """Join answers to the reviews, as the columns in `COLUMNS`.

    A review's rating is the mean over everybody who rated it; ratings that came with the reviews
    count as one more rater's. No rating is dropped. `settings["raters"]` has the number of rated
    reviews by rater.
    """
    counted = answers[answers["value"] != CANNOT_TELL]
    if counted.empty:
        return run
    reviews = run.reviews.copy()
    for question, column in COLUMNS.items():
        to_question = counted[counted["question"] == question]
        if to_question.empty:
            continue
        by_rater = to_question.pivot_table(index="id", columns="rater", values="value")
        ratings = by_rater.reindex(reviews["id"]).set_axis(reviews.index)
        if column in reviews:
            ratings.insert(0, (FROM_FILE,), reviews[column])
        reviews[column] = ratings.mean(axis=1)
    return run._replace(reviews=reviews, settings={**run.settings, "raters": _raters(run, answers)})


def _raters(run: Run, answers: pd.DataFrame) -> dict[str, int]:
    by_rater = answers.groupby("rater", sort=False)["id"].nunique()
    counts = {str(rater): int(number) for rater, number in by_rater.items()}
    columns = [name for name in HUMAN.values() if name in run.reviews] + label_columns(run.reviews)
    in_file = int(run.reviews[columns].notna().any(axis=1).sum()) if columns else 0
    return {**({FROM_FILE: in_file} if in_file else {}), **counts}


def _reviews_to_rate(run: Run) -> pd.DataFrame:
    is_scored = (run.reviews["n_sentences"] > 0) & (run.reviews["n_pseudo_references"] > 0)
    reviews = run.reviews.loc[is_scored, ["id", "change"]]
    drawn = sorted(reviews["change"].unique(), key=_shuffled)[:MAX_CHANGES]
    return reviews[reviews["change"].isin(drawn)]


def _shared_changes(reviews: pd.DataFrame) -> dict[str, int]:
    changes = sorted(reviews["change"].unique(), key=_shuffled)
    chosen = changes[: math.ceil(_SHARED * len(changes))]
    return {name: place for place, name in enumerate(chosen)}


def _values(question: str, review: str, own: Mapping[Any, int]) -> tuple[int, ...]:
    if question == RIGHT:
        return (1, 0, CANNOT_TELL)
    if question == "relevance":
        low, high = sorted(own[review, name] for name in DIMENSIONS[:-1])
        return tuple(range(low, high + 1))
    return (1, 2, 3, 4, 5)


def _shuffled(*names: str) -> bytes:
    """A key that sorts names in a random order, always the same."""
    return hashlib.blake2b(repr(names).encode("utf-8", "surrogatepass"), digest_size=8).digest()
