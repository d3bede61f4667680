"""The role of a column of a file: what its cells hold, and how they are read."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from crscore_eval.table.cells import cell_number, cell_text
from crscore_eval.table.columns import FIELDS
from crscore_eval.table.measures import RIGHT_LABEL, WORTH_LABEL
from crscore_eval.table.schema import HUMAN, rater_column

FIELD = "field"
RATING, LABEL, NUMBER, TEXT, IGNORED = "rating", "label", "number", "text", "ignored"
RIGHT, WORTH = "right", "worth"
"""Roles of the label that says whether a review is right, and of ratings of its worth."""

RATED = {**HUMAN, WORTH: WORTH_LABEL}
"""Maps each kind of ratings to its column in the table."""

ANSWER_COLUMNS = {**RATED, RIGHT: RIGHT_LABEL}
"""Maps each question to people to the column of the table with the means of its answers."""

ROLES = (*FIELDS, RATING, *RATED, RIGHT, LABEL, NUMBER, TEXT, IGNORED)
"""Roles of a column as the user names them; `reviewer` is another name of `system`."""

SCALES = "1-5 1-2 1-3 1-4 1-6 1-7 1-10 0-1 0-2 0-3 0-4 0-5 0-10 0-100".split()
"""Usual scales of ratings."""

_SCALE = re.compile(r"(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)", re.ASCII)


class ColumnRole(NamedTuple):
    """The role of one column of a file.

    column: its name in the file.
    read_as: its name in the table, or the field it holds; empty if it is not read.
    kind: `field`, `rating`, `label`, `number`, `text` or `ignored`.
    filled: number of cells that are not blank.
    note: a remark, such as how ratings are converted; may be empty.
    scale: the worst and the best rating, such as `1-10` or `6-1`; of other numbers, the range that
        they would have as ratings.
    alternatives: other roles that it may have, such as `worth:1-10`; none if its role is certain.
    examples: the first cells that are not blank, shortened.
    is_prose: whether its cells are text that might be reviews.
    lost: number of cells that are left out: ratings and numbers that are not read, and rows that
        are replies.
    """

    column: str
    read_as: str
    kind: str
    filled: int
    note: str = ""
    scale: str = ""
    alternatives: Sequence[str] = ()
    examples: Sequence[str] = ()
    is_prose: bool = False
    lost: int = 0

    @property
    def is_numeric(self) -> bool:
        """True if its cells are read as numbers."""
        return self.kind in {RATING, LABEL, NUMBER}

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest rating; None if it does not hold ratings."""
        low, high = sorted(scale_ends(self.scale))
        return (low, high) if self.kind == RATING else None

    @property
    def role(self) -> str:
        """One of `ROLES`."""
        if self.kind == FIELD:
            return self.read_as
        of_kind = {RATING: RATED, LABEL: {RIGHT: RIGHT_LABEL}}.get(self.kind, {})
        names = {role: (name, rater_column(role, self.column)) for role, name in of_kind.items()}
        return next((role for role, of in names.items() if self.read_as in of), self.kind)

    @property
    def title(self) -> str:
        """The role in words."""
        if self.kind == RATING:
            of, end = ("", ", kept as a label") if self.role == RATING else (f" of {self.role}", "")
            worst, best = scale_ends(self.scale)
            return f"rating{of} from {worst:g} to {best:g} (best){end}"
        return {"system": "reviewer", IGNORED: "not read"}.get(self.role, self.role)

    @property
    def remark(self) -> str:
        """The note, and the command-line options that choose another role."""
        chosen = (shlex.quote(f"{self.column}={role}") for role in self.alternatives)
        options = ", or ".join(f"--column {one}" for one in chosen)
        return "; ".join(filter(None, (self.note, options and f"to change that: {options}")))

    def value(self, cell: object) -> float | str | None:
        """Return a cell as the table has it: a rating from 1 to 5, a number, or text."""
        if not self.is_numeric:
            return None if cell is None else cell_text(cell)
        number = cell_number(cell)
        if self.kind != RATING or number is None:
            return number
        worst, best = scale_ends(self.scale)
        share = (number - worst) / (best - worst)
        return 1 + 4 * share if 0 <= share <= 1 and re.search(r"\d", str(cell)) else None


@dataclass(frozen=True)
class FileLayout:
    """The roles of all columns of a file."""

    roles: tuple[ColumnRole, ...]

    @cached_property
    def fields(self) -> dict[str, str]:
        """The column of each field that the file has."""
        return {role.read_as: role.column for role in self.roles if role.kind == FIELD}

    @cached_property
    def extra(self) -> list[ColumnRole]:
        """The roles of the table's extra columns: `path`, and columns that hold no field."""
        extra = (role for role in self.roles if role.kind != FIELD or role.read_as == "path")
        return [role for role in extra if role.read_as]

    @cached_property
    def means(self) -> dict[str, list[str]]:
        """The columns of raters, by the extra column that has their mean and is not in the file."""
        names, means = [role.read_as for role in self.extra], dict[str, list[str]]()
        for question, column in ANSWER_COLUMNS.items():
            raters = [name for name in names if name.startswith(rater_column(question, ""))]
            means |= {column: raters} if raters and column not in names else {}
        return means


def scale_ends(scale: str) -> tuple[float, float]:
    """Return the worst and the best rating of a scale such as `1-10`; 0 and 0 for other text."""
    match = _SCALE.fullmatch(scale)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)


def reversed_scale(scale: str) -> str:
    """Return the scale whose best rating is the worst of another, such as `5-1` for `1-5`."""
    return _SCALE.sub(r"\2-\1", scale)
