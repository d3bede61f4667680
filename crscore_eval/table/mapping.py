"""The role of each column of a file: chosen, or decided by all of its cells and its name."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.table.cells import (
    RejectedRow,
    cell_number,
    cell_text,
    has_diff,
    is_blank,
    list_columns,
    list_places,
)
from crscore_eval.table.columns import (
    FIELDS,
    RATINGS,
    ColumnSummary,
    are_few,
    last_part,
    parent,
    roles_named,
)
from crscore_eval.table.files import no_usable_row_error, raw_rows
from crscore_eval.table.measures import PEOPLE, RIGHT_LABEL, WORTH_LABEL
from crscore_eval.table.schema import (
    CHANGE_COLUMNS,
    EXPORT_ONLY,
    HUMAN,
    LABEL_PREFIX,
    REVIEW_COLUMNS,
    holds_numbers,
)

UNSCORED = "kept as text, not scored as a review"
"""Remark on a column of texts that might be reviews."""

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

_WORTH = "useful|helpful|worth|valuable|nützlich|hilfreich|utile|utilité|útil|utilidad|полезн"
_RIGHT = (
    r"\b((is|was)(it)?)?(correct(ness|[oae])?|right|true|valid(ity)?|accura(te|cy)|truthful|"
    r"factual(ly)?|corrett[oa]|richtig|korrekt|wahr|stimmt|vraie?|juste|verdader[oa]|правильно|верно)\b"
)
_NOT_RIGHT = r"\b(not?|non|nicht|false|wrong|falsch|hallucinat\w*)\b"
_YES_OR_NO = f"{_WORTH}|correct|right|wrong|true|false|valid|accura|label|agree|hallucinat|good"
_RATER = (
    r"\b((co)?rater|annotator|judge|expert|assessor|evaluator|grader|coder|labell?er|reviewer|"
    r"person|gutachter|bewerter|anotador|évaluateur) ?(\d+|[a-z])\b|^r ?\d+$"
)
_PLACE = (
    r"\b(lines?|pos|position|number|nr|ids?|idx|index|timestamp|created|updated|year|month|day|date|"
    r"row|column|start|end|version|mr|pr|request|issue|ticket)\b"
)
_COUNT = r"count|\bn\b|size|length|words|tokens|second|minute|time|duration"
_KIND = (
    "categor|type|kind|class|topic|task|stat|sever|prio|side|commit|file|path|repo|proj|branch|date|"
    "url|verdict|decision|vote|result|outcome|role|rolle|level|label|answer"
)
_SCALE = re.compile(r"(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)", re.ASCII)
_LABEL_STARTS = (LABEL_PREFIX, "human_", "outcome_")
_COMPUTED = {*REVIEW_COLUMNS, *CHANGE_COLUMNS, *EXPORT_ONLY, "signature"} - {*FIELDS}
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_ANYWHERE = {"diff", "review", "system", "path", *RATINGS}
_BY_CELLS = {
    "diff": ("diff", "guessed from its cells"),
    "review": ("prose", "guessed from its cells"),
    "system": ("names", "guessed: once for each diff at most"),
    "change": ("names", "guessed: one for each diff"),
}
"""How the cells of columns without a usual name look, and a remark."""
_MAX_SAMPLE = 1_000  # rows
_MAX_KINDS = 3  # of changes, such as easy and hard
_MAX_TEXT = 60  # characters of a cell that may be a name
_MAX_OPTIONS = 3  # of raters
_NO_DIFF = (
    "a review needs the diff that it is about in its row, such as in a column `diff`; "
    "GitHub gives each comment its hunk: gh api repos/OWNER/REPO/pulls/NUMBER/comments"
)


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
            of = " kept as a label" if self.role == RATING else f" of {self.role}"
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

    @property
    def unscored(self) -> list[ColumnRole]:
        """Columns of texts next to a column of reviews that has no usual name, as theirs may be."""
        if "review" in roles_named(self.fields.get("review", "review")):
            return []
        return [role for role in self.roles if UNSCORED in role.note]

    @cached_property
    def extra(self) -> list[ColumnRole]:
        """The roles of the columns that the table adds: `path` and those without a field."""
        extra = (role for role in self.roles if role.kind != FIELD or role.read_as == "path")
        return [role for role in extra if role.read_as]


def is_unread_rating(column: Mapping[str, Any]) -> bool:
    """Return True if the remark on a label or a number, as a dictionary, calls it a rating."""
    is_rating = re.search(r"=(rating|worth):", column["note"])
    return bool(is_rating) and column["kind"] in {LABEL, NUMBER}


def decide_layout(
    path: Path, chosen: Mapping[str, str] | None = None, *, ask: bool = False
) -> FileLayout:
    """Read a file once and decide what each of its columns holds.

    `chosen` maps columns to roles (see `ROLES`), ratings with their scale (`rating:1-10`). Other
    columns are recognised by their cells and names. Ratings are from 1 to 5, or on a usual scale
    that the name has or the cells fit; a few other cells are left blank. With `ask`, a guess that
    the user should confirm is an error. Columns that are chosen as the same ratings, such as worth,
    are those of several raters, whose mean is read.

    Raises:
        InputError: the file cannot be read; or a chosen column or role cannot be.
        ColumnsUnclearError: no column holds reviews; no column holds diffs or references; or, with
            `ask`, a role is a guess.
    """
    columns, sample = _summarise_columns(path)
    roles = {name: _chosen_role(name, text, columns) for name, text in (chosen or {}).items()}
    names = [one.role for one in roles.values() if one.role in {*FIELDS, RIGHT}]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(f"two columns are named as {', '.join(sorted(twice))}", "name one")
    _Guesser(columns, sample, roles).add_roles()
    layout = FileLayout((*_column_roles(columns, roles),))
    uncertain = [role.column for role in layout.roles if not role.is_certain]
    columns_are, place = f"the columns are {list_columns(columns)}", f"file {path.name[:80]!r}"
    if "review" not in layout.fields:
        problem = f"which column holds reviews; {columns_are}"
        advice = "name it with --column NAME=review"
        known = {*layout.fields.values()}
        prose = [one for one in columns if "prose" in columns[one].looks and one not in known]
        if len(prose) > 1:
            problem += (
                f"; if each of {list_columns(prose)} has one reviewer's reviews, give a row per "
                f"review, as pandas does: {_reshaping(columns, prose)}"
            )
    elif layout.fields.keys().isdisjoint({"diff", "reference"}):
        problem = f"which column holds diffs or reference reviews; {columns_are}"
        advice = "name it with --column NAME=diff"
        texts = [role.column for role in layout.roles if role.kind == TEXT]
        if not any(columns[column].has_line_breaks for column in texts):
            raise InputError(f"it is unclear {problem}", _NO_DIFF, place)
    elif ask and uncertain:
        problem = f"what these columns hold: {list_columns(uncertain)}"
        advice = "name each with --column NAME=ROLE"
    else:
        return layout
    error = ColumnsUnclearError(f"it is unclear {problem}", advice, place)
    error.columns = [role._asdict() for role in layout.roles]
    raise error


def _reshaping(columns: Iterable[str], texts: Sequence[str]) -> str:
    """Return the line of pandas that gives a row to each text, with its reviewer's other cells.

    Reviewers have the names of their texts' columns without what all share, such as ` remark`.
    """
    shared = Counter[tuple[str, str]]()
    for text in texts:
        for separator in re.finditer(r"(?<=[^\W_])[\W_]+(?=[^\W_])", text):
            shared.update([(text[: separator.end()], ""), ("", text[separator.start() :])])
    best = max(shared, key=lambda ends: (shared[ends], len("".join(ends))), default=("", ""))
    start, end = best if shared[best] == len(texts) else ("", "")
    people = [text.removeprefix(start).removesuffix(end) for text in texts]
    others: dict[tuple[str, str], list[str]] = {}
    for column, person in product(columns, people):
        around = re.fullmatch(rf"(|.*[\W_]){re.escape(person)}(|[\W_].*)", column)
        if around and column not in texts:
            others.setdefault((around[1], around[2]), []).append(column)
    others = {ends: found for ends, found in others.items() if len(found) > 1}
    by_person = {*texts, *chain.from_iterable(others.values())}
    names = {(start, end): "review"}
    names |= {ends: re.sub(r"^[\W_]+|[\W_]+$", "", "".join(ends)) or "rating" for ends in others}
    parts = {ends: [re.sub("[{}]", r"\g<0>\g<0>", end) for end in ends] for ends in names}
    cells = "".join(
        f", {name!r}: table.get(f{'{one}'.join(parts[ends])!r})" for ends, name in names.items()
    )
    kept = [column for column in columns if column not in by_person]
    return f"pd.concat([table[{kept}].assign(**{{'reviewer': one{cells}}}) for one in {people}])"


def _summarise_columns(path: Path) -> tuple[dict[str, ColumnSummary], pd.DataFrame]:
    """Return the summary of each column, and the cells of first rows, see `_sample_of`."""
    summaries: dict[str, ColumnSummary] = {}
    sample: list[tuple[str, dict[str, int | str]]] = []
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        place = row.place
        for column, cell in row.cells.items():
            summaries.setdefault(column, ColumnSummary()).add(cell, (row.row, place))
        if len(sample) < _MAX_SAMPLE:
            filled = {name: cell for name, cell in row.cells.items() if not is_blank(cell)}
            sample.append((place, {name: _sample_of(cell) for name, cell in filled.items()}))
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    places, cells = zip(*sample, strict=True)
    return summaries, pd.DataFrame(cells, places, dtype=object)


def _sample_of(cell: object) -> int | str:
    """Return the hash of a diff, or the start of another text, distinct from other starts."""
    text = cell_text(cell)
    is_long = len(text) > _MAX_TEXT
    return hash(text) if has_diff(cell) else text[:_MAX_TEXT] + f"… {hash(text)}" * is_long


class _Guess(NamedTuple):
    """A role of `ROLES`, the scale of ratings, a remark, and whether the role is certain."""

    role: str
    scale: str = ""
    note: str = ""
    is_certain: bool = True


def _chosen_role(column: str, text: str, columns: Mapping[str, ColumnSummary]) -> _Guess:
    """Return the role and the scale in a text such as `rating:1-10`."""
    role, _, scale = text.strip().lower().removeprefix("human_").partition(":")
    role = "system" if role == "reviewer" else role
    is_rating, what = role in {RATING, *RATED}, f"the column {column[:80]!r}"
    if column not in columns:
        problem = f"there is no column {column[:80]!r}; the columns are {list_columns(columns)}"
        raise InputError(problem, "name one with --column NAME=ROLE")
    if role not in ROLES or (scale and (not is_rating or not _ends(scale)[0] < _ends(scale)[1])):
        problem = f"there is no role {text[:80]!r} for {what}"
        raise InputError(problem, f"choose one of {', '.join(ROLES)}, or such as rating:1-10")
    summary = columns[column]
    scale = scale or summary.scale_named(column) * is_rating
    n_numbers = summary.numbers - summary.words * is_rating
    if (is_rating or role in {RIGHT, LABEL, NUMBER}) and not n_numbers:
        raise InputError(f"{what} has no numbers, so it cannot be {text}")
    if is_rating and not scale and not summary.looks & {"rating", "ones"}:
        numbers = f"{what} has numbers from {summary.lowest:g} to {summary.highest:g}"
        raise InputError(numbers, f"name their scale, such as {role}:{summary.scale()}")
    return _Guess(role, scale)


class _Guesser(NamedTuple):
    """Guesses the roles of columns: their summaries, a sample of rows, and the roles so far."""

    columns: Mapping[str, ColumnSummary]
    sample: pd.DataFrame
    roles: dict[str, _Guess]

    def add_roles(self) -> None:
        """Add the roles of the columns that nobody chose."""
        if self.columns.keys() >= EXPORT_ONLY:
            computed = _Guess(IGNORED, note="not read: computed again")
            self.roles.update(dict.fromkeys(self._free().keys() & _COMPUTED, computed))
        for role in (*FIELDS, *RATINGS):
            if role not in self._taken():
                self.roles.update([*self._candidates(role)][:1])
        asking = [name for name, one in self._free().items() if _asks_if_right(name, one)]
        if len(asking) == 1 and RIGHT not in self._taken() and RIGHT_LABEL not in self.columns:
            note = f"1 for yes, 0 for no; to change that: {_option(asking[0], LABEL)}"
            self.roles[asking[0]] = _Guess(RIGHT, "", note, is_certain=False)
        for column in self._free():
            self.roles[column] = self._other_role(column)

    def _free(self) -> dict[str, ColumnSummary]:
        return {name: one for name, one in self.columns.items() if name not in self.roles}

    def _taken(self) -> set[str]:
        return {one.role for one in self.roles.values()}

    def _around(self) -> set[str]:
        """Return the objects, with a point, that hold the diff and the review."""
        columns = (name for name, one in self.roles.items() if one.role in {"diff", "review"})
        return {f"{parent(column)}." for column in columns}

    def _candidates(self, role: str) -> Iterator[tuple[str, _Guess]]:
        """Yield the columns that may hold a field or ratings, the likeliest first."""
        free, around = self._free(), self._around()
        named = sorted(
            (column for column in free if role in roles_named(column)),
            key=lambda one: (not any(map(one.startswith, around)), roles_named(one)[role]),
        )
        for column in named:
            is_near = role in _ANYWHERE or f"{parent(column)}." in {".", *around}
            can_be, exception = self._may_be(role, column, is_named=True)
            if is_near and can_be and _fits(role, column, free[column]):
                is_guess = role in RATINGS and column not in HUMAN.values()
                is_same = is_guess and free[column].is_constant
                note = "guessed: all its numbers are the same" if is_same else exception
                yield column, _Guess(role, "1-5" if role in RATINGS else "", note, not is_same)
        look, note = _BY_CELLS.get(role, ("", ""))
        unknown = [
            name
            for name, one in free.items()
            if look in one.looks and not any(_fits(field, name, one) for field in roles_named(name))
        ]
        if look == "names":
            unknown = [one for one in unknown if _may_name(one)]
            found = {one: self._may_be(role, one, is_named=False) for one in unknown}
            unknown = [one for one, (can_be, _) in found.items() if can_be]
            exception = f", but {found[unknown[0]][1]}" if unknown and found[unknown[0]][1] else ""
            note += f"{exception}; to change that: {_option(unknown[0], TEXT)}" if unknown else ""
        if len(unknown) == 1:
            yield unknown[0], _Guess(role, "", note, is_certain=False)
        for column in named if role in {"diff", "review"} else ():
            if free[column].has_line_breaks or "change" not in roles_named(column):
                yield column, _Guess(role)  # `change` may hold names of changes

    def _may_be(self, role: str, column: str, *, is_named: bool) -> tuple[bool, str]:
        """Return whether the texts of a column can name reviewers, or changes; and an exception.

        A change has the same name in all of its reviews, and a reviewer reviews a diff once, but
        for a few rows.
        """
        is_usual = column.lower() in {"change", "change_id"} or (is_named and role == "system")
        if is_usual or role not in {"system", "change"}:
            return True, ""
        diff = next((name for name, one in self.roles.items() if one.role == "diff"), "")
        pairs = self.sample.reindex(columns=[diff, column]).dropna()
        if diff and "diff" in self.columns[diff].looks:  # then other cells cannot be used
            pairs = pairs.loc[[isinstance(cell, int) for cell in pairs[diff]]]
        n_diffs, n_rows = pairs[diff].nunique(), len(pairs)
        if role == "change":
            odd = _odd_names([*pairs.itertuples(name=None)])
            can_be = is_named or _MAX_KINDS < n_diffs < n_rows
        else:
            again = pairs[pairs.duplicated()]
            odd = [f"{name!r} reviews a diff again in {at}" for at, name in again[column].items()]
            can_be = 1 < n_diffs < n_rows - len(odd)
        more = f" and {len(odd) - 2:,} more" if len(odd) > 2 else ""
        return can_be and are_few(len(odd), n_rows), ", ".join(odd[:2]) + more

    def _raters(self) -> list[str]:
        """Return the columns of numbers whose names are those of several raters."""
        scaled = (name for name, one in self.columns.items() if one.looks & {"stars", "scale"})
        raters = [name for name in scaled if _speaks(last_part(name), _RATER)]
        return raters if len(raters) > 1 else []

    def _other_role(self, column: str) -> _Guess:
        """Return the role of a column that is no field and has no ratings under a usual name."""
        summary, looks = self.columns[column], self.columns[column].looks
        is_rating_name = not RATINGS.keys().isdisjoint(roles_named(column))
        is_label_name = last_part(column).lower().startswith(_LABEL_STARTS)
        is_own = column not in _RESERVED and not holds_numbers(column)
        is_free = is_own and not is_rating_name and not is_label_name
        is_change, exception = "change" in roles_named(column) and "change" not in self._taken(), ""
        if is_change and _fits("change", column, summary):
            is_change, exception = self._may_be("change", column, is_named=True)
        is_rated = is_free and _speaks(column, f"rating|score|quality|relevan|grade|stars|{_WORTH}")
        is_number, is_place = "number" in looks, "ids" in looks or _speaks(column, _PLACE)
        is_figure = is_place or _speaks(column, _COUNT)
        is_text = summary.filled > summary.numbers == 0
        is_mixed = 0 < summary.filled - summary.numbers <= summary.numbers
        is_mixed = is_mixed and looks.isdisjoint({"number", "words"})
        is_worth, named = _speaks(column, _WORTH), summary.scale_named(column)
        scale = named or ("1-5" if "stars" in looks else summary.scale())
        role = LABEL if summary.words else f"{'worth' if is_worth else RATING}:{scale}"
        if _speaks(column, _RIGHT) and (summary.words or not is_worth):
            role = RIGHT
        option, raters = _option(column, role), self._raters()
        if role.startswith(RATING) and not is_rating_name and not _speaks(column, "relevan"):
            option = f"{_option(column, f'worth:{scale}')}, or {option} for relevance"
        of_raters, values = "", "it has words such as yes"
        if column in raters:
            options = (_option(one, f"worth:{scale}") for one in raters[:_MAX_OPTIONS])
            of_raters = "; if raters have the same role, such as worth, their mean is read"
            option = f"{' '.join(options)}{' …' * (len(raters) > _MAX_OPTIONS)}"
        rating = next(iter(RATINGS.keys() & roles_named(column)), RATING)
        is_scaled = scale in {named, *SCALES} - {"0-1"} and summary.lowest < summary.highest
        is_scaled = is_scaled and not summary.words and rating not in self._taken() - {RATING}
        as_rating = "scale from its name or cells" if named else "guessed from its numbers"
        as_other = _option(column, LABEL if is_worth else f"worth:{scale}".removesuffix(":1-5"))
        if column in raters:
            as_other = option
        if named and is_worth:  # certain
            as_rating, as_other = f"{as_rating}; or {as_other}", ""
        as_words, not_words = (LABEL, TEXT) if len(summary.seen) > 1 else (TEXT, LABEL)
        if not summary.words:
            is_same = summary.lowest == summary.highest
            values = f"its values range from {summary.lowest:g} to {summary.highest:g}"
            values = f"all its numbers are {summary.lowest:g}" if is_same else values
        # With an option that changes it, a role is a guess.
        cases: Iterable[tuple[object, str, str, str]] = (
            (is_label_name and not is_rating_name and "label" in looks, LABEL, "", ""),
            (is_rating_name and looks >= {"label", "rating"}, LABEL, "", ""),
            (is_free and "words" in looks and _speaks(column, _YES_OR_NO), LABEL,
             f"kept as a label: 1 for yes, 0 for no{f'; or {option}' * (role == RIGHT)}", ""),
            (is_rated and "stars" in looks, RATING, f"{as_rating}{of_raters}", as_other),
            (is_scaled and ((is_rating_name and "label" in looks) or (is_rated and is_number)),
             rating, f"{as_rating}{of_raters}", as_other),
            ((is_rating_name and "label" in looks) or (is_rated and is_number),
             LABEL, f"kept as a label: {values}{of_raters}", option),
            (exception and not is_change, TEXT, f"not used as names of changes: {exception}", ""),
            (summary.nested, TEXT, "lists or objects, kept as text: nothing inside is read", ""),
            (is_own and is_mixed and not is_figure, TEXT,
             f"kept as text: not all of its cells are numbers{of_raters}", option),
            (is_rating_name or is_rated, TEXT, "not read as ratings: its cells are not numbers",
             ""),
            (is_free and is_text and _speaks(column, f"{_YES_OR_NO}|{_RIGHT}"), TEXT,
             "kept as text: its cells are not yes or no", ""),
            (is_own and "names" in looks and "system" not in self._taken() and _may_name(column),
             TEXT, "it may name the reviewer", _option(column, "reviewer")),
            (parent(column) and f"{parent(column)}." not in self._around(),
             IGNORED, "in another object than the diff and the review", ""),
            (is_number and column in raters, NUMBER, f"numbers, not read as ratings{of_raters}",
             option),
            (is_own and is_number and is_place, TEXT, "kept as text: a place, a time or an id", ""),
            (is_own and is_number, NUMBER, "numbers of the file, not read as ratings or labels",
             option * (bool(looks & {"scale", "stars"}) and not is_figure)),
            (is_own and "words" in looks, as_words, f"yes or no, kept as {as_words}",
             f"{_option(column, not_words)}, or {_option(column, RIGHT)} if it says what is right"),
            (True, NUMBER if is_number else TEXT, "", ""),
        )  # fmt: skip
        role, note, change = next(found for is_case, *found in cases if is_case)
        is_range = note and summary.lowest < summary.highest and role in {NUMBER, LABEL}
        scale = scale if role in {RATING, *RATED} or is_range else ""
        note += f"; to change that: {change}" if change else ""
        return _Guess(role, scale, note, is_certain=not change)


def _speaks(column: str, words: str) -> bool:
    """Return True if the name of a column has a word, or a part of it."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", column)
    return bool(re.search(words, spaced, re.IGNORECASE))


def _asks_if_right(column: str, summary: ColumnSummary) -> bool:
    """Return True for a column that says whether reviews are right."""
    name = last_part(column).removeprefix(LABEL_PREFIX)
    is_named = _speaks(name, _RIGHT) and not _speaks(name, _NOT_RIGHT) and not holds_numbers(name)
    return is_named and "yes or no" in summary.looks


def _odd_names(rows: Sequence[tuple[str, object, str]]) -> list[str]:
    """Describe rows in which a name has another diff than most often, or a diff another name.

    `rows` are places, diffs and names.
    """
    names: dict[object, str] = {}
    diffs: dict[str, object] = {}
    for (diff, name), _ in Counter((diff, name) for _, diff, name in rows).most_common():
        names.setdefault(diff, name)
        diffs.setdefault(name, diff)
    return [
        f"{name!r} has {'another diff' if diffs[name] != diff else f'the diff of {names[diff]!r}'} "
        f"in {place}"
        for place, diff, name in rows
        if (names[diff], diffs[name]) != (name, diff)
    ]


def _may_name(column: str) -> bool:
    """Return True if the name of a column does not speak of a category, a place or a time."""
    is_own = column not in _RESERVED and not holds_numbers(column)
    return is_own and not _speaks(column, f"{_KIND}|{_PLACE}")


def _fits(role: str, column: str, summary: ColumnSummary) -> bool:
    """Return True if the cells of a column with a usual name can hold a field or ratings."""
    looks = summary.looks
    if role in RATINGS:
        return "rating" in looks or ("ones" in looks and column in HUMAN.values())
    if role == "diff":
        return "diff" in looks
    if role in {"system", "change"} and (not summary.filled or "sentences" in looks):
        return False
    words = dict.fromkeys(("system", "change"), summary.words)
    n_others = {"review": summary.numbers, **words}.get(role, 0)
    return not n_others or n_others < summary.filled


def _column_roles(
    columns: Mapping[str, ColumnSummary], roles: Mapping[str, _Guess]
) -> Iterator[ColumnRole]:
    """Yield the role of each column; columns of the table have distinct names."""
    named = {RATED[one.role] for one in roles.values() if one.role in RATED}
    used: dict[str, str] = {}  # the column of each name
    for column, summary in columns.items():
        role, scale, note, is_certain = roles[column]
        label = LABEL_PREFIX + re.sub(f"(?i)^{LABEL_PREFIX}", "", last_part(column))
        is_text_only = role == TEXT and holds_numbers(column)
        kind, read_as = role, f"file_{column}" if is_text_only or column in _RESERVED else column
        if role in FIELDS:
            kind, read_as = FIELD, role
        elif role in {*RATED, RATING}:
            rated = RATED["worth" if _speaks(column, _WORTH) else "relevance"]
            other = label if rated in {*named, *used} else rated
            kind, read_as, scale = RATING, RATED.get(role, other), scale or "1-5"
            if read_as == label and rated in used:
                name = next(one for one in RATED if RATED[one] == rated)
                both = (_option(one, f"{name}:{scale}") for one in (used[rated], column))
                note = f"{used[rated]} has the ratings of {name}; for their mean: {' '.join(both)}"
        elif role in {LABEL, RIGHT}:
            kind, read_as = LABEL, RIGHT_LABEL if role == RIGHT else label
        alike = [one for one in roles if roles[one].role == role and role in RATED]
        if len(alike) > 1:
            note = f"{role} is the mean of {list_columns(alike)}"
        while read_as in used and not alike:
            read_as += "_2"
        used[read_as] = column
        read_as = "" if role == IGNORED else read_as
        one = ColumnRole(column, read_as, kind, summary.filled, note, scale, is_certain)
        remarks = filter(None, (note, *_remarks(one, summary)))
        yield one._replace(note="; ".join(remarks), examples=summary.examples)


def _remarks(role: ColumnRole, summary: ColumnSummary) -> Iterator[str]:
    """Yield remarks on a new name, a scale, and cells that are not read as numbers."""
    if role.kind in {NUMBER, TEXT} and role.column != role.read_as:
        yield "renamed: the name is reserved"
    if role.kind == TEXT and "prose" in summary.looks:
        yield UNSCORED
    if role.is_numeric:
        ends, n_read = None, summary.numbers
        what = "yes or no" if n_read == summary.words else "a number"
        if role.kind == RATING:
            low, high = ends = _ends(role.scale)
            n_read, what = summary.within(*ends), f"a rating from {low:g} to {high:g}"
            if role.scale != "1-5":
                yield f"from {low:g} to {high:g}, converted to ratings from 1 to 5"
        if n_blank := summary.filled - n_read:
            places = summary.places_outside(ends)
            where = f", in {list_places(places)}" * bool(places)
            if n_more := n_blank - len(places):
                where += f" and {n_more:,} more, which have no {role.read_as} in the run"
            yield f"{counted(n_blank, 'cell')} left blank{where}: not {what}"


def _option(column: str, role: str) -> str:
    """Return the option that names a role, for a shell."""
    quote = "'" if re.search(r"[^\w.-]", column) else ""
    return f"--column {quote}{column}={role}{quote}"


def _ends(scale: str) -> tuple[float, float]:
    """Return the ends of a scale such as `1-10`; 0 and 0 for another text."""
    match = _SCALE.fullmatch(scale)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)
