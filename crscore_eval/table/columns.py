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
from crscore_eval.table.files import RejectedRow, no_usable_row_error, raw_rows
from crscore_eval.table.measures import PEOPLE
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    DIMENSIONS,
    HUMAN,
    JUDGE_PREFIX,
    LABEL_PREFIX,
    METRIC_PREFIX,
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
"""Parts of a review that a column may hold, and the usual names of such columns.

Names are in lower case without blanks, `_`, `-` and `.`. The first name that a file has counts.
"""

_RATINGS: dict[str, tuple[str, ...]] = {
    dimension: (f"human{dimension}", f"{dimension}rating", dimension) for dimension in DIMENSIONS
}
_RATINGS["relevance"] += ("humanrating", "rating", "humanscore", "score")
"""Usual names of columns with ratings. The first column with numbers from 1 to 5 counts."""

_RATING_NAMES = {*chain(*_RATINGS.values())}
_EXPORT_ONLY = {"encoder", "claims_by"}  # columns that `export_reviews` alone writes
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *_EXPORT_ONLY} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_BLANK = {"", "nan", "none", "null", "na", "n/a", "-", "cannot tell"}
_WORD_NUMBERS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}
_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*)(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII
)
_AMBIGUOUS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", re.ASCII)
"""A number such as `1,234`, whose comma may separate thousands or decimals."""
_MAX_EXACT = 2**53  # larger whole numbers are not exact as floats
_MAX_NUMBER_LENGTH = 40
FIELD, RATING, LABELLED, NUMBER, TEXT = "field", "rating", "label", "number", "text"


class Column(NamedTuple):
    """The role of one column of a file.

    column: its name in the file.
    read_as: its name in the table, or the field it holds; empty if it is not read.
    kind: `field`, `rating`, `label`, `number` or `text`.
    filled: number of cells that are not blank.
    note: a remark, such as why ratings are kept as a label; may be empty.
    """

    column: str
    read_as: str
    kind: str
    filled: int
    note: str = ""


class Columns(NamedTuple):
    """The roles of all columns of a file.

    fields: the column that holds each field.
    own: the name in the table and the kind (`number` or `text`) of each other column.
    report: an entry for each column.
    """

    fields: dict[str, str]
    own: dict[str, tuple[str, str]]
    report: list[Column]

    def share_filled(self, field: str) -> float:
        """Return the share of rows that have a value of a field, from 0 to 1."""
        filled = {column.read_as: column.filled for column in self.report}
        return filled.get(field, 0) / max(1, *filled.values())


def decide_columns(path: Path, chosen: Mapping[str, str] | None = None) -> Columns:
    """Read a file once and decide what each of its columns holds.

    `chosen` maps some fields and ratings (`conciseness`, `comprehensiveness`, `relevance`) to their
    column, or to an empty name if no column holds them. Other columns are recognised by their
    names. A column holds people's ratings only if all of its numbers are from 1 to 5; a column on
    another scale is a label.

    Raises:
        InputError: the file cannot be read; no column holds reviews; no column holds diffs or
            references; or a chosen column or field does not exist.
    """
    chosen = chosen or {}
    summaries: dict[str, _ColumnSummary] = {}
    rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            rejected = rejected or row
            continue
        for column, cell in flat_cells(row[1]).items():
            summaries.setdefault(column, _ColumnSummary()).add(cell)
    if not summaries:
        raise no_usable_row_error(path, rejected)
    is_exported = summaries.keys() >= _EXPORT_ONLY
    roles = _roles(summaries, chosen, _COMPUTED if is_exported else frozenset())
    fields = {role: column for role, column in roles.items() if role in FIELDS}
    if "review" not in fields or not {"diff", "reference"} & fields.keys():
        missing = [] if "review" in fields else ["reviews"]
        missing += [] if {"diff", "reference"} & fields.keys() else ["diffs or reference reviews"]
        raise InputError(
            f"file {path.name[:80]!r}: no column holds {' or '.join(missing)}. The columns "
            f"are {', '.join(summaries)[:500]}; name one, such as `batch --column diff=COLUMN`"
        )
    role_by_column = {column: role for role, column in roles.items()}
    report: list[Column] = []
    own: dict[str, tuple[str, str]] = {}
    for column, summary in summaries.items():
        role = role_by_column.get(column)
        if role in fields:
            report.append(Column(column, role, FIELD, summary.filled))
            if role == "path":  # the only field that is also a column of the table
                own[column] = (role, TEXT)
        elif is_exported and column in _COMPUTED:
            report.append(Column(column, "", TEXT, summary.filled, "not read: computed again"))
        else:
            is_rating_name = _bare_name(column) in _RATING_NAMES or column in chosen.values()
            used_names = {entry.read_as for entry in report}
            entry = _own_column(column, summary, role, used_names, is_rating_name=is_rating_name)
            own[column] = (entry.read_as, TEXT if entry.kind == TEXT else NUMBER)
            report.append(entry)
    return Columns(fields, own, report)


def _roles(
    summaries: "Mapping[str, _ColumnSummary]", chosen: Mapping[str, str], computed: Container[str]
) -> dict[str, str]:
    """Return the column of each field and of each dimension that people rated."""
    usual_names = {**FIELDS, **_RATINGS}
    for role, column in chosen.items():
        if role not in usual_names:
            choices = ", ".join(sorted(usual_names))
            raise InputError(f"there is no field {role[:80]!r}; choose one of {choices}")
        if column and column not in summaries:
            raise InputError(
                f"there is no column {column[:80]!r} for {role}; the columns are "
                f"{', '.join(summaries)[:500]}"
            )
    unassigned = {
        _bare_name(column): column
        for column in [*summaries][::-1]
        if column not in chosen.values() and column not in computed
    }
    roles: dict[str, str] = {}
    for role, names in usual_names.items():
        usual_columns = [unassigned[name] for name in names if name in unassigned]
        for column in filter(None, [chosen[role]] if role in chosen else usual_columns):
            summary = summaries[column]
            if role == "diff" and _bare_name(column) == "change" and not summary.has_line_breaks:
                continue  # names of changes
            if role in FIELDS or summary.is_rating:
                roles[role] = column
                unassigned = {name: free for name, free in unassigned.items() if free != column}
                break
    return roles


def _own_column(
    name: str,
    summary: "_ColumnSummary",
    dimension: str | None,
    used_names: Container[str],
    *,
    is_rating_name: bool,
) -> Column:
    """Return the role of a column that holds no field: a rating, a label, a number or a text.

    `dimension` is the dimension that its ratings are about, None if it holds no ratings.
    `is_rating_name` is true if it is named like ratings or chosen as ratings.
    """
    note = ""
    if dimension:
        read_as, kind = HUMAN[dimension], RATING
    elif not summary.is_label:
        read_as, kind, note = name, TEXT, "not read as ratings: not numbers" * is_rating_name
    elif name.lower().startswith((LABEL_PREFIX, "human_", "outcome_")) or is_rating_name:
        bare = re.sub(f"^{LABEL_PREFIX}", "", name, flags=re.IGNORECASE)
        read_as, kind = f"{LABEL_PREFIX}{bare}", LABELLED
        if is_rating_name:
            note = "kept as a label: not used as ratings"
            if not summary.is_rating:
                scale = f"{summary.lowest:g} to {summary.highest:g}"
                note = f"kept as a label: its values are {scale}, ratings are from 1 to 5"
    else:
        read_as, kind = name, NUMBER if summary.is_number else TEXT
    if kind == TEXT and read_as.startswith((LABEL_PREFIX, JUDGE_PREFIX, METRIC_PREFIX)):
        read_as, note = f"file_{name}", "renamed: its values are not numbers"
    elif kind in {TEXT, NUMBER} and name in _RESERVED:
        read_as, note = f"file_{name}", "renamed: its name has another meaning here"
    while read_as in used_names:
        read_as = f"{read_as}_2"
    n_texts = summary.filled - summary.numbers
    if kind in {RATING, LABELLED} and n_texts:
        note = f"{note}; " if note else ""
        note += f"{counted(n_texts, 'cell')} left blank: not a number"
    return Column(name, read_as, kind, summary.filled, note)


@dataclass(slots=True)
class _ColumnSummary:
    """Counts and range of the cells of a column."""

    filled: int = 0
    numbers: int = 0  # with words such as yes and no
    plain_numbers: int = 0  # without them
    has_line_breaks: bool = False
    lowest: float = math.inf
    highest: float = -math.inf

    def add(self, cell: object) -> None:
        text = _short_text(cell)
        if cell is None or cell != cell or text in _BLANK:  # noqa: PLR0124 - NaN
            return
        self.filled += 1
        self.has_line_breaks |= isinstance(cell, str) and "\n" in cell
        number = cell_number(cell)
        if number is not None:
            self.numbers += 1
            self.plain_numbers += not isinstance(cell, bool) and text not in _WORD_NUMBERS
            self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)

    @property
    def is_label(self) -> bool:
        """True if most filled cells are numbers, or words such as yes and no."""
        return self.numbers > 0 and 2 * self.numbers >= self.filled

    @property
    def is_number(self) -> bool:
        """True if all filled cells are numbers that a float holds exactly."""
        largest = max(abs(self.lowest), abs(self.highest))
        return 0 < self.plain_numbers == self.filled and largest < _MAX_EXACT

    @property
    def is_rating(self) -> bool:
        """True if most filled cells are numbers, and all numbers are from 1 to 5."""
        has_words = self.plain_numbers < self.numbers
        return self.is_label and not has_words and self.lowest >= 1 and self.highest <= 5


def flat_cells(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the cells of a row, with GitHub's `user` object as `user.login`."""
    user = row.get("user")
    if isinstance(user, Mapping) and "login" in user:
        return {**{name: row[name] for name in row if name != "user"}, "user.login": user["login"]}
    return row


def cell_number(cell: object) -> float | None:
    """Return the number in a cell, None if it has none.

    Yes, true and pass are 1; no, false and fail are 0. A text such as `4,5` has a decimal comma;
    `1,234` is ambiguous, so the result is None.
    """
    if isinstance(cell, str):
        text = _short_text(cell)
        is_number = _NUMBER.fullmatch(text) and not _AMBIGUOUS.fullmatch(text)
        cell = float(text.replace(",", ".")) if is_number else _WORD_NUMBERS.get(text)
    if isinstance(cell, int | float) and abs(cell) <= sys.float_info.max:
        return float(cell)
    return None


def _short_text(cell: object) -> str:
    """Return a text in lower case if it is short enough for a number; "?" for any other cell."""
    if isinstance(cell, str) and len(cell) < _MAX_NUMBER_LENGTH:
        return cell.strip().lower()
    return "?"


def cell_text(cell: object) -> str:
    """Return a cell as text: lists and objects as JSON, 7.0 as 7, missing values as empty text."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _MAX_EXACT:
        return str(int(cell))
    if isinstance(cell, list | dict | bool):
        return replace_surrogates(json.dumps(cell, ensure_ascii=False, default=str))
    return replace_surrogates(str(cell))


def _bare_name(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter not in " \t_-.")
