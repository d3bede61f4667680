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

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, in_words, shorten
from crscore_eval.formatting import format_figure
from crscore_eval.statistics.bootstrap import MIN_CHANGES, Estimate, bootstrap_changes, clusters
from crscore_eval.statistics.krippendorff import krippendorff_alpha
from crscore_eval.table import (
    ANSWER_COLUMNS,
    DIMENSIONS,
    LABEL_PREFIX,
    Run,
    is_by_system,
    rater_column,
)
from crscore_eval.table.measures import no_ratings_error
from crscore_eval.table.roles import RIGHT, WORTH
from crscore_eval.table.schema import GIVEN_HERE

QUALITY_QUESTIONS = (RIGHT, WORTH)
"""Questions that do not depend on the metric, in the order in which they are asked."""

METRIC_QUESTIONS = DIMENSIONS
"""The study's questions about a review and its pseudo-references, in the order asked."""

CANNOT_TELL = -1
"""Answer to `RIGHT` other than 1 (right) and 0 (wrong); left out of all statistics."""

MIN_RATED, MIN_RATED_CHANGES = 50, 10
"""Minimum numbers of answered reviews and changes for people's answers to order the systems."""

_VALUES: dict[str, tuple[int, ...]] = dict.fromkeys(ANSWER_COLUMNS, (1, 2, 3, 4, 5)) | {
    RIGHT: (1, 0, CANNOT_TELL)
}
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
    for review, name in ((review, name) for review, _ in order for name in questions):
        if (review, name) not in own:
            values = _VALUES[name]
            if name == "relevance":
                low, high = sorted(own[review, one] for one in DIMENSIONS[:-1])
                values = tuple(range(low, high + 1))
            return Question(review, name, values)
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
    """Add the raters' answers to the reviews, and their means in the columns of `ANSWER_COLUMNS`.

    If the file has ratings in such a column, they keep its name, and the answers are a label with
    the suffix `GIVEN_HERE`: the two may not mean the same, so they are never averaged. Each rater's
    answers have a column of their own (`rater_column`), named like the label.
    """
    reviews = run.reviews
    definite = answers[answers["id"].isin(reviews["id"]) & (answers["value"] != CANNOT_TELL)]
    for question, of in definite.groupby("question", sort=False):
        by_rater = of.pivot(index="id", columns="rater", values="value").reindex(reviews["id"])
        by_rater = by_rater.astype("float64").set_index(reviews.index)
        name, column = str(question), ANSWER_COLUMNS[str(question)]
        if column in reviews and reviews[column].notna().any():
            name = f"{name}{GIVEN_HERE}"
            column = f"{LABEL_PREFIX}{name}"
        own = {rater_column(name, str(rater)): values for rater, values in by_rater.items()}
        reviews = reviews.assign(**{column: by_rater.mean(axis=1)}, **own)
    return run._replace(reviews=reviews)


class RaterAgreement(NamedTuple):
    """Krippendorff's ordinal alpha over the `n_reviews` that several raters rated.

    `counts` maps each rater to the number of reviews that the rater rated.
    """

    alpha: Estimate
    counts: Mapping[str, int]
    n_reviews: int
    n_changes: int

    def document(self) -> dict[str, Any]:
        """Return a JSON object; undefined figures are null."""
        alpha = {name: None if math.isnan(of) else of for name, of in self.alpha._asdict().items()}
        return {**self._asdict(), "alpha": alpha}


def rater_agreement(ratings: pd.DataFrame, change: "pd.Series[Any]") -> RaterAgreement:
    """Return the agreement of raters (columns) on reviews (rows) of changes."""
    shared = change[ratings.count(axis=1) > 1].to_frame("change")
    table = ratings.loc[shared.index]
    alpha = krippendorff_alpha(table, clusters(shared), bootstrap_changes(shared))
    counts: dict[Any, int] = ratings.count().to_dict()
    return RaterAgreement(alpha, counts, len(shared), shared["change"].nunique())


def agreement_of_raters(reviews: pd.DataFrame, question: str) -> RaterAgreement | None:
    """Return the agreement of the raters of systems' reviews; None if no rater is known.

    `question` is the name of a rating or label, such as `worth` or `worth_given_here`.
    """
    reviews = reviews[is_by_system(reviews)]
    start = rater_column(question, "")
    raters = [name for name in map(str, reviews) if name.startswith(start)]
    ratings = reviews[raters].rename(columns=lambda name: name.removeprefix(start))
    ratings = ratings.dropna(axis="columns", how="all")
    return None if ratings.empty else rater_agreement(ratings, reviews["change"])


def describe_agreement(reviews: pd.DataFrame, question: str) -> str:
    """Name the raters of a question and describe their agreement; "" if no rater is known."""
    found = agreement_of_raters(reviews, question)
    if found is None:
        return ""
    named = in_words([f"{shorten(name)} ({n:,})" for name, n in found.counts.items()])
    raters = f"raters of {question}: {named}"
    if found.n_reviews == 0:
        return f"{raters}; no review has two, so their agreement is unknown"
    alpha = format_figure(*found.alpha, missing="undefined, since all these ratings are equal")
    of = f"{counted(found.n_reviews, 'review')} of {counted(found.n_changes, 'change')}"
    few = f" (an interval needs {MIN_CHANGES} changes)" * (found.n_changes < MIN_CHANGES)
    return f"{raters}; Krippendorff's alpha on the {of} with several: {alpha}{few}"


def has_enough_answers(answered: pd.DataFrame) -> bool:
    """Return True if these reviews, which people answered, are enough to decide."""
    return len(answered) >= MIN_RATED and answered["change"].nunique() >= MIN_RATED_CHANGES


def describe_ratings(reviews: pd.DataFrame) -> str:
    """Count the systems' reviews with answers to each question, and describe the raters."""
    reviews = reviews[is_by_system(reviews)]
    counts = reviews.reindex(columns=[*ANSWER_COLUMNS.values()]).count()
    pairs = zip(ANSWER_COLUMNS, counts, strict=True)
    rated = ", ".join(f"{n:,} for {question}" for question, n in pairs if n)
    described = f"of {counted(len(reviews), 'review')}, people rated {rated}"
    names = [f"{name}{suffix}" for name in ANSWER_COLUMNS for suffix in ("", GIVEN_HERE)]
    raters = [describe_agreement(reviews, name) for name in names]
    described = described if rated else no_ratings_error(reviews).problem
    return "; ".join(filter(None, [described, *raters]))


def _reviews_to_rate(run: Run, questions: Sequence[str]) -> pd.DataFrame:
    """Return the reviews with text and, for questions about them, pseudo-references."""
    can_rate = run.reviews["review"].str.strip() != ""
    if not set(questions).isdisjoint(METRIC_QUESTIONS):
        can_rate &= run.reviews["n_pseudo_references"] > 0
    return run.reviews.loc[can_rate, ["id", "change"]]


def _random_key(*names: str) -> bytes:
    """Return a key that sorts names in a random but reproducible order."""
    return hashlib.blake2b(repr(names).encode("utf-8", "surrogatepass"), digest_size=8).digest()
