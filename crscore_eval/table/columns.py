"""The role of each column of a file, decided by its name and by all of its values."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.table.cells import MAX_EXACT, cell_number, cell_rating, is_blank
from crscore_eval.table.files import (
    PERSON_COLUMNS,
    PERSON_KEYS,
    RejectedRow,
    no_usable_row_error,
    raw_rows,
)
from crscore_eval.table.measures import PEOPLE
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    DIMENSIONS,
    EXPORT_ONLY,
    HUMAN,
    LABEL_PREFIX,
    REVIEW_COLUMNS,
    holds_numbers,
)


def _bare_name(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter not in " \t_-.")


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
    "system": (
        *("system", "systemname", "model", "modelname", "reviewer", "reviewername", "reviewedby"),
        *("tool", "bot", "author"),
        *(_bare_name(f"{person}{key}") for person in PERSON_COLUMNS for key in PERSON_KEYS),
    ),
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

_USUAL_NAMES = {**FIELDS, **_RATINGS}
_RATING_NAMES = {*chain(*_RATINGS.values())}
_RATING_WORDS = re.compile("rating|score|useful|quality|helpful|relevan|grade|stars", re.IGNORECASE)
_LABEL_STARTS = (LABEL_PREFIX, "human_", "outcome_")
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *EXPORT_ONLY, "signature"} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
FIELD, RATING, LABEL, NUMBER, TEXT = "field", "rating", "label", "number", "text"


class ColumnRole(NamedTuple):
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

    @property
    def is_numeric(self) -> bool:
        """True if its cells are read as numbers."""
        return self.kind in {RATING, LABEL, NUMBER}


@dataclass(frozen=True)
class FileLayout:
    """The roles of all columns of a file."""

    roles: tuple[ColumnRole, ...]

    @cached_property
    def fields(self) -> dict[str, str]:
        """The column of each field that the file has."""
        return {role.read_as: role.column for role in self.roles if role.kind == FIELD}

    def example(self) -> pd.DataFrame:
        """Return a table with the columns of the file and one row of 1 or an empty text."""
        cells = {role.read_as: 1.0 if role.is_numeric else "" for role in self.roles}
        return pd.DataFrame([{"system": "", **cells}])

    @cached_property
    def extra(self) -> list[ColumnRole]:
        """The roles of the columns that the table adds: `path` and those without a field."""
        extra = (role for role in self.roles if role.kind != FIELD or role.read_as == "path")
        return [role for role in extra if role.read_as]


def decide_layout(path: Path, chosen: Mapping[str, str] | None = None) -> FileLayout:
    """Read a file once and decide what each of its columns holds.

    `chosen` maps some fields and ratings (`conciseness`, `comprehensiveness`, `relevance`) to their
    column, or to an empty name if no column holds them. Other columns are recognised by their
    names. A column holds people's ratings only if its numbers are from 1 to 5, except for a few
    that are left blank; a column on another scale is a label. So are columns of yes and no, and of
    whole numbers from 1 to 5 whose name speaks of a rating.

    Raises:
        InputError: the file cannot be read; no column holds reviews; no column holds diffs or
            references; or a chosen column or field does not exist.
    """
    chosen = chosen or {}
    summaries = _summarise_columns(path)
    _check_chosen(chosen, summaries.keys())
    computed = _COMPUTED if summaries.keys() >= EXPORT_ONLY else set()
    field_by_column = _assign_columns(summaries, chosen, computed)
    layout = FileLayout(tuple(_roles(summaries, field_by_column, chosen.values(), computed)))
    has_subject = bool({"diff", "reference"} & layout.fields.keys())
    if "review" not in layout.fields or not has_subject:
        missing = "diffs or reference reviews" if "review" in layout.fields else "reviews"
        field = "diff" if "review" in layout.fields else "review"
        raise InputError(
            f"it is unclear which column holds {missing}; the columns are "
            f"{', '.join(summaries)[:500]}",
            f"rename one, or name it with --column {field}=COLUMN",
            f"file {path.name[:80]!r}",
        )
    return layout


def _summarise_columns(path: Path) -> dict[str, "_ColumnSummary"]:
    summaries: dict[str, _ColumnSummary] = {}
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        for column, cell in row.cells.items():
            summaries.setdefault(column, _ColumnSummary()).add(cell, row.row)
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    return summaries


@dataclass(slots=True)
class _ColumnSummary:
    """Counts and range of the cells of a column.

    `numbers` includes `words` such as yes and no; `ratings` are from 1 to 5, `stars` whole ones.
    `first_text` and `first_unrated` are the first rows without a number and without a rating.
    """

    filled: int = 0
    numbers: int = 0
    words: int = 0
    ratings: int = 0
    stars: int = 0
    first_text: int = 0
    first_unrated: int = 0
    has_line_breaks: bool = False
    lowest: float = math.inf
    highest: float = -math.inf

    def add(self, cell: object, row: int) -> None:
        if is_blank(cell):
            return
        self.filled += 1
        self.has_line_breaks |= isinstance(cell, str) and "\n" in cell
        number = cell_number(cell)
        if number is not None:
            self.numbers += 1
            self.words += str(cell).strip().isalpha()
            self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        else:
            self.first_text = self.first_text or row
        if (rating := cell_rating(cell)) is not None:
            self.ratings += 1
            self.stars += rating.is_integer()
        else:
            self.first_unrated = self.first_unrated or row

    def _is_few(self, cells: int) -> bool:
        """Return True for a number of cells that do not change what the column holds."""
        return cells <= max(self.filled >= 4, self.filled // 20)

    @property
    def is_label(self) -> bool:
        """True if at least half of the filled cells are numbers, or words such as yes and no."""
        return self.numbers > 0 and 2 * self.numbers >= self.filled

    @property
    def is_number(self) -> bool:
        """True if all filled cells are numbers that a float holds exactly."""
        largest = max(abs(self.lowest), abs(self.highest))
        return 0 < self.numbers == self.filled and not self.words and largest < MAX_EXACT

    @property
    def is_rating(self) -> bool:
        """True if at least half of the filled cells are ratings, and few are other numbers."""
        few_others = self._is_few(self.numbers - self.ratings)
        return self.ratings > 0 and 2 * self.ratings >= self.filled and few_others

    @property
    def is_stars(self) -> bool:
        """True if all filled cells but a few are whole numbers from 1 to 5."""
        return self.stars > 0 and self._is_few(self.filled - self.stars)

    @property
    def is_yes_or_no(self) -> bool:
        """True if all filled cells but a few are words such as yes and no."""
        return self.words > 0 and self._is_few(self.filled - self.words)


def _check_chosen(chosen: Mapping[str, str], columns: Collection[str]) -> None:
    for field, column in chosen.items():
        if field not in _USUAL_NAMES:
            choices = ", ".join(sorted(_USUAL_NAMES))
            raise InputError(f"there is no field {field[:80]!r}", f"choose one of {choices}")
        if column and column not in columns:
            raise InputError(
                f"there is no column {column[:80]!r} for {field}; the columns are "
                f"{', '.join(columns)[:500]}"
            )


def _assign_columns(
    summaries: Mapping[str, _ColumnSummary], chosen: Mapping[str, str], computed: Set[str]
) -> dict[str, str]:
    """Return the field that each of some columns holds, or the dimension that people rated."""
    excluded = {*chosen.values(), *computed}
    columns = {_bare_name(name): name for name in reversed([*summaries]) if name not in excluded}
    field_by_column: dict[str, str] = {}
    for field, usual_names in _USUAL_NAMES.items():
        candidates = [columns[name] for name in usual_names if name in columns]
        if field in chosen:
            candidates = list(filter(None, [chosen[field]]))
        for column in candidates:
            if column not in field_by_column and _can_hold(column, summaries[column], field):
                field_by_column[column] = field
                break
    return field_by_column


def _can_hold(column: str, summary: _ColumnSummary, field: str) -> bool:
    if field == "diff" and _bare_name(column) == "change":
        return summary.has_line_breaks  # otherwise it holds names of changes
    return field in FIELDS or summary.is_rating


def _roles(
    summaries: Mapping[str, _ColumnSummary],
    field_by_column: Mapping[str, str],
    chosen: Collection[str],
    computed: Set[str],
) -> Iterable[ColumnRole]:
    """Yield the role of each column; columns of the table have distinct names."""
    used_names: set[str] = set()
    for column, summary in summaries.items():
        role = _role(column, summary, field_by_column.get(column, ""), chosen, computed)
        if left_blank := _left_blank(role.kind, summary):
            role = role._replace(note="; ".join(filter(None, [role.note, left_blank])))
        while role.read_as in used_names - {""}:
            role = role._replace(read_as=f"{role.read_as}_2")
        used_names.add(role.read_as)
        yield role


def _left_blank(kind: str, summary: _ColumnSummary) -> str:
    """Return a remark on the cells of ratings or a label that are left blank, empty if none are."""
    n_blank, row, what = summary.filled - summary.numbers, summary.first_text, "a number"
    if kind == RATING:
        n_blank, row = summary.filled - summary.ratings, summary.first_unrated
        what = "a rating from 1 to 5"
    if kind not in {RATING, LABEL} or not n_blank:
        return ""
    where = f"{'in' if n_blank == 1 else 'first in'} row {row}"
    return f"{counted(n_blank, 'cell')} left blank, {where}: not {what}"


def _role(
    column: str, summary: _ColumnSummary, field: str, chosen: Collection[str], computed: Set[str]
) -> ColumnRole:
    """Return the role of a column; `field` is the field or dimension it holds, empty if none."""
    role = partial(ColumnRole, column, filled=summary.filled)
    if field in FIELDS:
        return role(field, FIELD)
    if column in computed:
        return role("", TEXT, note="not read: computed again")
    if field:
        return role(HUMAN[field], RATING)
    is_rating_name = _bare_name(column) in _RATING_NAMES or column in chosen
    label = _label(column, summary, is_rating_name=is_rating_name)
    return label or _own_column(column, summary, is_rating_name=is_rating_name)


def _label(column: str, summary: _ColumnSummary, *, is_rating_name: bool) -> ColumnRole | None:
    """Return the role of a label, None for a column that holds something else."""
    role = partial(ColumnRole, column, _label_name(column), filled=summary.filled)
    if summary.is_label and (is_rating_name or column.lower().startswith(_LABEL_STARTS)):
        values = f"{summary.lowest:g} to {summary.highest:g}"
        scale = f"its values range from {values}, ratings from 1 to 5"
        reason = "not used as ratings" if summary.is_rating else scale
        reason = "it has words such as yes" if summary.words else reason
        note = f"kept as a label: {reason}" if is_rating_name else ""
        return role(LABEL, note=note)
    if column in _RESERVED or holds_numbers(column):
        return None
    if summary.is_stars and _RATING_WORDS.search(column):
        return role(RATING, note="ratings from 1 to 5, kept as a label")
    if summary.is_yes_or_no:
        return role(LABEL, note="kept as a label: 1 for yes, 0 for no")
    return None


def _own_column(column: str, summary: _ColumnSummary, *, is_rating_name: bool) -> ColumnRole:
    """Return the role of a column that the table keeps with its own name, or a free one."""
    role = partial(ColumnRole, column, filled=summary.filled)
    kind = NUMBER if summary.is_number else TEXT
    note = "not read as ratings, because its cells are not numbers" if is_rating_name else ""
    if kind == NUMBER and column not in _RESERVED and not holds_numbers(column):
        note = "numbers of the file, not read as ratings or labels"
    if column in _RESERVED or (kind == TEXT and holds_numbers(column)):
        reason = "its values are not numbers" if holds_numbers(column) else "the name is reserved"
        return role(f"file_{column}", kind, note=note or f"renamed: {reason}")
    return role(column, kind, note=note)


def _label_name(column: str) -> str:
    return LABEL_PREFIX + re.sub(f"^{LABEL_PREFIX}", "", column, flags=re.IGNORECASE)
