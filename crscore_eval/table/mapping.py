"""The role of each column of a file: chosen, or decided by all of its cells and its name."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.table.cells import cell_number, cell_text
from crscore_eval.table.fields import FIELDS, RATING_SCALE, RATINGS, bare_name
from crscore_eval.table.files import no_usable_row_error, raw_rows
from crscore_eval.table.measures import CONVERSIONS, FILE_NAMES, PEOPLE, WORTH_LABEL
from crscore_eval.table.rows import RejectedRow, list_columns
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    EXPORT_ONLY,
    HUMAN,
    LABEL_PREFIX,
    REVIEW_COLUMNS,
    holds_numbers,
)
from crscore_eval.table.summary import ColumnSummary

FIELD = "field"
RATING, LABEL, NUMBER, TEXT, IGNORED = "rating", "label", "number", "text", "ignored"
RATED = {**HUMAN, "worth": WORTH_LABEL}
"""Column of the table for each kind of ratings."""

ROLES = (*FIELDS, RATING, *RATED, LABEL, NUMBER, TEXT, IGNORED)
"""Roles of a column as the user names them; `reviewer` is another name of `system`."""

SCALES = ("1-5", "1-3", "1-4", "1-7", "1-10", "0-1", "0-3", "0-5", "0-10", "0-100")
"""Usual scales of ratings."""

_RATING_WORDS = re.compile(
    "rating|score|useful|quality|helpful|relevan|grade|stars|worth|valuable", re.IGNORECASE
)
_WORTH_WORDS = re.compile("useful|helpful|worth|valuable", re.IGNORECASE)
_RIGHT_WORDS = re.compile(
    "correct|right|wrong|true|false|valid|accura|label|agree|hallucinat|useful|helpful|worth|good",
    re.IGNORECASE,
)
_COUNT_WORDS = re.compile(
    "line|pos|count|number|^n_|^nr|id$|idx|index|size|length|words|tokens|second|minute|time|"
    "year|month|day|col|start|end|duration|version|#",
    re.IGNORECASE,
)
_KIND_WORDS = re.compile(
    "categor|type|kind|class|topic|task|stat|sever|side|commit|file|path|repo|proj|branch|date|url",
    re.IGNORECASE,
)
_ROLE = re.compile(r"([a-z_]+)(?::(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?))?", re.ASCII)
_LABEL_STARTS = (LABEL_PREFIX, "human_", "outcome_")
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *EXPORT_ONLY, "signature"} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_FIELD_NAMES, _RATING_NAMES = ({*chain(*one.values())} for one in (FIELDS, RATINGS))


class ColumnsUnclearError(InputError):
    """Columns whose roles have to be chosen; `columns` are all roles as dictionaries."""

    columns: Sequence[dict[str, Any]] = ()


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
        """One of `ROLES`."""
        kinds = {name: kind for kind, name in RATED.items()} if self.kind == RATING else {}
        return self.read_as if self.kind == FIELD else kinds.get(self.read_as, self.kind)

    @property
    def title(self) -> str:
        """The role in words."""
        if self.kind == RATING:
            low, high = _ends(self.scale)
            of = "" if self.role == RATING else f" of {self.role}"
            return f"rating{of}, {low:g} to {high:g}"
        return {"system": "reviewer", IGNORED: "not read"}.get(self.role, self.role)

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
    """The roles of all columns of a file."""

    roles: tuple[ColumnRole, ...]

    @cached_property
    def fields(self) -> dict[str, str]:
        """The column of each field that the file has."""
        return {role.read_as: role.column for role in self.roles if role.kind == FIELD}

    def example(self) -> pd.DataFrame:
        """Return a table with the columns of the file and one row of 1 or an empty text."""
        cells = {role.read_as: 1.0 if role.is_numeric else "" for role in self.roles}
        return with_file_names(pd.DataFrame([{"system": "", **cells}]), self.roles)

    @cached_property
    def extra(self) -> list[ColumnRole]:
        """The roles of the columns that the table adds: `path` and those without a field."""
        extra = (role for role in self.roles if role.kind != FIELD or role.read_as == "path")
        return [role for role in extra if role.read_as]


def with_file_names(reviews: pd.DataFrame, roles: Iterable[ColumnRole]) -> pd.DataFrame:
    """Return a table whose columns of numbers can also be named as in their file.

    `attrs` has these names, and the options that convert labels to ratings.
    """
    numeric = [role for role in roles if role.is_numeric]
    names = {role.column: role.read_as for role in numeric if role.column != role.read_as}
    table = reviews.copy(deep=False)
    table.attrs |= {FILE_NAMES: names, CONVERSIONS: [*filter(None, map(conversion, numeric))]}
    return table


def conversion(role: ColumnRole) -> str:
    """Return the option that reads a label on another scale as ratings; empty if there is none."""
    is_scale = role.kind == LABEL and role.scale
    return _option(role.column, f"{RATING}:{role.scale}") if is_scale else ""


def parse_role(text: str) -> tuple[str, str] | None:
    """Return the role and the scale in a text such as `rating:1-10`; None for any other text."""
    match = _ROLE.fullmatch(text.strip().lower().removeprefix("human_"))
    name = {"reviewer": "system"}.get(match[1], match[1]) if match else ""
    if match is None or name not in ROLES:
        return None
    if match[2] is None:
        return name, ""
    is_scale = name in {RATING, *RATED} and float(match[2]) < float(match[3])
    return (name, f"{match[2]}-{match[3]}") if is_scale else None


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
    layout = FileLayout(tuple(_Roles(summaries, chosen_roles, without, computed)))
    try:
        _check_complete(layout, summaries)
        unclear = list_columns(role.column for role in layout.roles if not role.is_certain)
        if ask and unclear:
            problem = f"it is unclear what these columns hold: {unclear}"
            raise ColumnsUnclearError(problem, "name each with --column NAME=ROLE")
    except InputError as error:
        of_file = error.within(f"file {path.name[:80]!r}")
        if isinstance(of_file, ColumnsUnclearError):
            of_file.columns = [role._asdict() for role in layout.roles]
        raise of_file from error
    return layout


def _check_complete(layout: FileLayout, summaries: Mapping[str, ColumnSummary]) -> None:
    """Check that columns hold reviews, and diffs or references."""
    has_review = "review" in layout.fields
    if has_review and {"diff", "reference"} & layout.fields.keys():
        return
    what = "diffs or reference reviews" if has_review else "reviews"
    problem = f"it is unclear which column holds {what}; the columns are {list_columns(summaries)}"
    texts = [summaries[role.column] for role in layout.roles if role.kind == TEXT]
    if has_review and not any(text.has_line_breaks for text in texts):
        raise InputError(
            problem,
            "a review needs the diff that it is about in its row, such as in a column `diff`; "
            "GitHub gives each comment its hunk: gh api repos/OWNER/REPO/pulls/NUMBER/comments",
        )
    field = "diff" if has_review else "review"
    advice = f"rename one, or name it: crscore batch --column NAME={field}"
    raise ColumnsUnclearError(problem, advice)


def _summarise_columns(path: Path) -> dict[str, ColumnSummary]:
    summaries: dict[str, ColumnSummary] = {}
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        for column, cell in row.cells.items():
            summaries.setdefault(column, ColumnSummary()).add(cell, row.row)
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    return summaries


def _resolve(
    chosen: Mapping[str, str], columns: Collection[str]
) -> tuple[dict[str, tuple[str, str]], set[str]]:
    """Return the chosen role and scale of columns, and the roles that no column holds.

    A pair that can be read both ways maps a field to its column, unless all columns have a pair.
    """
    roles: dict[str, tuple[str, str]] = {}
    without: set[str] = set()
    known = f"the columns are {list_columns(columns)}"
    for one, other in chosen.items():
        named, role = parse_role(one), parse_role(other)
        is_field = named and one.islower() and named[0] in {*FIELDS, *RATED}
        named = None if not is_field or (role and chosen.keys() >= {*columns}) else named
        if named and not other:
            without.add(named[0])
        elif named and other in columns:
            roles[other] = named
        elif one not in columns:
            what = f"{other[:80]!r} for {one}" if named else f"or field {one[:80]!r}"
            raise InputError(f"there is no column {what}; {known}")
        elif role is None:
            problem = f"there is no role {other[:80]!r} for the column {one[:80]!r}"
            raise InputError(problem, f"choose one of {', '.join(ROLES)}, or such as rating:1-10")
        else:
            roles[one] = role
    fields = [role for role, _ in roles.values() if role in {*FIELDS, *RATED}]
    if twice := {name for name in fields if fields.count(name) > 1}:
        raise InputError(f"two columns are named as {', '.join(sorted(twice))}", "name one")
    return roles, without


@dataclass
class _Roles:
    """Yields the role of each column; columns of the table have distinct names.

    without: fields and kinds of ratings that no column holds.
    """

    summaries: Mapping[str, ColumnSummary]
    chosen: Mapping[str, tuple[str, str]]
    without: Set[str]
    computed: Set[str]

    def __iter__(self) -> Iterator[ColumnRole]:
        self.fields = {name: role for name, (role, _) in self.chosen.items() if role in FIELDS}
        self.guesses: set[str] = set()
        for field in FIELDS:
            self._assign(field)
        self.rated = self._rated()
        used_names: set[str] = set()
        for column, summary in self.summaries.items():
            role = self._role(column, summary)
            note = "; ".join(filter(None, [role.note, _left_blank(role, summary)]))
            while role.read_as in used_names - {""}:
                role = role._replace(read_as=f"{role.read_as}_2")
            used_names.add(role.read_as)
            is_certain = role.is_certain and column not in self.guesses
            examples = summary.examples
            yield role._replace(note=note, examples=examples, is_certain=is_certain)

    def _by_name(self) -> dict[str, str]:
        """Return the columns that are free, by their bare names."""
        taken = {*self.chosen, *self.fields, *self.computed}
        columns = reversed([column for column in self.summaries if column not in taken])
        return {bare_name(column): column for column in columns}

    def _assign(self, field: str) -> None:
        """Find the column of a field by its name and cells, or by one of the two."""
        if field in self.without or field in self.fields.values():
            return
        by_name = self._by_name()
        named = [by_name[name] for name in FIELDS[field] if name in by_name]
        found = [column for column in named if _fits(field, self.summaries[column])]
        if not found:
            kind = {"diff": "diff", "review": "prose"}.get(field, "")
            unknown = (one for name, one in by_name.items() if name not in _FIELD_NAMES)
            looking = [one for one in unknown if kind in self.summaries[one].looks]
            found = looking if len(looking) == 1 else []
            self.guesses |= {*found}
        if not found and field in {"diff", "review"}:  # `change` may hold names of changes
            found = [
                one
                for one in named
                if self.summaries[one].has_line_breaks or bare_name(one) != "change"
            ]
        if found:
            self.fields[found[0]] = field

    def _rated(self) -> dict[str, str]:
        """Return the column of the table for columns with usual names of ratings, or chosen."""
        rated = {column: RATED[role] for column, (role, _) in self.chosen.items() if role in RATED}
        by_name = self._by_name()
        for kind in (kind for kind in RATINGS if kind not in self.without):
            named = (by_name[name] for name in RATINGS[kind] if name in by_name)
            found = [column for column in named if "rating" in self.summaries[column].looks]
            if RATED[kind] not in rated.values():
                rated |= dict.fromkeys(found[:1], RATED[kind])
        return rated

    def _role(self, column: str, summary: ColumnSummary) -> ColumnRole:
        role = partial(ColumnRole, column, filled=summary.filled)
        if column in self.fields:
            return role(self.fields[column], FIELD)
        if column in self.chosen:
            return self._chosen(column, summary, *self.chosen[column])
        if column in self.computed:
            return role("", IGNORED, note="not read: computed again")
        if column in self.rated:
            return role(self.rated[column], RATING, scale="1-5")
        return self._figures(column, summary) or self._own(column, summary)

    def _chosen(self, column: str, summary: ColumnSummary, name: str, scale: str) -> ColumnRole:
        """Return the role of a column that the user chose."""
        role = partial(ColumnRole, column, filled=summary.filled)
        if name == IGNORED:
            return role("", IGNORED)
        if name != TEXT and not summary.numbers:
            raise InputError(f"the column {column[:80]!r} has no numbers", f"it cannot be {name}")
        if name == LABEL:
            return role(_label_name(column), LABEL)
        if name in {NUMBER, TEXT}:
            return _own_column(column, summary, name)
        if not scale and "rating" not in summary.looks:
            return _off_scale(column, summary)._replace(is_certain=True)
        low, high = _ends(scale)
        note = f"from {low:g} to {high:g}, converted to ratings from 1 to 5"
        note = note if (low, high) != RATING_SCALE else ""
        return role(self._rated_as(column), RATING, note=note, scale=scale or "1-5")

    def _rated_as(self, column: str) -> str:
        """Return the column of the table for ratings: worth or relevance, or else a label."""
        kind = "worth" if _WORTH_WORDS.search(column) else "relevance"
        is_free = RATED[kind] not in self.rated.values() and kind not in self.without
        return self.rated.setdefault(column, RATED[kind] if is_free else _label_name(column))

    def _figures(self, column: str, summary: ColumnSummary) -> ColumnRole | None:
        """Return the role of ratings or a label, None for a column that holds something else."""
        role = partial(ColumnRole, column, filled=summary.filled)
        is_rating_name = bare_name(column) in _RATING_NAMES
        is_label_name = column.lower().startswith(_LABEL_STARTS)
        is_off_scale = is_rating_name and "rating" not in summary.looks
        if column in _RESERVED or holds_numbers(column) or is_rating_name or is_label_name:
            if "label" not in summary.looks or not (is_rating_name or is_label_name):
                return None
            return _off_scale(column, summary) if is_off_scale else role(_label_name(column), LABEL)
        if "words" in summary.looks and _RIGHT_WORDS.search(column):
            return role(_label_name(column), LABEL, note="kept as a label: 1 for yes, 0 for no")
        if not _RATING_WORDS.search(column) or not summary.looks & {"stars", "number"}:
            return None
        if "stars" not in summary.looks:
            return _off_scale(column, summary)
        note = "guessed from its numbers"
        return role(self._rated_as(column), RATING, note=note, scale="1-5", is_certain=False)

    def _own(self, column: str, summary: ColumnSummary) -> ColumnRole:
        """Return the role of a column that the table keeps with its own name, or a free one."""
        role = _own_column(column, summary, NUMBER if "number" in summary.looks else TEXT)
        if summary.nested:
            return role._replace(note="lists or objects, kept as text: nothing inside is read")
        if column in _RESERVED or holds_numbers(column):
            return role
        if bare_name(column) in _RATING_NAMES:
            return role._replace(note="not read as ratings, because its cells are not numbers")
        has_system = "system" in {*self.fields.values(), *self.without}
        may_be_system = not has_system and not _KIND_WORDS.search(column)
        if role.kind == NUMBER:
            note = "numbers of the file, not read as ratings or labels"
            if "scale" not in summary.looks or _COUNT_WORDS.search(column):
                return role._replace(note=note)
            note += f"; for ratings: {_option(column, f'rating:{summary.scale()}')}"
        elif "words" in summary.looks:
            note = f"yes or no, kept as text; for a label: {_option(column, LABEL)}"
        elif "names" in summary.looks and may_be_system:
            note = f"if it names the reviewer: {_option(column, 'reviewer')}"
        else:
            return role
        return role._replace(note=note, is_certain=False)


def _fits(field: str, summary: ColumnSummary) -> bool:
    """Return True if the cells of a column with a usual name can hold a field."""
    if field == "diff":
        return "diff" in summary.looks
    n_others = {"review": summary.numbers, "system": summary.words}.get(field, 0)
    return not n_others or n_others < summary.filled


def _off_scale(column: str, summary: ColumnSummary) -> ColumnRole:
    """Return the role of numbers that may be ratings on another scale."""
    scale = summary.scale()
    note = "kept as a label: it has words such as yes"
    if not summary.words:
        values = f"{summary.lowest:g} to {summary.highest:g}"
        note = f"kept as a label: its values range from {values}, ratings from 1 to 5"
    if summary.words or summary.lowest == summary.highest:
        scale = ""
    role = ColumnRole(column, _label_name(column), LABEL, summary.filled, note, scale)
    if option := conversion(role):
        role = role._replace(note=f"{note}; to convert them: {option}")
    return role._replace(is_certain=False)


def _own_column(column: str, summary: ColumnSummary, kind: str) -> ColumnRole:
    role = partial(ColumnRole, column, kind=kind, filled=summary.filled)
    if column in _RESERVED or (kind == TEXT and holds_numbers(column)):
        reason = "its values are not numbers" if holds_numbers(column) else "the name is reserved"
        return role(f"file_{column}", note=f"renamed: {reason}")
    return role(column)


def _option(column: str, role: str) -> str:
    """Return the option that names a role, for a shell."""
    quote = "'" if re.search(r"[^\w.-]", column) else ""
    return f"--column {quote}{column}={role}{quote}"


def _left_blank(role: ColumnRole, summary: ColumnSummary) -> str:
    """Return a remark on the cells that are not read as numbers, empty if there are none."""
    n_blank, row, what = summary.filled - summary.numbers, summary.first_text, "a number"
    if role.kind == RATING:
        low, high = _ends(role.scale)
        n_blank = summary.filled - summary.within(low, high)
        row, what = summary.first_outside(low, high), f"a rating from {low:g} to {high:g}"
    if not role.is_numeric or n_blank <= 0:
        return ""
    where = f"{'in' if n_blank == 1 else 'first in'} row {row}"
    return f"{counted(n_blank, 'cell')} left blank, {where}: not {what}"


@cache
def _ends(scale: str) -> tuple[float, float]:
    """Return the ends of a scale such as `1-10`."""
    match = _ROLE.fullmatch(f"{RATING}:{scale}")
    return (float(match[2]), float(match[3])) if match else RATING_SCALE


def _label_name(column: str) -> str:
    return LABEL_PREFIX + re.sub(f"^{LABEL_PREFIX}", "", column, flags=re.IGNORECASE)
