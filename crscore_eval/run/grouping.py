"""Reviews of a file, grouped by change in a temporary database on disk."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from itertools import chain, count
from statistics import fmean
from typing import Any

import pandas as pd

from crscore_core.claims import GIVEN
from crscore_eval.run.parts import CHANGE_KEY, CHANGES_PER_PART, Part
from crscore_eval.table import FileLayout, ReviewRow

_TABLES = """
CREATE TABLE changes (name TEXT UNIQUE, key BLOB UNIQUE, number INTEGER PRIMARY KEY, cells TEXT);
CREATE TABLE reviews (id TEXT UNIQUE, row INTEGER, number INTEGER, system TEXT, cells TEXT);
CREATE INDEX reviews_by_change ON reviews (number, system);
"""
_INSERT_CHANGE = "INSERT OR IGNORE INTO changes VALUES (?, ?, ?, ?)"
_INSERT_REVIEW = "INSERT OR IGNORE INTO reviews VALUES (?, ?, ?, ?, ?)"
_FIND_REVIEW = "SELECT row, cells FROM reviews WHERE number = ? AND system = ?"
_JOIN_REVIEW = "UPDATE reviews SET cells = ? WHERE row = ? AND number = ?"
_FIND_CHANGE = "SELECT number FROM changes WHERE key = ?"
_CHANGES = "SELECT name, cells FROM changes WHERE number BETWEEN ? AND ? ORDER BY number"
_REVIEWS = """
SELECT name, id, reviews.cells FROM reviews JOIN changes USING (number)
WHERE number BETWEEN ? AND ? ORDER BY number, row
"""
_COUNT_COMMENTS = """
SELECT total(n) FROM (SELECT count(*) AS n FROM reviews GROUP BY number, system HAVING n > 1)
"""
_JOINED = "SELECT cells FROM reviews WHERE json_array_length(cells) > 1"
_COUNT_REVIEWS = "SELECT (number - 1) / ?, count(*) FROM reviews GROUP BY 1"


class ReviewsByChange:
    """Reviews of a file, grouped by change; part n has the changes from n * `part_size` on.

    With `group`, several comments of one system on one change are joined to one review. Its figures
    are the means over the comments that have them; of each other column it has the first value.
    `n_joined` counts the comments that were added to another.
    """

    def __init__(self, layout: FileLayout, *, group: bool = False) -> None:
        self.n_changes = self.n_reviews = self.n_joined = 0
        self._group = group
        self.part_size = CHANGES_PER_PART
        self._has_claims: set[bool] = set()
        self._kept_fields = {"row", "system", "language", "review"}
        self._kept_fields |= {"reference"} & layout.fields.keys()
        # Without types, a column that is empty in one part would differ from the other parts.
        self._figures = [role.read_as for role in layout.extra if role.is_numeric]
        kinds = ((role.read_as, role.is_numeric) for role in layout.extra)
        self._types = {name: "float64" if is_numeric else "string" for name, is_numeric in kinds}
        self._database = sqlite3.connect("")  # a temporary file
        self._database.executescript(_TABLES)

    def add(self, review: ReviewRow) -> None:
        """Add a review to its change; names that are taken become unique."""
        change = review.model_dump(include={*CHANGE_KEY})
        key = [*change.values(), "" if review.diff else [review.change, review.reference]]
        digest = hashlib.sha256(json.dumps(key).encode()).digest()
        found = self._database.execute(_FIND_CHANGE, (digest,)).fetchone()
        number = found[0] if found else self._add_change(review, digest, change)
        cells = {**review.model_dump(include=self._kept_fields), **review.extra}
        if self._group and self._join(number, cells):
            return
        self.n_reviews += 1
        name = review.id or str(review.row)
        names = [name, f"{name}/{review.system}", f"{name} (row {review.row})"]
        comments = json.dumps([cells])
        self._insert(_INSERT_REVIEW, names, (review.row, number, review.system, comments))

    def _join(self, number: int, cells: Mapping[str, Any]) -> bool:
        """Add a comment to the review of its system about a change; return False if it is new."""
        found = self._database.execute(_FIND_REVIEW, (number, cells["system"])).fetchone()
        if not found:
            return False
        row, earlier = found[0], json.loads(found[1])
        self.n_joined += 1
        self._database.execute(_JOIN_REVIEW, (json.dumps([*earlier, cells]), row, number))
        return True

    def count_means(self) -> tuple[int, int]:
        """Count the figures of joined reviews: means of different ones, and of some comments."""
        n_different = n_partial = 0
        for (cells,) in self._database.execute(_JOINED) if self._figures else ():
            comments = json.loads(cells)
            for name in self._figures:
                values = [comment[name] for comment in comments if comment[name] is not None]
                n_different += len({*values}) > 1
                n_partial += 0 < len(values) < len(comments)
        return n_different, n_partial

    def _joined(self, comments: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the cells of a review from those of its comments."""
        joined: dict[str, Any] = {}
        for name in comments[0]:
            given = [comment[name] for comment in comments if comment[name] not in {None, ""}]
            joined[name] = next(iter(given), comments[0][name])
            if name in self._figures and len(given) > 1:
                joined[name] = fmean(given)
        texts = [comment["review"] for comment in comments]
        return joined | {"review": "\n\n".join(filter(None, texts))}

    def n_comments(self) -> int:
        """Return the number of reviews that are one of several by a system on a change."""
        return int(self._database.execute(_COUNT_COMMENTS).fetchone()[0])

    def _add_change(self, review: ReviewRow, digest: bytes, change: dict[str, str]) -> int:
        """Add the change of a review under its own name or a number, and return the number."""
        self.n_changes += 1
        self._has_claims.add(bool(review.claims))
        numbered = f"change {self.n_changes}"
        name = review.change or numbered
        own_name = re.sub(r"^change \d+$", "", name)  # not that of a run that was exported
        cells = json.dumps({**change, "title": review.title or own_name})
        names = [name, f"{name} ({numbered})"]
        self._insert(_INSERT_CHANGE, names, (digest, self.n_changes, cells))
        return self.n_changes

    def _insert(self, statement: str, names: list[str], values: tuple[object, ...]) -> None:
        """Insert a row under the first of the names that is not taken, or else a longer one."""
        for name in chain(names, (f"{names[-1]}{', again' * n}" for n in count(1))):
            if self._database.execute(statement, (name, *values)).rowcount:
                return

    def claims_name(self, backend: str) -> str:
        """Return the name of the claims: `backend`, or given for all or for some changes."""
        if True not in self._has_claims:
            return backend
        return f"{backend}+{GIVEN}" if False in self._has_claims else GIVEN

    def part_sizes(self) -> dict[int, int]:
        """Return the number of reviews in each part."""
        return dict(self._database.execute(_COUNT_REVIEWS, (self.part_size,)).fetchall())

    def part(self, number: int) -> Part:
        """Return the reviews and changes of a part, in the form that `score_part` takes."""
        numbers = (number * self.part_size + 1, (number + 1) * self.part_size)
        changes = [
            {"change": change, **json.loads(cells)}
            for change, cells in self._database.execute(_CHANGES, numbers)
        ]
        reviews = [
            {"id": name, "change": change, **self._joined(json.loads(cells))}
            for change, name, cells in self._database.execute(_REVIEWS, numbers)
        ]
        return pd.DataFrame(reviews).astype(self._types), pd.DataFrame(changes)

    def close(self) -> None:
        """Delete the database."""
        self._database.close()
