"""The role of each column of a file, decided by its name and by all of its values."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crscore_core.errors import InputError
from crscore_core.text import whole_text
from crscore_eval.table.files import RejectedRow, raw_rows
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    DIMENSIONS,
    HUMAN,
    JUDGE,
    LABEL,
    METRIC,
    REVIEW_COLUMNS,
)

if TYPE_CHECKING:
    import pyarrow as pa

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

Names are in lower case without blanks and punctuation; the first that a file has counts.
"""

_RATINGS = {
    dimension: (f"human{dimension}", f"{dimension}rating", dimension, *more)
    for dimension, more in zip(
        DIMENSIONS, ((), (), ("humanrating", "rating", "humanscore", "score")), strict=True
    )
}
_EXPORTED = {"encoder", "claimsby"}
_MADE_AGAIN = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, "encoder", "claims_by"}
_RESERVED = {*_MADE_AGAIN, *FIELDS, *HUMAN.values()}
_BLANK = {"", "nan", "none", "null", "na", "n/a", "-", "cannot tell"}
_WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)?(?:[.,][0-9]+)?(?:e[+-]?[0-9]+)?", re.ASCII)
_LARGEST_WHOLE, _LONGEST_NUMBER = 2**53, 40
NUMBER, TEXT = "number", "text"


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
    `text`) of each other column. `report` has an entry for each column. `is_exported` is true for a
    file that `export_reviews` wrote.
    """

    fields: dict[str, str]
    own: dict[str, tuple[str, str]]
    report: list[Column]
    is_exported: bool

    @property
    def types(self) -> "dict[str, pa.DataType]":
        """Return the Arrow types of the columns that not every table of reviews has."""
        import pyarrow as pa

        known = {NUMBER: pa.float64(), TEXT: pa.string()}
        own = {name: known[kind] for name, kind in self.own.values()}
        return ({"reference": pa.string()} if "reference" in self.fields else {}) | own


def decide_columns(path: Path, columns: Mapping[str, str] | None = None) -> Columns:
    """Read a file once, and decide what each of its columns holds.

    `columns` gives the column of some fields and ratings (`conciseness`, `comprehensiveness`,
    `relevance`), an empty name if no column holds it; all others are known by their names. A column
    is people's ratings only if all of its numbers lie from 1 to 5; one on another scale is a label.

    Raises:
        InputError: the file cannot be read, no column holds reviews, none holds diffs or
            references, or a chosen column or field does not exist.
    """
    found: dict[str, _Values] = {}
    first: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first = first or row
            continue
        for name, cell in flat_cells(row[1]).items():
            found.setdefault(name, _Values()).add(cell)
    if not found:
        reason = f"row {first.row}: {first.reason}" if first else "it has no rows"
        raise InputError(f"file {path.name[:80]!r}: no row can be read; {reason}")
    return _decided(path, found, dict(columns or {}))


def _decided(path: Path, found: "dict[str, _Values]", chosen: dict[str, str]) -> Columns:
    known = {*FIELDS, *DIMENSIONS}
    for name, column in chosen.items():
        if name not in known:
            raise InputError(f"there is no field {name[:80]!r}; choose {', '.join(sorted(known))}")
        if column and column not in found:
            raise InputError(
                f"there is no column {column[:80]!r} for {name}; the columns are "
                f"{', '.join(found)[:500]}"
            )
    names = {_squeezed(name): name for name in reversed(found)}
    is_exported = names.keys() >= _EXPORTED
    free = {
        squeezed: name
        for squeezed, name in names.items()
        if name not in chosen.values() and not (is_exported and name in _MADE_AGAIN - {*FIELDS})
    }
    fields = {name: column for name, column in chosen.items() if column and name in FIELDS}
    for name, usual_names in FIELDS.items():
        usual = next((one for one in usual_names if one in free), None)
        if name not in chosen and usual is not None:
            fields[name] = free.pop(usual)
    if "review" not in fields or not {"diff", "reference"} & fields.keys():
        missing = "reviews" if "review" not in fields else "diffs (or reference reviews)"
        raise InputError(
            f"file {path.name[:80]!r}: no column holds {missing}; choose it by its name. The "
            f"columns are {', '.join(found)[:500]}"
        )
    ratings = _ratings(found, free, chosen)
    report: list[Column] = []
    own: dict[str, tuple[str, str]] = {}
    by_column = {column: name for name, column in fields.items()}
    for name, values in found.items():
        if name in by_column:
            decided = Column(name, by_column[name], "field", values.filled)
            if by_column[name] == "path":  # the one field that is a column of the table too
                own[name] = ("path", TEXT)
        elif is_exported and name in _MADE_AGAIN:
            decided = Column(name, "", TEXT, values.filled, "computed again")
        else:
            is_named = name in {chosen.get(dimension) for dimension in DIMENSIONS} or any(
                _squeezed(name) in usual for usual in _RATINGS.values()
            )
            taken = [one.read_as for one in report]
            decided = _own_column(name, values, ratings.get(name), taken, is_named=is_named)
            own[name] = (decided.read_as, TEXT if decided.kind == TEXT else NUMBER)
        report.append(decided)
    return Columns(fields, own, report, is_exported)


def _ratings(
    found: "Mapping[str, _Values]", free: Mapping[str, str], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Return the dimension of each column of ratings: the first that fits the scale."""
    ratings = {}
    for dimension, usual in _RATINGS.items():
        columns = [chosen[dimension]] if dimension in chosen else map(free.get, usual)
        fitting = [one for one in columns if one and found[one].is_rating]
        ratings.update(dict.fromkeys(fitting[:1], dimension))
    return ratings


def _own_column(
    name: str, values: "_Values", dimension: str | None, taken: Iterable[str], *, is_named: bool
) -> Column:
    """Decide about a column that holds no field: a rating, a label, a number or a text.

    `dimension` is what its ratings are of, None if it holds none; `is_named` tells whether it is
    called like ratings, or was chosen as such.
    """
    lower, note = name.lower(), ""
    if dimension:
        read_as, kind = HUMAN[dimension], "rating"
    elif not values.is_label:
        read_as, kind = name, TEXT
    elif lower.startswith((LABEL, "human_", "outcome_")) or is_named:
        read_as, kind = f"{LABEL}{re.sub(f'^{LABEL}', '', name, flags=re.IGNORECASE)}", "label"
        if is_named:
            note = (
                "another column holds the ratings: kept as a label"
                if values.is_rating
                else f"values from {values.lowest:g} to {values.highest:g} are not ratings from "
                "1 to 5: kept as a label"
            )
    else:
        read_as, kind = name, NUMBER if values.is_number else TEXT
    if kind == TEXT and read_as.startswith((LABEL, JUDGE, METRIC)):
        read_as, note = f"file_{name}", "it is not a number"
    elif kind in {TEXT, NUMBER} and name in _RESERVED:
        read_as, note = f"file_{name}", "its name has another meaning here"
    while read_as in taken:
        read_as = f"{read_as}_2"
    if kind in {"rating", "label"} and values.texts:
        note = f"{note}; " if note else ""
        note += f"{values.texts:,} cells that are not numbers are left blank"
    return Column(name, read_as, kind, values.filled, note)


@dataclass(slots=True)
class _Values:
    """Properties of all values of a column."""

    filled: int = 0
    numbers: int = 0
    plain: int = 0
    lowest: float = math.inf
    highest: float = -math.inf

    def add(self, cell: object) -> None:
        if is_blank(cell):
            return
        self.filled += 1
        number = number_of(cell)
        if number is not None:
            self.numbers += 1
            self.plain += not isinstance(cell, bool) and str(cell).strip().lower() not in _WORDS
            self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)

    @property
    def texts(self) -> int:
        """Number of filled cells that are not numbers."""
        return self.filled - self.numbers

    @property
    def is_label(self) -> bool:
        """True if most filled cells are numbers, or words such as yes and no."""
        return self.numbers > 0 and self.numbers >= self.texts

    @property
    def is_number(self) -> bool:
        """True if all filled cells are numbers that a float holds exactly."""
        largest = max(abs(self.lowest), abs(self.highest))
        return 0 < self.plain == self.filled and largest < _LARGEST_WHOLE

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


def is_blank(cell: object) -> bool:
    """Return True for None, NaN, and words that say that there is no value."""
    if isinstance(cell, str):
        return len(cell) < _LONGEST_NUMBER and cell.strip().lower() in _BLANK
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def number_of(cell: object) -> float | None:
    """Return the number in a cell; yes, true and pass are 1, no, false and fail 0; else None.

    A text such as `4,5` has a decimal comma.
    """
    if isinstance(cell, bool | int | float):
        return float(cell) if math.isfinite(cell) else None
    word = cell.strip().lower() if isinstance(cell, str) and len(cell) < _LONGEST_NUMBER else ""
    if word in _WORDS:
        return _WORDS[word]
    if not any(map(str.isdigit, word)) or not _NUMBER.fullmatch(word):
        return None
    number = float(word.replace(",", "."))
    return number if math.isfinite(number) else None


def plain_text(cell: object) -> str:
    """Return a cell as text: JSON of lists and objects, 7 instead of 7.0, empty if blank."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _LARGEST_WHOLE:
        return str(int(cell))
    if isinstance(cell, list | dict):
        return whole_text(json.dumps(cell, ensure_ascii=False, default=str))
    return whole_text(str(cell))


def _squeezed(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter not in " \t_-.")
