"""The role of each column of a file, decided by all of its cells and its name, or chosen."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted, shorten
from crscore_eval.table.cells import MAX_EXACT, cell_number, cell_text, is_blank
from crscore_eval.table.fields import FIELDS, RATINGS, bare_name
from crscore_eval.table.files import RejectedRow, no_usable_row_error, raw_rows
from crscore_eval.table.measures import PEOPLE, RIGHT_LABEL, WORTH_LABEL
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    EXPORT_ONLY,
    HUMAN,
    LABEL_PREFIX,
    REVIEW_COLUMNS,
    holds_numbers,
)

FIELD, RATING, LABEL, NUMBER, TEXT, IGNORED = (
    *("field", "rating", "label", "number", "text", "ignored"),
)
RATED = {**HUMAN, "worth": WORTH_LABEL}
"""Column of the table for each kind of ratings."""

ROLES = (*FIELDS, *RATED, RATING, "right", LABEL, NUMBER, TEXT, IGNORED)
"""Roles of a column as the user names them; `reviewer` is another name of `system`."""

SCALES = ("1-5", "1-3", "1-4", "1-7", "1-10", "0-1", "0-3", "0-5", "0-10", "0-100")
"""Usual scales of ratings."""

_SCALED = (RATING, *RATED)
_FIVE = (1.0, 5.0)
_NAME_OF_FIELD = {name: field_name for field_name, names in FIELDS.items() for name in names}
_RATING_NAMES = {*chain(*RATINGS.values())}
_RATING_WORDS = re.compile(
    "rating|score|useful|quality|helpful|relevan|grade|stars|worth|valuable", re.IGNORECASE
)
_WORTH_WORDS = re.compile("useful|helpful|worth|valuable", re.IGNORECASE)
_RIGHT_WORDS = re.compile(
    "correct|right|wrong|true|false|valid|accura|label|agree|hallucinat|"
    "useful|helpful|worth|good|relevan",
    re.IGNORECASE,
)
_COUNT_WORDS = re.compile(
    "line|pos|count|number|^n_|^nr|id$|idx|index|size|length|words|tokens|seconds|time|"
    "year|month|day|col|start|end|duration|version|#",
    re.IGNORECASE,
)
_DIFF = re.compile(r"^(?:@@ -\d|diff --git |--- \S|Index: \S|={4} //)", re.MULTILINE)
_ROLE = re.compile(r"([a-z_]+)(?::(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?))?", re.ASCII)
_LABEL_STARTS = (LABEL_PREFIX, "human_", "outcome_")
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *EXPORT_ONLY, "signature"} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_WORD = float("nan")  # within no range
_MAX_SEEN, _MAX_NAME, _N_EXAMPLES = 1_000, 60, 3


class ColumnsUnclearError(InputError):
    """Columns whose roles have to be chosen; `columns` are all roles as dictionaries."""

    columns: list[dict[str, Any]]


class ColumnRole(NamedTuple):
    """The role of one column of a file.

    column: its name in the file.
    read_as: its name in the table, or the field it holds; empty if it is not read.
    kind: `field`, `rating`, `label`, `number`, `text` or `ignored`.
    filled: number of cells that are not blank.
    note: a remark, such as how ratings are converted; may be empty.
    scale: range of ratings, such as `1-10`; of a label, the range it would have as ratings.
    is_certain: False if the role is a guess that the user should confirm.
    examples: the first cells that are not blank, shortened.
    """

    column: str
    read_as: str
    kind: str
    filled: int
    note: str = ""
    scale: str = ""
    is_certain: bool = True
    examples: Sequence[str] = ()

    @property
    def is_numeric(self) -> bool:
        """True if its cells are read as numbers."""
        return self.kind in {RATING, LABEL, NUMBER}

    @property
    def role(self) -> str:
        """The role as the option `--column` names it."""
        names = {column: name for name, column in RATED.items()}
        names = names if self.kind == RATING else {RIGHT_LABEL: "right"}
        scale = f":{self.scale}" if self.kind == RATING and self.scale else ""
        name = self.read_as if self.kind == FIELD else names.get(self.read_as, self.kind)
        return f"{name}{scale}"

    @property
    def title(self) -> str:
        """The role in words."""
        low, high = _ends(self.scale)
        name = self.role.partition(":")[0].replace("_", " ")
        if self.kind == RATING:
            of = "" if name == RATING else f" of {name}"
            return f"rating{of}, {low:g} to {high:g}"
        titles = {"system": "reviewer", IGNORED: "not read", NUMBER: "number", TEXT: "text"}
        return titles.get(name, name)

    def value(self, cell: object) -> float | str | None:
        """Return a cell as the table has it: a rating from 1 to 5, a number, or a text."""
        if not self.is_numeric:
            return None if cell is None else cell_text(cell)
        number = cell_number(cell)
        if self.kind != RATING or number is None:
            return number
        low, high = _ends(self.scale)
        is_rating = low <= number <= high and not str(cell).strip().isalpha()
        return 1 + 4 * (number - low) / (high - low) if is_rating else None


@dataclass(frozen=True)
class FileLayout:
    """The roles of all columns of a file; those of its fields are `fields`."""

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

    @property
    def uncertain(self) -> list[ColumnRole]:
        """The roles that are guesses."""
        return [role for role in self.roles if not role.is_certain]


def parse_role(text: str) -> tuple[str, str] | None:
    """Return the role and the scale in a text such as `rating:1-10`; None if it is no role."""
    match = _ROLE.fullmatch(text.strip().lower().removeprefix("human_"))
    name = {"reviewer": "system"}.get(match[1], match[1]) if match else ""
    if match is None or name not in ROLES or (match[2] and name not in _SCALED):
        return None
    if match[2] and float(match[2]) >= float(match[3]):
        return None
    return name, f"{match[2]}-{match[3]}" if match[2] else ""


def decide_layout(
    path: Path, chosen: Mapping[str, str] | None = None, *, ask: bool = False
) -> FileLayout:
    """Read a file once and decide what each of its columns holds.

    `chosen` maps columns to roles (see `ROLES`), ratings with their scale (`rating:1-10`), or
    fields and kinds of ratings to their column (an empty name if no column holds them). Other
    columns are recognised by their cells and names. Ratings are from 1 to 5, except for a few cells
    that are left blank; on another scale, a column is a label unless its scale is chosen. With
    `ask`, a guess that the user should confirm is an error.

    Raises:
        InputError: the file cannot be read; or a chosen column or role does not exist.
        ColumnsUnclearError: no column holds reviews; no column holds diffs or references; or, with
            `ask`, a role is a guess.
    """
    summaries = _summarise_columns(path)
    chosen_roles, without = _resolve(chosen or {}, summaries)
    computed = _COMPUTED if summaries.keys() >= EXPORT_ONLY else set()
    roles = _Roles(summaries, chosen_roles, without, computed)
    layout = FileLayout(tuple(roles))
    _check_complete(path, layout)
    if ask and layout.uncertain:
        names = ", ".join(role.column for role in layout.uncertain)[:500]
        problem = f"it is unclear what these columns hold: {names}"
        raise _unclear(path, layout, problem, "name each with --column NAME=ROLE")
    return layout


def _unclear(path: Path, layout: FileLayout, problem: str, advice: str = "") -> ColumnsUnclearError:
    error = ColumnsUnclearError(problem, advice, f"file {path.name[:80]!r}")
    error.columns = [role._asdict() for role in layout.roles]
    return error


def _check_complete(path: Path, layout: FileLayout) -> None:
    """Check that columns hold reviews, and diffs or references."""
    has_review = "review" in layout.fields
    if has_review and {"diff", "reference"} & layout.fields.keys():
        return
    missing = "diffs or reference reviews" if has_review else "reviews"
    names = ", ".join(role.column for role in layout.roles)[:500]
    is_possible = any(role.kind == TEXT and role.filled for role in layout.roles)
    name = f"crscore batch --column NAME={'diff' if has_review else 'review'}"
    advice = f"rename one, or name it: {name}"
    if not is_possible:
        advice = (
            "a review needs the diff that it is about in its row, such as in a column `diff`; "
            "GitHub gives each comment its hunk: gh api repos/OWNER/REPO/pulls/NUMBER/comments"
        )
    problem = f"it is unclear which column holds {missing}; the columns are {names}"
    raise _unclear(path, layout, problem, advice)


def _summarise_columns(path: Path) -> dict[str, "_Summary"]:
    summaries: dict[str, _Summary] = {}
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        for column, cell in row.cells.items():
            summaries.setdefault(column, _Summary()).add(cell, row.row)
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    return summaries


@dataclass(slots=True)
class _Summary:
    """Counts of the cells of a column that are not blank.

    numbers, words: cells with numbers, and of these words such as yes and no.
    seen: different numbers, or `_WORD`, each with its count and first row; at most `_MAX_SEEN`.
    texts: different texts, at most `_MAX_SEEN`.
    """

    filled: int = 0
    numbers: int = 0
    words: int = 0
    diffs: int = 0
    prose: int = 0
    first_text: int = 0
    has_line_breaks: bool = False
    is_whole: bool = True
    lowest: float = float("inf")
    highest: float = float("-inf")
    seen: dict[float, tuple[int, int]] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)

    def add(self, cell: object, row: int) -> None:
        if is_blank(cell):
            return
        self.filled += 1
        if len(self.examples) < _N_EXAMPLES:
            self.examples.append(shorten(cell_text(cell)[:1_000], _MAX_NAME))
        number = cell_number(cell)
        if number is not None:
            self._add_number(number, row, is_word=str(cell).strip().isalpha())
            return
        self.first_text = self.first_text or row
        if isinstance(cell, str):
            self.has_line_breaks |= "\n" in cell
            self.diffs += bool(_DIFF.search(cell))
            self.prose += len(cell[:1_000].split()) >= 3
            if len(self.texts) < _MAX_SEEN:
                self.texts.add(cell[: _MAX_NAME + 1])

    def _add_number(self, number: float, row: int, *, is_word: bool) -> None:
        self.numbers += 1
        self.words += is_word
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        self.is_whole &= number.is_integer()
        key = _WORD if is_word else number
        if key in self.seen or len(self.seen) < _MAX_SEEN:
            count, first = self.seen.get(key, (0, row))
            self.seen[key] = count + 1, first

    def within(self, low: float, high: float) -> int:
        """Return the number of cells with a number in a range; words do not count."""
        return sum(count for number, (count, _) in self.seen.items() if low <= number <= high)

    def first_outside(self, low: float, high: float) -> int:
        """Return the first row without a number in a range."""
        rows = [row for number, (_, row) in self.seen.items() if not low <= number <= high]
        return min(rows + [self.first_text] * bool(self.first_text), default=0)

    def is_few(self, cells: int) -> bool:
        """Return True for a number of cells that do not change what the column holds."""
        return cells <= max(self.filled >= 4, self.filled // 20)

    @property
    def is_label(self) -> bool:
        """True if at least half of the filled cells are numbers, or words such as yes and no."""
        return self.numbers > 0 and 2 * self.numbers >= self.filled

    @property
    def is_number(self) -> bool:
        """True for numbers that a float holds exactly; a few from 0 to 100 may be missing."""
        if self.words or not self.numbers:
            return False
        if self.numbers < self.filled:
            is_small = self.lowest >= 0 and self.highest <= 100
            return is_small and self.is_few(self.filled - self.numbers)
        return max(abs(self.lowest), abs(self.highest)) < MAX_EXACT

    @property
    def is_rating(self) -> bool:
        """True if at least half of the filled cells are from 1 to 5, and few are other numbers."""
        n_ratings = self.within(*_FIVE)
        is_most = n_ratings > 0 and 2 * n_ratings >= self.filled
        return is_most and self.is_few(self.numbers - n_ratings)

    @property
    def may_be_ratings(self) -> bool:
        """True for numbers that look like ratings: different whole ones from 0 to 100."""
        is_scale = self.is_number and self.is_whole and 0 <= self.lowest < self.highest <= 100
        return is_scale and self.filled > len(self.seen)

    @property
    def is_yes_or_no(self) -> bool:
        """True if all filled cells but a few are words such as yes and no."""
        return self.words > 0 and self.is_few(self.filled - self.words)

    @property
    def is_diff(self) -> bool:
        """True if at least half of the filled cells look like diffs."""
        return self.diffs > 0 and 2 * self.diffs >= self.filled

    @property
    def is_prose(self) -> bool:
        """True if at least half of the filled cells are texts of several words, and no diffs."""
        is_most = self.prose > 0 and 2 * self.prose >= self.filled
        return is_most and not self.is_diff and not self.may_be_names

    @property
    def may_be_names(self) -> bool:
        """True for short texts that are repeated, such as names of reviewers."""
        is_short = max(map(len, self.texts), default=_MAX_NAME + 1) <= _MAX_NAME
        return is_short and not self.numbers and 3 * len(self.texts) <= self.filled

    def scale(self) -> str:
        """Return the usual scale that the numbers fit, or their range."""
        for low, high in ((1, 5), (0, 1), (0, 5), (1, 10), (0, 10), (0, 100)):
            if low <= self.lowest and self.highest <= high:
                return f"{low}-{high}"
        return f"{self.lowest:g}-{self.highest:g}"


def _resolve(
    chosen: Mapping[str, str], columns: Collection[str]
) -> tuple[dict[str, tuple[str, str]], set[str]]:
    """Return the chosen role and scale of columns, and the roles that no column holds."""
    roles: dict[str, tuple[str, str]] = {}
    without: set[str] = set()
    known = f"the columns are {', '.join(columns)[:500]}"
    for one, other in chosen.items():
        named, role = parse_role(one) if one.islower() else None, parse_role(other)
        if named and (other in columns or not other):  # a field, and its column
            without |= set() if other else {named[0]}
            roles |= {other: named} if other else {}
        elif one in columns and role:
            roles[one] = role
        elif one in columns:
            choices = ", ".join(ROLES)
            problem = f"there is no role {other[:80]!r} for the column {one[:80]!r}"
            raise InputError(problem, f"choose one of {choices}; ratings with a scale: rating:1-10")
        elif named:
            raise InputError(f"there is no column {other[:80]!r} for {one}; {known}")
        else:
            raise InputError(f"there is no column or field {one[:80]!r}; {known}")
    fields = [role for role, _ in roles.values() if role in FIELDS]
    for name in fields:
        if fields.count(name) > 1:
            raise InputError(f"two columns are named as {name}", "name one")
    return roles, without


@dataclass
class _Roles:
    """Yields the role of each column; columns of the table have distinct names."""

    summaries: Mapping[str, _Summary]
    chosen: Mapping[str, tuple[str, str]]
    without: Set[str]
    computed: Set[str]

    def __iter__(self) -> Iterator[ColumnRole]:
        self.fields = {name: role for name, (role, _) in self.chosen.items() if role in FIELDS}
        self.guesses: set[str] = set()
        for name, usual_names in FIELDS.items():
            self._assign(name, usual_names)
        self.rated = self._rated()
        used_names: set[str] = set()
        for column, summary in self.summaries.items():
            role = self._role(column, summary)
            if left_blank := _left_blank(role, summary):
                role = role._replace(note="; ".join(filter(None, [role.note, left_blank])))
            while role.read_as in used_names - {""}:
                role = role._replace(read_as=f"{role.read_as}_2")
            used_names.add(role.read_as)
            is_certain = role.is_certain and column not in self.guesses
            yield role._replace(examples=summary.examples, is_certain=is_certain)

    def _free(self) -> Iterable[str]:
        taken = {*self.chosen, *self.fields, *self.computed}
        return (column for column in self.summaries if column not in taken)

    def _assign(self, name: str, usual_names: Collection[str]) -> None:
        """Find the column of a field by its name and cells, else by its cells alone."""
        if name in self.without or name in self.fields.values():
            return
        by_name: dict[str, str] = {}
        for column in self._free():
            by_name.setdefault(bare_name(column), column)
        candidates = [by_name[usual] for usual in usual_names if usual in by_name]
        fitting = [one for one in candidates if _fits(name, self.summaries[one])]
        others = () if fitting else self._by_cells(name)
        self.guesses |= {*others}
        last = [one for one in candidates if name in {"diff", "review"}]
        if name == "diff":  # otherwise `change` holds names of changes
            last = [
                one
                for one in last
                if bare_name(one) != "change" or self.summaries[one].has_line_breaks
            ]
        for column in (*fitting, *others, *last)[:1]:
            self.fields[column] = name

    def _by_cells(self, name: str) -> list[str]:
        """Return the only column whose cells are diffs or prose, if its name is not known."""
        is_like = {"diff": "is_diff", "review": "is_prose"}.get(name)
        unknown = (one for one in self._free() if bare_name(one) not in _NAME_OF_FIELD)
        found = [one for one in unknown if is_like and getattr(self.summaries[one], is_like)]
        return found if len(found) == 1 else []

    def _rated(self) -> dict[str, str]:
        """Return the column of the table for each column of ratings that its name tells."""
        rated = {column: RATED[role] for column, (role, _) in self.chosen.items() if role in RATED}
        for kind, usual_names in RATINGS.items():
            by_name = {bare_name(column): column for column in reversed([*self._free()])}
            for usual in usual_names:
                column = by_name.get(usual, "")
                is_wanted = kind not in self.without and RATED[kind] not in rated.values()
                if is_wanted and column and column not in rated:
                    rated |= {column: RATED[kind]} if self.summaries[column].is_rating else {}
        return rated

    def _role(self, column: str, summary: _Summary) -> ColumnRole:
        role = partial(ColumnRole, column, filled=summary.filled)
        if column in self.fields:
            return role(self.fields[column], FIELD)
        if column in self.chosen:
            return self._chosen(column, summary, *self.chosen[column])
        if column in self.computed:
            return role("", IGNORED, note="not read: computed again")
        if column in self.rated:
            return role(self.rated[column], RATING, scale="1-5")
        return self._label(column, summary) or self._own(column, summary)

    def _chosen(self, column: str, summary: _Summary, name: str, scale: str) -> ColumnRole:
        """Return the role of a column that the user chose."""
        role = partial(ColumnRole, column, filled=summary.filled)
        if name == IGNORED:
            return role("", IGNORED)
        if name == TEXT:
            return _own_column(column, summary, TEXT)
        if not summary.numbers:
            raise InputError(f"the column {column[:80]!r} has no number", f"it cannot be {name}")
        if name == NUMBER:
            return _own_column(column, summary, NUMBER)
        if name in {LABEL, "right"}:
            return role(RIGHT_LABEL if name == "right" else _label_name(column), LABEL)
        if not scale and not summary.is_rating:
            return _off_scale(column, summary)._replace(is_certain=True)
        scale = scale or "1-5"
        low, high = scale.split("-", 1) if not scale.startswith("-") else map(str, _ends(scale))
        note = "" if scale == "1-5" else f"from {low} to {high}, converted to ratings from 1 to 5"
        return role(self._rated_as(column), RATING, note=note, scale=scale)

    def _rated_as(self, column: str) -> str:
        """Return the column of the table for ratings: worth or relevance, or else a label."""
        if column not in self.rated:
            target = RATED["worth" if _WORTH_WORDS.search(column) else "relevance"]
            is_free = target not in self.rated.values() and "relevance" not in self.without
            self.rated[column] = target if is_free else _label_name(column)
        return self.rated[column]

    def _label(self, column: str, summary: _Summary) -> ColumnRole | None:
        """Return the role of ratings or a label, None for a column that holds something else."""
        role = partial(ColumnRole, column, filled=summary.filled)
        is_rating_name = bare_name(column) in _RATING_NAMES
        is_label_name = column.lower().startswith(_LABEL_STARTS)
        if summary.is_label and (is_rating_name or is_label_name):
            is_off_scale = is_rating_name and not summary.is_rating
            return _off_scale(column, summary) if is_off_scale else role(_label_name(column), LABEL)
        if column in _RESERVED or holds_numbers(column):
            return None
        if summary.is_yes_or_no:
            if _RIGHT_WORDS.search(column):
                note = "kept as a label: 1 for yes, 0 for no"
                return role(_label_name(column), LABEL, note=note)
            note = f"yes or no, kept as text; {_advice(column, LABEL)} for a label"
            return role(column, TEXT, note=note, is_certain=False)
        n_ratings = summary.within(*_FIVE)
        if (
            _RATING_WORDS.search(column)
            and n_ratings
            and summary.is_few(summary.filled - n_ratings)
        ):
            target = self._rated_as(column)
            return role(target, RATING, note="guessed: from 1 to 5", scale="1-5", is_certain=False)
        if _RATING_WORDS.search(column) and summary.is_number:
            return _off_scale(column, summary)
        return None

    def _own(self, column: str, summary: _Summary) -> ColumnRole:
        """Return the role of a column that the table keeps with its own name, or a free one."""
        is_number = summary.is_number
        role = _own_column(column, summary, NUMBER if is_number else TEXT)
        if column in _RESERVED or holds_numbers(column):
            return role
        if bare_name(column) in _RATING_NAMES:
            return role._replace(note="not read as ratings, because its cells are not numbers")
        if is_number:
            note = "numbers of the file, not read as ratings or labels"
            if not summary.may_be_ratings or _COUNT_WORDS.search(column):
                return role._replace(note=note)
            note = f"{note}; if they are: {_advice(column, f'rating:{summary.scale()}')}"
            return role._replace(note=note, is_certain=False)
        if "system" not in {*self.fields.values(), *self.without} and summary.may_be_names:
            note = f"kept as text; if it names the reviewer: {_advice(column, 'reviewer')}"
            return role._replace(note=note, is_certain=False)
        return role


def _fits(name: str, summary: _Summary) -> bool:
    """Return True if the cells of a column with a usual name can hold a field."""
    if name == "diff":
        return summary.is_diff
    if name == "review":
        return not summary.filled or summary.numbers < summary.filled
    return name != "system" or not summary.words or summary.words < summary.filled


def _off_scale(column: str, summary: _Summary) -> ColumnRole:
    """Return the role of numbers that may be ratings on another scale."""
    scale = summary.scale()
    reason = f"its values range from {summary.lowest:g} to {summary.highest:g}, ratings from 1 to 5"
    reason = "it has words such as yes" if summary.words else reason
    note = f"kept as a label: {reason}"
    if not summary.words and summary.lowest < summary.highest:
        note += f"; to convert it: {_advice(column, f'rating:{scale}')}"
    return ColumnRole(
        column, _label_name(column), LABEL, summary.filled, note, scale, is_certain=False
    )


def _own_column(column: str, summary: _Summary, kind: str) -> ColumnRole:
    role = partial(ColumnRole, column, kind=kind, filled=summary.filled)
    if column in _RESERVED or (kind == TEXT and holds_numbers(column)):
        reason = "its values are not numbers" if holds_numbers(column) else "the name is reserved"
        return role(f"file_{column}", note=f"renamed: {reason}")
    return role(column)


def _advice(column: str, role: str) -> str:
    return (
        f"--column '{column}={role}'"
        if re.search(r"[^\w.-]", column)
        else (f"--column {column}={role}")
    )


def _left_blank(role: ColumnRole, summary: _Summary) -> str:
    """Return a remark on the cells that are not read as numbers, empty if there are none."""
    n_blank, row, what = summary.filled - summary.numbers, summary.first_text, "a number"
    if role.kind == RATING:
        low, high = _ends(role.scale)
        n_blank = summary.filled - summary.within(low, high)
        row = summary.first_outside(low, high)
        what = f"a rating from {low:g} to {high:g}"
    if not role.is_numeric or n_blank <= 0:
        return ""
    where = f"{'in' if n_blank == 1 else 'first in'} row {row}"
    return f"{counted(n_blank, 'cell')} left blank, {where}: not {what}"


def _ends(scale: str) -> tuple[float, float]:
    """Return the ends of a scale such as `1-10`."""
    match = _ROLE.fullmatch(f"{RATING}:{scale}")
    return (float(match[2]), float(match[3])) if match else _FIVE


def _label_name(column: str) -> str:
    return LABEL_PREFIX + re.sub(f"^{LABEL_PREFIX}", "", column, flags=re.IGNORECASE)
