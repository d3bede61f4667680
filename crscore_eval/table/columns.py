"""The role of each column of a file, decided by its name and by all of its values."""

import json
import math
import re
import sys
from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from crscore_core.errors import InputError
from crscore_core.text import counted, replace_surrogates
from crscore_eval.table.files import RejectedRow, no_usable_row, raw_rows
from crscore_eval.table.measures import PEOPLE
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    HUMAN,
    JUDGE,
    LABEL,
    METRIC,
    REVIEW_COLUMNS,
)

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "reviewid", "commentid", "idx", "index"),
    "diff": (
        *("diff", "patch", "codechange", "codediff", "codepatch", "unifieddiff", "diffhunk"),
        *("oldhunk", "change", "hunk"),
    ),
    "review": (
        *("review", "reviewtext", "reviewcomment", "comment", "prediction", "pred", "generated"),
        *("generatedreview", "generatedcomment", "generation", "hypothesis", "candidate"),
        *("output", "body", "msg", "message"),
    ),
    "system": ("system", "systemname", "model", "modelname", "reviewer", "tool", "userlogin"),
    "language": ("language", "lang", "programminglanguage", "codelanguage"),
    "reference": ("reference", "referencereview", "groundtruth", "gold", "goldreview", "target",
                  "msg"),
    "claims": ("claims", "givenclaims"),
    "new_file": ("newfile", "newf", "fileafter"),
    "old_file": ("oldfile", "oldf", "filebefore"),
    "change": ("changeid", "changename", "change"),
    "title": ("title", "changetitle", "pullrequesttitle"),
    "path": ("path", "filename"),
}  # fmt: skip
"""Parts of a review that a column may hold, and usual names of such columns.

Names are in lower case without blanks, `_`, `-` and `.`; the first that a file has counts.
"""

_RATINGS: Mapping[str, tuple[str, ...]] = {
    dimension: (f"human{dimension}", f"{dimension}rating", dimension, *further)
    for dimension, *further in (
        ("conciseness",),
        ("comprehensiveness",),
        ("relevance", "humanrating", "rating", "humanscore", "score"),
    )
}
"""Usual names of columns with ratings; the first with numbers from 1 to 5 counts."""

_RATING_NAMES = {*chain(*_RATINGS.values())}
_EXPORT_ONLY = {"encoder", "claims_by"}  # columns that `export_reviews` alone writes
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *_EXPORT_ONLY} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_BLANK = {"", "nan", "none", "null", "na", "n/a", "-", "cannot tell"}
_WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}
_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*)(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII
)
_AMBIGUOUS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", re.ASCII)
"""Such as `1,234`: a comma of thousands, or a decimal comma."""
_MAX_EXACT = 2**53  # larger whole numbers are not exact as floats
_MAX_NUMBER_LENGTH = 40
FIELD, RATING, LABELLED, NUMBER, TEXT = "field", "rating", "label", "number", "text"


class Column(NamedTuple):
    """A column of a file: its name in the table, empty if not read, its kind, and a remark."""

    column: str
    read_as: str
    kind: str
    filled: int
    note: str = ""


class Columns(NamedTuple):
    """The role of each column of a file.

    `fields` has the column of each field. `own` has the name in the table and the kind (`number` or
    `text`) of each other column. `report` has an entry for each column.
    """

    fields: dict[str, str]
    own: dict[str, tuple[str, str]]
    report: list[Column]


def decide_columns(path: Path, chosen: Mapping[str, str] | None = None) -> Columns:
    """Read a file once, and decide what each of its columns holds.

    `chosen` gives the column of some fields and ratings (`conciseness`, `comprehensiveness`,
    `relevance`), an empty name if no column holds it; all others are known by their names. A column
    is people's ratings only if all of its numbers lie from 1 to 5; one on another scale is a label.

    Raises:
        InputError: the file cannot be read, no column holds reviews, none holds diffs or
            references, or a chosen column or field does not exist.
    """
    chosen = chosen or {}
    values: dict[str, _Summary] = {}
    rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            rejected = rejected or row
            continue
        for column, cell in flat_cells(row[1]).items():
            values.setdefault(column, _Summary()).add(cell)
    if not values:
        raise no_usable_row(path, rejected)
    is_exported = values.keys() >= _EXPORT_ONLY
    roles = _roles(values, chosen, _COMPUTED if is_exported else frozenset())
    fields = {role: column for role, column in roles.items() if role in FIELDS}
    if "review" not in fields or not {"diff", "reference"} & fields.keys():
        missing = [] if "review" in fields else ["reviews"]
        missing += [] if {"diff", "reference"} & fields.keys() else ["diffs (or reference reviews)"]
        raise InputError(
            f"file {path.name[:80]!r}: no column holds {' or '.join(missing)}; choose it by its "
            f"name, such as diff=COLUMN. The columns are {', '.join(values)[:500]}"
        )
    role_of = {column: role for role, column in roles.items()}
    report: list[Column] = []
    own: dict[str, tuple[str, str]] = {}
    for column, summary in values.items():
        role = role_of.get(column)
        if role in fields:
            report.append(Column(column, role, FIELD, summary.filled))
            if role == "path":  # the one field that is a column of the table too
                own[column] = (role, TEXT)
        elif is_exported and column in _COMPUTED:
            report.append(Column(column, "", TEXT, summary.filled, "computed again"))
        else:
            is_named = _bare_name(column) in _RATING_NAMES or column in chosen.values()
            taken = {entry.read_as for entry in report}
            entry = _own_column(column, summary, role, taken, is_named=is_named)
            own[column] = (entry.read_as, TEXT if entry.kind == TEXT else NUMBER)
            report.append(entry)
    return Columns(fields, own, report)


def _roles(
    values: "Mapping[str, _Summary]", chosen: Mapping[str, str], computed: Container[str]
) -> dict[str, str]:
    """Return the column of each field, and of each dimension that people rated."""
    usual_names = {**FIELDS, **_RATINGS}
    for role, column in chosen.items():
        if role not in usual_names:
            choices = ", ".join(sorted(usual_names))
            raise InputError(f"there is no field {role[:80]!r}; choose {choices}")
        if column and column not in values:
            raise InputError(
                f"there is no column {column[:80]!r} for {role}; the columns are "
                f"{', '.join(values)[:500]}"
            )
    free = {
        _bare_name(column): column
        for column in [*values][::-1]
        if column not in chosen.values() and column not in computed
    }
    roles: dict[str, str] = {}
    for role, names in usual_names.items():
        candidates = (
            [chosen[role]] if role in chosen else [free[name] for name in names if name in free]
        )
        for column in filter(None, candidates):
            if role == "diff" and _bare_name(column) == "change" and not values[column].has_lines:
                continue  # names of changes
            if role in FIELDS or values[column].is_rating:
                roles[role] = column
                free = {name: other for name, other in free.items() if other != column}
                break
    return roles


def _own_column(
    name: str,
    values: "_Summary",
    dimension: str | None,
    taken: Container[str],
    *,
    is_named: bool,
) -> Column:
    """Decide about a column that holds no field: a rating, a label, a number or a text.

    `dimension` is what its ratings are of, None if it holds none; `is_named` is true if it is named
    like ratings or chosen as ratings.
    """
    note = ""
    if dimension:
        read_as, kind = HUMAN[dimension], RATING
    elif not values.is_label:
        read_as, kind = name, TEXT
    elif name.lower().startswith((LABEL, "human_", "outcome_")) or is_named:
        read_as, kind = f"{LABEL}{re.sub(f'^{LABEL}', '', name, flags=re.IGNORECASE)}", LABELLED
        if is_named:
            note = "kept as a label: not used as ratings"
            if not values.is_rating:
                scale = f"{values.lowest:g} to {values.highest:g}"
                note = f"kept as a label: its values are {scale}, ratings are from 1 to 5"
    else:
        read_as, kind = name, NUMBER if values.is_number else TEXT
    if kind == TEXT and read_as.startswith((LABEL, JUDGE, METRIC)):
        read_as, note = f"file_{name}", "it is not a number"
    elif kind in {TEXT, NUMBER} and name in _RESERVED:
        read_as, note = f"file_{name}", "its name has another meaning here"
    while read_as in taken:
        read_as = f"{read_as}_2"
    texts = values.filled - values.numbers
    if kind in {RATING, LABELLED} and texts:
        note = f"{note}; " if note else ""
        note += f"{counted(texts, 'cell')} left blank: not a number"
    return Column(name, read_as, kind, values.filled, note)


@dataclass(slots=True)
class _Summary:
    """Properties of all values of a column."""

    filled: int = 0
    numbers: int = 0
    plain: int = 0
    has_lines: bool = False
    lowest: float = math.inf
    highest: float = -math.inf

    def add(self, cell: object) -> None:
        word = _word(cell)
        if cell is None or cell != cell or word in _BLANK:  # noqa: PLR0124 - NaN
            return
        self.filled += 1
        self.has_lines |= isinstance(cell, str) and "\n" in cell
        number = number_of(cell)
        if number is not None:
            self.numbers += 1
            self.plain += not isinstance(cell, bool) and word not in _WORDS
            self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)

    @property
    def is_label(self) -> bool:
        """True if most filled cells are numbers, or words such as yes and no."""
        return self.numbers > 0 and 2 * self.numbers >= self.filled

    @property
    def is_number(self) -> bool:
        """True if all filled cells are numbers that a float holds exactly."""
        largest = max(abs(self.lowest), abs(self.highest))
        return 0 < self.plain == self.filled and largest < _MAX_EXACT

    @property
    def is_rating(self) -> bool:
        """True if most filled cells are numbers, all of them from 1 to 5."""
        is_plain = self.plain == self.numbers
        return self.is_label and is_plain and self.lowest >= 1 and self.highest <= 5


def flat_cells(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the cells of a row, with GitHub's `user` object as `user.login`."""
    user = row.get("user")
    if isinstance(user, Mapping) and "login" in user:
        return {**{name: row[name] for name in row if name != "user"}, "user.login": user["login"]}
    return row


def number_of(cell: object) -> float | None:
    """Return the number in a cell; yes, true and pass are 1, no, false and fail 0; else None.

    A text such as `4,5` has a decimal comma; `1,234` is ambiguous, so it gives None.
    """
    if isinstance(cell, str):
        word = _word(cell)
        is_number = _NUMBER.fullmatch(word) and not _AMBIGUOUS.fullmatch(word)
        cell = float(word.replace(",", ".")) if is_number else _WORDS.get(word)
    if isinstance(cell, int | float) and abs(cell) <= sys.float_info.max:
        return float(cell)
    return None


def _word(cell: object) -> str:
    """Return a text that is short enough for a number in lower case; "?" for any other cell."""
    if isinstance(cell, str) and len(cell) < _MAX_NUMBER_LENGTH:
        return cell.strip().lower()
    return "?"


def plain_text(cell: object) -> str:
    """Return a cell as text: JSON of lists and objects, 7 instead of 7.0, empty if blank."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _MAX_EXACT:
        return str(int(cell))
    if isinstance(cell, list | dict | bool):
        return replace_surrogates(json.dumps(cell, ensure_ascii=False, default=str))
    return replace_surrogates(str(cell))


def _bare_name(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter not in " \t_-.")
