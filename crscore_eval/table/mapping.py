"""The role of each column of a file: chosen, or decided by all of its cells and its name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.table.cells import cell_number, cell_text, is_blank
from crscore_eval.table.columns import (
    FIELDS,
    RATING_SCALE,
    RATINGS,
    ColumnSummary,
    last_part,
    parent,
    roles_named,
)
from crscore_eval.table.files import no_usable_row_error, raw_rows
from crscore_eval.table.measures import FILE_NAMES, PEOPLE, RIGHT_LABEL, WORTH_LABEL
from crscore_eval.table.rows import RejectedRow, list_columns
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    EXPORT_ONLY,
    HUMAN,
    LABEL_PREFIX,
    REVIEW_COLUMNS,
    holds_numbers,
)

FIELD = "field"
RATING, LABEL, NUMBER, TEXT, IGNORED = "rating", "label", "number", "text", "ignored"
RIGHT = "right"
"""Role of the label of reviews that are right."""

RATED = {**HUMAN, "worth": WORTH_LABEL}
"""Column of the table for each kind of ratings."""

ROLES = (*FIELDS, RATING, *RATED, RIGHT, LABEL, NUMBER, TEXT, IGNORED)
"""Roles of a column as the user names them; `reviewer` is another name of `system`."""

SCALES = ("1-5", "1-3", "1-4", "1-7", "1-10", "0-1", "0-3", "0-5", "0-10", "0-100")
"""Usual scales of ratings."""

_WORTH_WORDS = re.compile("useful|helpful|worth|valuable", re.IGNORECASE)
_RATING_WORDS = re.compile(
    f"rating|score|quality|relevan|grade|stars|{_WORTH_WORDS.pattern}", re.IGNORECASE
)
_RIGHT_WORDS = re.compile("(?<!in)(?<!un)(correct|right|true|valid|accura)", re.IGNORECASE)
_LABEL_WORDS = re.compile(
    f"{_WORTH_WORDS.pattern}|correct|right|wrong|true|false|valid|accura|label|agree|hallucinat|good",
    re.IGNORECASE,
)
_PLACE_WORDS = re.compile(
    "line|pos|number|^nr|id$|idx|index|timestamp|created|updated|year|month|^day|date|row|col|"
    "start|end|version|#",
    re.IGNORECASE,
)
_COUNT_WORDS = re.compile(
    "count|^n_|size|length|words|tokens|second|minute|time|duration", re.IGNORECASE
)
_KIND_WORDS = re.compile(
    "categor|type|kind|class|topic|task|stat|sever|prio|side|commit|file|path|repo|proj|branch|date|"
    "url|verdict",
    re.IGNORECASE,
)
_ROLE = re.compile(r"([a-z_]+)(?::(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?))?", re.ASCII)
_LABEL_STARTS = (LABEL_PREFIX, "human_", "outcome_")
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *EXPORT_ONLY, "signature"} - {*FIELDS}
_NO_DIFF = (
    "a review needs the diff that it is about in its row, such as in a column `diff`; "
    "GitHub gives each comment its hunk: gh api repos/OWNER/REPO/pulls/NUMBER/comments"
)
_PROSE = "kept as text, not scored as a review"
_MAX_SAMPLE = 1_000  # rows
_ANYWHERE = {"diff", "review", "system", "path", *RATINGS}
_LABEL_START = re.compile(f"^{LABEL_PREFIX}", re.IGNORECASE)
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}


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
    scale: range of ratings, such as `1-10`; of other numbers, the range they would have as ratings.
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
        if self.kind == FIELD:
            return self.read_as
        of_kind = {RATING: RATED, LABEL: {RIGHT: RIGHT_LABEL}}.get(self.kind, {})
        return next((role for role, name in of_kind.items() if name == self.read_as), self.kind)

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
    """Return a table whose columns of numbers can also be named as in their file, by `attrs`."""
    table = reviews.copy(deep=False)
    table.attrs[FILE_NAMES] = {role.column: role.read_as for role in roles if role.is_numeric}
    return table


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

    `chosen` maps columns to roles (see `ROLES`), ratings with their scale (`rating:1-10`). Other
    columns are recognised by their cells and names. Ratings are from 1 to 5, except for a few cells
    that are left blank; on another scale, a column is a label unless its scale is chosen. With
    `ask`, a guess that the user should confirm is an error.

    Raises:
        InputError: the file cannot be read; or a chosen column or role does not exist.
        ColumnsUnclearError: no column holds reviews; no column holds diffs or references; or, with
            `ask`, a role is a guess.
    """
    columns, sample = _summarise_columns(path)
    roles = _chosen_roles(chosen or {}, columns)
    _guess_roles(columns, roles, sample)
    layout = FileLayout((*_column_roles(columns, roles),))
    uncertain = [role.column for role in layout.roles if not role.is_certain]
    names, place = list_columns(columns), f"file {path.name[:80]!r}"
    problem, field = "", "ROLE"
    if "review" not in layout.fields:
        problem, field = f"which column holds reviews; the columns are {names}", "review"
    elif layout.fields.keys().isdisjoint({"diff", "reference"}):
        problem = f"which column holds diffs or reference reviews; the columns are {names}"
        field = "diff"
        if not any(
            columns[role.column].has_line_breaks for role in layout.roles if role.kind == TEXT
        ):
            raise InputError(f"it is unclear {problem}", _NO_DIFF, place)
    elif ask and uncertain:
        problem = f"what these columns hold: {list_columns(uncertain)}"
    if problem:
        advice = f"name {'each' if field == 'ROLE' else 'it'} with --column NAME={field}"
        prose = [one.column for one in layout.roles if one.note == _PROSE]
        if field == "review" and len(prose) > 1:
            kept = [*layout.fields.values()]
            advice += (
                f"; if each of {list_columns(prose)} has one reviewer's reviews, give a row per "
                f"review, as pandas does: table.melt({kept}, {prose}, 'reviewer', 'review')"
            )
        error = ColumnsUnclearError(f"it is unclear {problem}", advice, place)
        error.columns = [role._asdict() for role in layout.roles]
        raise error
    return layout


def _summarise_columns(path: Path) -> tuple[dict[str, ColumnSummary], pd.DataFrame]:
    """Return the summary of each column, and hashes of the cells of the first rows."""
    summaries: dict[str, ColumnSummary] = {}
    sample: list[dict[str, int]] = []
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        for column, cell in row.cells.items():
            summaries.setdefault(column, ColumnSummary()).add(cell, row.row)
        if len(sample) < _MAX_SAMPLE:
            filled = {name: cell for name, cell in row.cells.items() if not is_blank(cell)}
            sample.append({name: hash(cell_text(cell)) for name, cell in filled.items()})
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    return summaries, pd.DataFrame(sample, dtype=object)


class _Guess(NamedTuple):
    """A role of `ROLES`, the scale of ratings, a remark, and whether the role is certain."""

    role: str
    scale: str = ""
    note: str = ""
    is_certain: bool = True


def _chosen_roles(
    chosen: Mapping[str, str], columns: Mapping[str, ColumnSummary]
) -> dict[str, _Guess]:
    roles: dict[str, _Guess] = {}
    for column, text in chosen.items():
        role = parse_role(text)
        if column not in columns:
            problem = f"there is no column {column[:80]!r}; the columns are {list_columns(columns)}"
            raise InputError(problem, "name one with --column NAME=ROLE")
        if role is None:
            problem = f"there is no role {text[:80]!r} for the column {column[:80]!r}"
            raise InputError(problem, f"choose one of {', '.join(ROLES)}, or such as rating:1-10")
        if role[0] in {*RATED, RATING, RIGHT, LABEL, NUMBER} and not columns[column].numbers:
            raise InputError(f"the column {column[:80]!r} has no numbers, so it cannot be {text}")
        is_rating = role[0] in {*RATED, RATING} and not role[1]
        is_off_scale = is_rating and "rating" not in columns[column].looks
        off_scale = _off_scale(column, columns[column])._replace(is_certain=True)
        roles[column] = off_scale if is_off_scale else _Guess(*role)
    names = [role for role, *_ in roles.values() if role in {*FIELDS, *RATED, RIGHT}]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(f"two columns are named as {', '.join(sorted(twice))}", "name one")
    return roles


def _guess_roles(
    columns: Mapping[str, ColumnSummary], roles: dict[str, _Guess], sample: pd.DataFrame
) -> None:
    """Add the roles of the columns that nobody chose."""
    if columns.keys() >= EXPORT_ONLY:
        computed = _Guess(IGNORED, note="not read: computed again")
        roles |= dict.fromkeys(_COMPUTED & columns.keys() - roles.keys(), computed)
    for role in (*FIELDS, *RATINGS):
        if role not in {one.role for one in roles.values()}:
            free = {name: summary for name, summary in columns.items() if name not in roles}
            roles |= dict([*_columns_of(role, free, roles, sample)][:1])
    for column, summary in columns.items():
        if column not in roles:
            roles[column] = _guess_other(column, summary, roles)


def _columns_of(
    role: str,
    free: Mapping[str, ColumnSummary],
    roles: Mapping[str, _Guess],
    sample: pd.DataFrame,
) -> Iterator[tuple[str, _Guess]]:
    """Yield the columns that may hold a field or ratings, the likeliest first."""
    around = _around(roles)
    named = sorted(
        (column for column in free if role in roles_named(column)),
        key=lambda one: (not any(map(one.startswith, around)), roles_named(one)[role]),
    )
    for column in named:
        is_near = role in _ANYWHERE or f"{parent(column)}." in {".", *around}
        if is_near and _fits(role, column, free[column]):
            is_same = role in RATINGS and free[column].is_constant and column not in HUMAN.values()
            note = "guessed: all its numbers are the same" if is_same else ""
            yield column, _Guess(role, "1-5" if role in RATINGS else "", note, not is_same)
    unknown = [column for column in free if roles_named(column).keys().isdisjoint(FIELDS)]
    if kind := {"diff": "diff", "review": "prose"}.get(role):
        looking = [column for column in unknown if kind in free[column].looks]
        if len(looking) == 1:
            yield looking[0], _Guess(role, "", "guessed from its cells", is_certain=False)
        for column in named:  # `change` may hold names of changes
            if free[column].has_line_breaks or "change" not in roles_named(column):
                yield column, _Guess(role)
    diff = next((column for column, one in roles.items() if one.role == "diff"), "")
    for column in unknown:
        is_name = "names" in free[column].looks and _may_name(column)
        if diff and is_name and role == _named_by(sample.reindex(columns=[diff, column])):
            is_certain = role == "change"
            note = "one for each diff" if is_certain else "guessed: once for each diff at most"
            yield column, _Guess(role, "", note, is_certain)


def _may_name(column: str) -> bool:
    return column not in _RESERVED and not holds_numbers(column) and not _KIND_WORDS.search(column)


def _named_by(pairs: pd.DataFrame) -> str:
    """Return what the texts of a column name: reviewers, changes or neither.

    `pairs` are the diff and the text of each row. A change has one name in all of its reviews; a
    reviewer reviews several diffs, each once.
    """
    pairs = pairs.dropna()
    n_diffs, n_names = pairs.nunique()
    n_pairs = len(pairs.drop_duplicates())
    if 1 < n_diffs == n_names == n_pairs < len(pairs):
        return "change"
    return "system" if 1 < n_diffs < n_pairs == len(pairs) and n_names > 1 else ""


def _around(roles: Mapping[str, _Guess]) -> set[str]:
    """Return the objects, with a point, that hold the diff and the review."""
    columns = (column for column, one in roles.items() if one.role in {"diff", "review"})
    return {f"{parent(column)}." for column in columns}


def _fits(role: str, column: str, summary: ColumnSummary) -> bool:
    """Return True if the cells of a column with a usual name can hold a field or ratings."""
    if role in RATINGS:  # 1 alone may also mean yes
        return "rating" in summary.looks and (
            "ones" not in summary.looks or column in HUMAN.values()
        )
    if role == "diff":
        return "diff" in summary.looks
    words = dict.fromkeys(("system", "change"), summary.words)
    n_others = {"review": summary.numbers, **words}.get(role, 0)
    return not n_others or n_others < summary.filled


def _guess_other(column: str, summary: ColumnSummary, roles: Mapping[str, _Guess]) -> _Guess:
    """Return the role of a column that is no field and has no ratings under a usual name."""
    looks, kind = summary.looks, NUMBER if "number" in summary.looks else TEXT
    is_rating_name = not RATINGS.keys().isdisjoint(roles_named(column))
    is_label_name = last_part(column).lower().startswith(_LABEL_STARTS)
    is_own = column not in _RESERVED and not holds_numbers(column)
    is_free = is_own and not is_rating_name and not is_label_name
    has_system = "system" in {one.role for one in roles.values()}
    note = ""
    if (is_rating_name or is_label_name) and "label" in looks:
        is_rating = "rating" in looks and "ones" not in looks
        return _Guess(LABEL) if is_rating or not is_rating_name else _off_scale(column, summary)
    if is_free and "words" in looks and _LABEL_WORDS.search(column):
        note = "kept as a label: 1 for yes, 0 for no"
        if _RIGHT_WORDS.search(column):
            note += f"; if yes means that the review is right: {_option(column, RIGHT)}"
        return _Guess(LABEL, "", note)
    if is_free and _RATING_WORDS.search(column) and looks & {"stars", "number"}:
        stars = _Guess(RATING, "1-5", "guessed from its numbers", is_certain=False)
        return stars if "stars" in looks else _off_scale(column, summary)
    if summary.nested:
        return _Guess(TEXT, note="lists or objects, kept as text: nothing inside is read")
    if is_rating_name:
        note = "not read as ratings, because its cells are not numbers"
    elif is_own and "names" in looks and not has_system and _may_name(column):
        note = f"if it names the reviewer: {_option(column, 'reviewer')}"
    elif parent(column) and f"{parent(column)}." not in _around(roles):
        kind, note = IGNORED, "in another object than the diff and the review"
    elif is_own and kind == NUMBER and ("ids" in looks or _PLACE_WORDS.search(column)):
        kind, note = TEXT, "kept as text: numbers of a place, a time or an id"
    elif is_own and kind == NUMBER:
        note = "numbers of the file, not read as ratings or labels"
        if "scale" in looks and not _COUNT_WORDS.search(column):
            note += f"; {_way(column, summary.scale())}"
    elif is_own and "words" in looks:
        note = f"yes or no, kept as text; for a label: {_option(column, LABEL)}"
    elif is_own and "prose" in looks:
        note = _PROSE
    scale = summary.scale() if kind == NUMBER and summary.lowest < summary.highest else ""
    return _Guess(kind, scale, note, is_certain="--column" not in note)


def _off_scale(column: str, summary: ColumnSummary) -> _Guess:
    """Return the role of a label whose numbers may be ratings on another scale."""
    if summary.words:
        return _Guess(LABEL, "", "kept as a label: it has words such as yes", is_certain=False)
    if summary.is_constant:
        note = f"kept as a label: all its numbers are {summary.lowest:g}; {_way(column, '1-5')}"
        return _Guess(LABEL, "", note, is_certain=False)
    note = f"kept as a label: its values range from {summary.lowest:g} to {summary.highest:g}"
    scale = summary.scale() if summary.numbers > 1 else ""
    note += f"; {_way(column, scale)}" if scale else ""
    return _Guess(LABEL, scale, note, is_certain=False)


def _way(column: str, scale: str) -> str:
    """Return how a column of numbers is named as what its name speaks of."""
    if _WORTH_WORDS.search(column):
        return f"for ratings of worth: {_option(column, f'worth:{scale}')}"
    if _RIGHT_WORDS.search(column):
        return f"if more means that the review is right: {_option(column, RIGHT)}"
    return f"for ratings: {_option(column, f'{RATING}:{scale}')}"


def _column_roles(
    columns: Mapping[str, ColumnSummary], roles: Mapping[str, _Guess]
) -> Iterator[ColumnRole]:
    """Yield the role of each column; columns of the table have distinct names."""
    named = {RATED[one.role] for one in roles.values() if one.role in RATED}
    used: set[str] = set()
    for column, summary in columns.items():
        role, scale, note, is_certain = roles[column]
        kind, read_as, label = role, "", LABEL_PREFIX + _LABEL_START.sub("", last_part(column))
        if role in FIELDS:
            kind, read_as = FIELD, role
        elif role in {*RATED, RATING}:
            rated = RATED["worth" if _WORTH_WORDS.search(column) else "relevance"]
            other = label if rated in {*named, *used} else rated
            kind, read_as, scale = RATING, RATED.get(role, other), scale or "1-5"
        elif role in {LABEL, RIGHT}:
            kind, read_as = LABEL, RIGHT_LABEL if role == RIGHT else label
        elif role != IGNORED:
            is_text_only = role == TEXT and holds_numbers(column)
            read_as = f"file_{column}" if is_text_only or column in _RESERVED else column
        while read_as in used - {""}:
            read_as += "_2"
        used.add(read_as)
        one = ColumnRole(column, read_as, kind, summary.filled, "", scale, is_certain)
        remarks = (note, *_remarks(one, summary))
        yield one._replace(note="; ".join(filter(None, remarks)), examples=summary.examples)


def _remarks(role: ColumnRole, summary: ColumnSummary) -> Iterator[str]:
    """Yield remarks on a new name, a scale, and cells that are not read as numbers."""
    n_blank, row, what = summary.filled - summary.numbers, summary.first_text, "a number"
    if role.kind in {NUMBER, TEXT} and role.column != role.read_as:
        is_text = holds_numbers(role.column)
        yield f"renamed: {'its values are not numbers' if is_text else 'the name is reserved'}"
    if role.kind == RATING:
        low, high = _ends(role.scale)
        if (low, high) != RATING_SCALE:
            yield f"from {low:g} to {high:g}, converted to ratings from 1 to 5"
        n_blank = summary.filled - summary.within(low, high)
        row, what = summary.first_outside(low, high), f"a rating from {low:g} to {high:g}"
    if role.is_numeric and n_blank > 0:
        where = f"{'in' if n_blank == 1 else 'first in'} row {row}"
        yield f"{counted(n_blank, 'cell')} left blank, {where}: not {what}"


def _option(column: str, role: str) -> str:
    """Return the option that names a role, for a shell."""
    quote = "'" if re.search(r"[^\w.-]", column) else ""
    return f"--column {quote}{column}={role}{quote}"


@cache
def _ends(scale: str) -> tuple[float, float]:
    """Return the ends of a scale such as `1-10`."""
    match = _ROLE.fullmatch(f"{RATING}:{scale}")
    return (float(match[2]), float(match[3])) if match else RATING_SCALE
