"""Reviews of a file, grouped by change in a temporary database on disk."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Sequence
from typing import Any

import pandas as pd

from crscore_core.claims import GIVEN
from crscore_eval.run.parts import CHANGE_KEY, Part
from crscore_eval.table import ANSWER_COLUMNS, GROUND_TRUTH, FileLayout, rater_column
from crscore_eval.table.cells import has_diff
from crscore_eval.table.read import ReviewRow

_TABLES = """
CREATE TABLE changes (name TEXT UNIQUE, key BLOB UNIQUE, number INTEGER PRIMARY KEY, cells TEXT);
CREATE TABLE comments (
    id TEXT UNIQUE, row INTEGER, number INTEGER, cells TEXT,
    system TEXT AS (json_extract(cells, '$.system')),
    rater TEXT AS (json_extract(cells, '$.rater')),
    text TEXT AS (trim(json_extract(cells, '$.review'), char(9, 10, 13, 32)))
);
CREATE INDEX comments_by_change ON comments (number);
CREATE VIEW reviews AS SELECT id, number, system, text FROM comments;
"""
_JOIN_RATERS = """
DROP VIEW reviews;
CREATE VIEW reviews AS
SELECT min(id) AS id, number, system, text FROM comments GROUP BY number, system, text;
"""
_INSERT_CHANGE = "INSERT OR IGNORE INTO changes VALUES (?, ?, ?, ?)"
_INSERT_COMMENT = "INSERT OR IGNORE INTO comments VALUES (?, ?, ?, ?)"
_MOVE_NAME = """
UPDATE OR IGNORE changes SET name = name || ' (change ' || number || ')'
WHERE name = ? AND NOT has_diff(json_extract(cells, '$.diff'))
"""
_FIND_CHANGE = "SELECT number FROM changes WHERE key = ?"
_CHANGES = """
SELECT json_set(cells, '$.change', name) FROM changes
WHERE number BETWEEN ? AND ? ORDER BY number
"""
_COMMENTS = """
SELECT json_set(comments.cells, '$.change', name, '$.id', id, '$.row', row)
FROM comments JOIN changes USING (number)
WHERE number BETWEEN ? AND ? ORDER BY number, row
"""
_PART_SIZES = """
SELECT (number - 1) / ?, count(*)
FROM (SELECT DISTINCT number, iif(?, system, id) FROM reviews) GROUP BY 1
"""
_COUNTS = """
SELECT sum(n), sum(n * (n > 1)), sum(n - n_texts), sum(n * (system = ?)) FROM (
    SELECT system, count(*) AS n, count(DISTINCT text) AS n_texts
    FROM reviews GROUP BY number, system
)
"""
_RATER_COUNTS = """
SELECT sum(n), count(*), sum(n - n_raters) FROM (
    SELECT count(*) AS n, count(DISTINCT rater) AS n_raters
    FROM comments GROUP BY number, system, text
)
"""
_RATERS = "SELECT rater FROM comments GROUP BY rater ORDER BY min(row)"
_DIFFERING = """
SELECT key, count(*) FROM (
    SELECT key FROM comments, json_each(cells)
    WHERE type = 'text' AND key NOT IN ('review', 'rater')
    GROUP BY number, system, text, key HAVING count(DISTINCT value) > 1
) GROUP BY key
"""

_BLANKS = "\t\n\r "  # around a review, as in `_TABLES`

CHANGES_PER_PART = 50
"""Number of changes in a part; they are scored together."""


class ReviewsByChange:
    """Reviews of a file, grouped by change; each part has `CHANGES_PER_PART` changes.

    With `group`, one system's distinct comments on a change become one review. Its figures are
    means over the comments that have them; every other column keeps its first value. Rows that
    differ only in the rater, if the file names raters, are one review, see `join_raters`.
    """

    def __init__(self, layout: FileLayout, *, group: bool = False) -> None:
        self.n_changes = 0
        self.split_names: dict[str, None] = {}  # of several changes, in order
        self.is_grouped = group
        self._has_claims: set[bool] = set()
        self.has_raters = "rater" in layout.fields
        self._fields = {"system", "language", "review"}
        self._fields |= {"reference", "rater"} & layout.fields.keys()
        # Without types, a column that is empty in one part would differ from the other parts.
        kinds = {True: "float64", False: "string"}
        self._types = {role.read_as: kinds[role.is_numeric] for role in layout.extra}
        self._types |= dict.fromkeys(layout.means, "float64")
        self._database = sqlite3.connect("")  # a temporary file
        self._database.create_function("has_diff", 1, has_diff)
        self._database.executescript(_TABLES + _JOIN_RATERS * self.has_raters)

    def add(self, review: ReviewRow) -> None:
        """Add a review to its change; a name that is taken is made unique."""
        change = review.model_dump(include={*CHANGE_KEY})
        key = [*change.values(), "" if review.diff else [review.change, review.reference]]
        digest = hashlib.sha256(json.dumps(key).encode()).digest()
        found = self._database.execute(_FIND_CHANGE, (digest,)).fetchone()
        number = found[0] if found else self._add_change(review, digest, change)
        cells = json.dumps({**review.model_dump(include=self._fields), **review.extra})
        values = (review.row, number, cells)
        self._insert(_INSERT_COMMENT, review.id or str(review.row), review.place, values)

    def _add_change(self, review: ReviewRow, digest: bytes, change: dict[str, str]) -> int:
        """Add the change of a review under its own name or a number, and return the number."""
        self.n_changes += 1
        self._has_claims.add(bool(review.claims))
        numbered = f"change {self.n_changes}"
        name = review.change or numbered
        own_name = re.sub(r"^change \d+$", "", name)  # not one that an export generated
        cells = json.dumps({**change, "title": review.title or own_name})
        if has_diff(review.diff):  # then the name is not that of a diff that cannot be read
            self._database.execute(_MOVE_NAME, (name,))
        used = self._insert(_INSERT_CHANGE, name, numbered, (digest, self.n_changes, cells))
        if review.change and used != name:
            self.split_names[name] = None
        return self.n_changes

    def _insert(self, statement: str, name: str, addition: str, values: tuple[object, ...]) -> str:
        """Insert a row under a name, and return it with the additions that make it unique."""
        while not self._database.execute(statement, (name, *values)).rowcount:
            name = f"{name} ({addition})"
        return name

    def counts(self) -> tuple[int, int, int, int]:
        """Count comments: all, several of a system on a change, repeated, and reference reviews.

        Rows that are joined because they differ only in the rater count once.
        """
        counts: tuple[int, int, int, int] = self._database.execute(
            _COUNTS, (GROUND_TRUTH,)
        ).fetchone()
        return counts

    def rater_counts(self) -> tuple[int, int, int, dict[str, int]]:
        """Count rows, reviews, and rows with a rater's further ratings of the same review.

        The last item maps each column of texts to the number of reviews whose rows differ in it.
        """
        n_rows, n_reviews, n_further = self._database.execute(_RATER_COUNTS).fetchone()
        return n_rows, n_reviews, n_further, dict(self._database.execute(_DIFFERING).fetchall())

    def raters(self) -> list[str]:
        """Return the names of the raters."""
        return [name for (name,) in self._database.execute(_RATERS)]

    def claims_name(self, backend: str) -> str:
        """Return the name of the claims: `backend`, or given for all or for some changes."""
        if True not in self._has_claims or backend == GIVEN:
            return backend
        return f"{backend}+{GIVEN}" if False in self._has_claims else GIVEN

    def part_sizes(self) -> dict[int, int]:
        """Return the number of reviews in each part."""
        values = (CHANGES_PER_PART, self.is_grouped)
        return dict(self._database.execute(_PART_SIZES, values).fetchall())

    def part(self, number: int) -> Part:
        """Return the reviews and changes of a part, in the form that `score_part` expects."""
        numbers = (number * CHANGES_PER_PART + 1, (number + 1) * CHANGES_PER_PART)
        changes, reviews = (
            pd.DataFrame(json.loads(cells) for (cells,) in self._database.execute(query, numbers))
            for query in (_CHANGES, _COMMENTS)
        )
        reviews = reviews.astype(self._types)
        if self.has_raters:
            reviews = join_raters(reviews, ["change", "system"], self.raters())
        return self._joined(reviews) if self.is_grouped else reviews, changes

    def _joined(self, comments: pd.DataFrame) -> pd.DataFrame:
        """Return one row for all comments of a system on a change."""
        how: dict[Any, Any] = dict.fromkeys(comments, "first") | dict.fromkeys(
            comments.select_dtypes(float), "mean"
        )
        how["review"] = lambda texts: "\n\n".join(dict.fromkeys(map(str.strip, texts.dropna())))
        given = comments.replace({"": None})
        joined = given.groupby(["change", "system"], sort=False, as_index=False).agg(how)
        return joined[[*comments]].fillna({"language": ""})

    def close(self) -> None:
        """Delete the database."""
        self._database.close()


def join_raters(reviews: pd.DataFrame, key: Sequence[str], raters: list[str]) -> pd.DataFrame:
    """Return one row per review; `reviews` has a row for each of its raters (column `rater`).

    The rows of a review agree in its text and in the columns of `key`. Numbers become means, in
    which each rater counts once. The answers of each of `raters` have a column, see `rater_column`.
    Other columns keep their first value.
    """
    text = reviews["review"].str.strip(_BLANKS)
    number = reviews.groupby([*key, text], sort=False, dropna=False).ngroup()
    numbers = [*reviews.select_dtypes("float64")]
    by_rater = reviews.groupby([number, "rater"])[numbers].mean()
    joined = reviews.groupby(number).first().assign(**by_rater.groupby(level=0).mean())
    answers = [
        by_rater[column].unstack("rater").reindex(columns=raters).add_prefix(rater_column(of, ""))
        for of, column in ANSWER_COLUMNS.items()
        if column in numbers
    ]
    return pd.concat([joined.drop(columns="rater"), *answers], axis=1)
