"""Ratings that people give in the app, in one SQLite file in the folder of a run.

Raters answer two questions that do not depend on the metric or, for studies of the metric, the
questions of the human study (paper, section 4.2 and appendix D). They see neither system nor score,
and each rater sees the reviews in a different order.
"""

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_core.text import counted, shorten
from crscore_eval.table import (
    DIMENSIONS,
    HUMAN,
    LABEL_PREFIX,
    RIGHT_LABEL,
    WORTH_LABEL,
    Run,
    RunSettings,
    is_by_system,
    no_ratings_error,
)

RIGHT, WORTH = "right", "worth"
"""Names of two questions: whether a review is right, and whether it is worth saying."""

QUALITY_QUESTIONS = (RIGHT, WORTH)
"""Questions that do not depend on the metric, in the order in which they are asked."""

METRIC_QUESTIONS = DIMENSIONS
"""The study's questions about a review and its pseudo-references, in the order asked."""

CANNOT_TELL = -1
"""Answer to `RIGHT` other than 1 (right) and 0 (wrong); left out of all statistics."""

ANSWER_COLUMNS: Mapping[str, str] = {**HUMAN, RIGHT: RIGHT_LABEL, WORTH: WORTH_LABEL}
"""Maps each question to the column of the table of reviews with its answers."""

IN_FILE, GIVEN_HERE = "_in_file", "_given_here"
"""Suffixes of labels that do not decide: ratings in the file, or answers given in the app."""

MIN_RATED, MIN_RATED_CHANGES = 50, 10
"""Minimum numbers of answered reviews and changes for people's answers to order the systems."""

MAX_CHANGES = 2_000
"""Maximum number of changes offered for rating; larger runs are sampled."""

_VALUES = dict.fromkeys(ANSWER_COLUMNS, (1, 2, 3, 4, 5)) | {RIGHT: (1, 0, CANNOT_TELL)}
_SHARED = 0.2  # share of the changes that all raters rate first, to show their agreement
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL, id TEXT NOT NULL,
    question TEXT NOT NULL, value INTEGER NOT NULL, is_blind INTEGER NOT NULL, time REAL NOT NULL,
    UNIQUE (rater, id, question))
"""


class Question(NamedTuple):
    """A question (`name`, see `ANSWER_COLUMNS`) about the review `id`, with its possible values."""

    id: str
    name: str
    values: tuple[int, ...]


class Ratings:
    """The answers about a run's reviews, on disk. An answer is stored when `give` returns.

    Raises:
        InputError: a method cannot read or write the file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "_ratings.sqlite"

    def give(self, rater: str, question: Question, value: int) -> None:
        """Store an answer, which replaces the rater's earlier answer to the same question."""
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO answers (rater, id, question, value, is_blind, time)"
                " VALUES (?, ?, ?, ?, TRUE, ?)",
                (rater, question.id, question.name, value, time.time()),
            )

    def undo(self, rater: str, questions: Sequence[str] = QUALITY_QUESTIONS) -> None:
        """Remove the rater's last answer to any of the questions."""
        with self._open() as database:
            database.execute(
                "DELETE FROM answers WHERE number = (SELECT max(number) FROM answers"
                " WHERE rater = ? AND question IN (SELECT value FROM json_each(?)))",
                (rater, json.dumps(questions)),
            )

    def answers(self) -> pd.DataFrame:
        """Return all answers in order: rater, id (review), question, value, time."""
        if not self._file.exists():
            return pd.DataFrame(columns=["rater", "id", "question", "value", "time"])
        query = "SELECT rater, id, question, value, time FROM answers ORDER BY number"
        with self._open() as database:
            answers = pd.read_sql_query(query, database)
        pairs = zip(answers["question"], answers["value"], strict=True)
        if not all(value in _VALUES.get(question, ()) for question, value in pairs):
            raise InputError(f"the ratings in {str(self._file)!r} are damaged", "repair the file")
        return answers

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._file.touch(mode=0o600)
            with closing(sqlite3.connect(self._file, timeout=10)) as database, database:
                database.execute(_TABLE)
                yield database
        except (OSError, sqlite3.Error, pd.errors.DatabaseError) as error:
            raise InputError(
                f"the ratings in {str(self._file)!r} cannot be read or written: {error}",
                "free disk space or repair the file",
            ) from error


def next_question(
    run: Run,
    answers: pd.DataFrame,
    rater: str,
    questions: Sequence[str] = QUALITY_QUESTIONS,
    skipped: Sequence[str] = (),
) -> Question | None:
    """Return the next question for a rater, or None if none is left.

    Answers to other questions do not count. The change that the rater has started comes first, then
    the changes that all raters rate, those that nobody else has started, the rest, and finally the
    reviews in `skipped` (ids). The possible ratings of relevance lie between those of conciseness
    and comprehensiveness.
    """
    answers = answers[answers["question"].isin(questions)]
    is_own = answers["rater"] == rater
    own: dict[Any, int] = answers[is_own].set_index(["id", "question"])["value"].to_dict()
    reviews = _reviews_to_rate(run, questions)
    started, started_by_others = (
        set(reviews["change"][reviews["id"].isin(answers["id"][chosen])])
        for chosen in (is_own, ~is_own)
    )
    changes = sorted(reviews["change"].unique(), key=_random_key)
    n_shared = math.ceil(_SHARED * len(changes))
    shared = {name: place for place, name in enumerate(changes[:n_shared])}
    places = {review: place for place, review in enumerate(skipped, start=1)}
    order = sorted(
        zip(reviews["id"], reviews["change"], strict=True),
        key=lambda one: (
            places.get(one[0], 0),
            one[1] not in started,
            shared.get(one[1], n_shared),
            one[1] in started_by_others,
            _random_key(rater, one[1]),
            _random_key(rater, one[0]),
        ),
    )
    unanswered = ((review, name) for review, _ in order for name in questions)
    for review, name in unanswered:
        if (review, name) not in own:
            return Question(review, name, _values(name, review, own))
    return None


def skip_review(skipped: list[str], review: str) -> None:
    """Move a review to the end of the skipped reviews, see `next_question`."""
    skipped[:] = [*(name for name in skipped if name != review), review]


def rating_progress(
    run: Run, answers: pd.DataFrame, rater: str, questions: Sequence[str] = QUALITY_QUESTIONS
) -> tuple[int, int]:
    """Return how many reviews a rater has answered completely, and how many are to be rated."""
    ids = set(_reviews_to_rate(run, questions)["id"])
    own = answers[(answers["rater"] == rater) & answers["question"].isin(questions)]
    n_answers = own["id"].value_counts()
    return len(ids & set(n_answers.index[n_answers == len(questions)])), len(ids)


def with_ratings(run: Run, answers: pd.DataFrame) -> Run:
    """Add the answers to the reviews, as means over raters in the columns of `ANSWER_COLUMNS`.

    A column of the file may have the same name as the answers to a question but mean something
    else, so the two are never averaged. Until there are enough answers (`has_enough_answers`), the
    file's column keeps the name, and the answers are a label with the suffix `GIVEN_HERE`. From
    then on, the answers have the name, and the file's column is a label with the suffix `IN_FILE`.
    `settings["raters"]` has the number of relevance ratings of each rater, unless they are such a
    label, and `settings["in_file"]` the number of the file's ratings for each question.
    """
    reviews, by_system = run.reviews.copy(deep=False), is_by_system(run.reviews)
    answers = answers[answers["id"].isin(reviews["id"])]
    rated = {name: column for name, column in ANSWER_COLUMNS.items() if column in reviews}
    counts = reviews.loc[by_system, [*rated.values()]].count()
    in_file: dict[Any, int] = counts.set_axis([*rated]).to_dict()
    definite = answers[answers["value"] != CANNOT_TELL]
    means = definite.pivot_table("value", "id", "question").reindex(reviews["id"])
    for question, mean in means.astype("float64").items():
        name = column = ANSWER_COLUMNS[str(question)]
        decides = has_enough_answers(run, by_system & mean.notna().to_numpy())
        if question in rated and decides:
            reviews[f"{LABEL_PREFIX}{question}{IN_FILE}"] = reviews[column]
        elif question in rated:
            name = f"{LABEL_PREFIX}{question}{GIVEN_HERE}"
        reviews[name] = mean.to_numpy()
    is_counted = (answers["question"] == "relevance") & answers["id"].isin(reviews["id"][by_system])
    raters: dict[Any, int] = answers["rater"][is_counted].value_counts(sort=False).to_dict()
    if f"{LABEL_PREFIX}relevance{GIVEN_HERE}" in reviews:
        raters = {}
    joined: RunSettings = {"raters": raters, "in_file": in_file}
    return run._replace(reviews=reviews, settings={**run.settings, **joined})


def has_enough_answers(run: Run, is_answered: NDArray[np.bool_]) -> bool:
    """Return True if people answered enough reviews, marked by `is_answered`, (n,), to decide."""
    n_changes = run.reviews["change"][is_answered].nunique()
    return bool(is_answered.sum() >= MIN_RATED and n_changes >= MIN_RATED_CHANGES)


def describe_source(reviews: pd.DataFrame, question: str) -> str:
    """Describe whose answers to a question decide; "" unless both the file and the app have some.

    Only answers about the systems' reviews are counted.
    """
    names = (f"{LABEL_PREFIX}{question}{end}" for end in (IN_FILE, GIVEN_HERE))
    other = next((name for name in names if name in reviews), "")
    if not other:
        return ""
    columns = [ANSWER_COLUMNS[question], other]
    n_deciding, n_other = reviews.loc[is_by_system(reviews), columns].count()
    who, others, condition = "answers given here", "ratings in the file", ""
    if other.endswith(GIVEN_HERE):
        who, others = others, who
        condition = f", which decide from {MIN_RATED} reviews of {MIN_RATED_CHANGES} changes on"
    return (
        f"decided by {who} ({counted(n_deciding, 'review')}); kept separate: {others} "
        f"({counted(n_other, 'review')}){condition}"
    )


def describe_ratings(run: Run) -> str:
    """State how many of the systems' reviews people rated, who did, and whose answers decide.

    Ratings of worth are counted if there are none of relevance.
    """
    reviews = run.reviews[is_by_system(run.reviews)]
    n_rated, n_worth = reviews.reindex(columns=[HUMAN["relevance"], WORTH_LABEL]).count()
    of_all = f"of {counted(len(reviews), 'review')}"
    described = no_ratings_error(run.reviews).problem
    if n_rated:
        described = f"people rated {n_rated:,} {of_all}"
    elif n_worth:
        described = f"ratings of worth: {n_worth:,} {of_all}"
    if n_rated and (raters := run.settings.get("raters")):
        by = ", ".join(f"{shorten(name)} {number:,}" for name, number in raters.items())
        described += f" ({counted(sum(raters.values()), 'rating')}: {by})"
    sources = {name: describe_source(reviews, name) for name in (WORTH, "relevance")}
    return "; ".join([described, *(f"{name} is {of}" for name, of in sources.items() if of)])


def _reviews_to_rate(run: Run, questions: Sequence[str]) -> pd.DataFrame:
    """Return the reviews with sentences and, for questions about them, pseudo-references."""
    can_rate = run.reviews["n_sentences"] > 0
    if not set(questions).isdisjoint(METRIC_QUESTIONS):
        can_rate &= run.reviews["n_pseudo_references"] > 0
    reviews = run.reviews.loc[can_rate, ["id", "change"]]
    sample = sorted(reviews["change"].unique(), key=_random_key)[:MAX_CHANGES]
    return reviews[reviews["change"].isin(sample)]


def _values(question: str, review: str, own: Mapping[Any, int]) -> tuple[int, ...]:
    if question == "relevance":
        low, high = sorted(own[review, name] for name in DIMENSIONS[:-1])
        return tuple(range(low, high + 1))
    return _VALUES[question]


def _random_key(*names: str) -> bytes:
    """Return a key that sorts names in a random but reproducible order."""
    return hashlib.blake2b(repr(names).encode("utf-8", "surrogatepass"), digest_size=8).digest()
