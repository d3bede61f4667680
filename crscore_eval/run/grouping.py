"""Reviews of a file, grouped by change in a temporary database on disk."""

import hashlib
import json
import re
import sqlite3
from itertools import chain, count

import pandas as pd

from crscore_eval.run.scoring import CHANGE_KEY, Part
from crscore_eval.table import FileLayout, ReviewRow

_TABLES = """
CREATE TABLE changes (change INTEGER PRIMARY KEY, key BLOB UNIQUE, cells TEXT);
CREATE TABLE reviews (row INTEGER, change INTEGER, id TEXT UNIQUE, cells TEXT);
CREATE INDEX reviews_of_change ON reviews (change);
"""
_INSERT_CHANGE = "INSERT OR IGNORE INTO changes (key, cells) VALUES (?, ?)"
_INSERT_REVIEW = "INSERT OR IGNORE INTO reviews VALUES (?, ?, ?, ?)"
_FIND_CHANGE = "SELECT change FROM changes WHERE key = ?"
_CHANGES = "SELECT change, cells FROM changes WHERE change BETWEEN ? AND ? ORDER BY change"
_REVIEWS = "SELECT change, cells FROM reviews WHERE change BETWEEN ? AND ? ORDER BY change, row"
_COUNT_REVIEWS = "SELECT (change - 1) / ?, count(*) FROM reviews GROUP BY 1"


class ReviewsByChange:
    """Reviews of a file, grouped by change; part n has the changes from n * `part_size` on."""

    def __init__(self, layout: FileLayout, part_size: int) -> None:
        self.n_changes = 0
        self._part_size = part_size
        self._kept_fields = {"row", "system", "language", "review"}
        self._kept_fields |= {"reference"} & layout.fields.keys()
        # Without types, a column that is empty in one part would differ from the other parts.
        kinds = ((role.read_as, role.is_numeric) for role in layout.extra)
        self._types = {name: "float64" if is_numeric else "string" for name, is_numeric in kinds}
        self._database = sqlite3.connect("")  # a temporary file
        self._database.executescript(_TABLES)

    def add(self, review: ReviewRow) -> None:
        """Add a review to its change, under its id or a unique name that begins with it."""
        change = review.model_dump(include={*CHANGE_KEY})
        key = [*change.values(), "" if review.diff else [review.change, review.reference]]
        digest = hashlib.sha256(json.dumps(key).encode()).digest()
        name = re.sub(r"^change \d+$", "", review.change)  # of a run that was exported
        title = ": ".join(dict.fromkeys(filter(None, [name, review.title])))
        cells = json.dumps({**change, "title": title or review.change})
        self._database.execute(_INSERT_CHANGE, (digest, cells))
        (number,) = self._database.execute(_FIND_CHANGE, (digest,)).fetchone()
        self.n_changes = max(self.n_changes, number)
        name, row = review.id or str(review.row), review.row
        fields = {**review.model_dump(include=self._kept_fields), **review.extra}
        names = (f"{name} (row {row}{', again' * n})" for n in count())
        for unique_id in chain([name, f"{name}/{review.system}"], names):
            values = (row, number, unique_id, json.dumps({"id": unique_id, **fields}))
            if self._database.execute(_INSERT_REVIEW, values).rowcount:
                return

    def part_sizes(self) -> dict[int, int]:
        """Return the number of reviews in each part."""
        return dict(self._database.execute(_COUNT_REVIEWS, (self._part_size,)).fetchall())

    def part(self, number: int) -> Part:
        """Return the reviews and changes of a part, in the form that `score_part` takes."""
        numbers = (number * self._part_size + 1, (number + 1) * self._part_size)
        changes, reviews = (
            pd.DataFrame(
                {"change": f"change {change}", **json.loads(cells)}
                for change, cells in self._database.execute(query, numbers)
            )
            for query in (_CHANGES, _REVIEWS)
        )
        return reviews.astype(self._types), changes

    def close(self) -> None:
        """Delete the database."""
        self._database.close()
