"""Decide what each column of a file holds, from the user's choice or its cells and name."""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from crscore_core.errors import InputError, quoted
from crscore_core.text import counted
from crscore_eval.table.cells import MAX_COLUMNS, RejectedRow, cell_hash, is_blank, list_columns
from crscore_eval.table.columns import (
    AUTHOR,
    ENCLOSING,
    FIELDS,
    RATINGS,
    ColumnSummary,
    are_few,
    last_part,
    parent,
    roles_named,
)
from crscore_eval.table.files import no_usable_row_error, raw_rows
from crscore_eval.table.measures import PEOPLE, RIGHT_LABEL
from crscore_eval.table.roles import (
    FIELD,
    IGNORED,
    LABEL,
    NUMBER,
    RATED,
    RATING,
    RIGHT,
    ROLES,
    SCALES,
    TEXT,
    WORTH,
    ColumnRole,
    FileLayout,
    reversed_scale,
    scale_ends,
)
from crscore_eval.table.schema import (
    EXPORT_ONLY,
    EXPORTED,
    HUMAN,
    LABEL_PREFIX,
    holds_numbers,
    is_of_rater,
    rater_column,
)
from crscore_eval.table.sheets import SHEET

_WORTH_WORDS = "useful|helpful|worth|valuable|nützlich|nutzen|hilfreich|util(e|i[td])|útil|полезн"
_SAID = {WORTH: _WORTH_WORDS, "conciseness": "concis", "comprehensiveness": "comprehens"}
_SAID["relevance"] = "relev|rilev|pertinen"
# Words before `score` if people gave it, unlike the one in `cvss_score`.
_OF_PEOPLE = "my|our|human|people|team|rater|annotator|reviewer|review|comment|overall|total|mean"
_OF_PEOPLE += "|verdict|feedback|evaluation|assessment|annotation|grading|result|quality"
_RATED = "|".join((
    r"\b(ratings?|grades?|stars|marks?|(schul)?note|notas?)\b|estrel",
    rf"^\W*(({_OF_PEOPLE})\W+)*(scores?|quality|points?)\b",
    "bewertung|punkt|sterne|étoiles|évaluation|punt[ou]|pontua|califica|valutazione|avalia",
    "评分|評価|点数|оценка",
    *_SAID.values(),
))  # fmt: skip
_RIGHT = (
    r"\b((is|was)(it)?)?(correct(ness|[oae])?|right|true|valid(ity)?|accura(te|cy)|truthful|"
    r"factual(ly)?|corrett[oa]|richtig|korrekt|wahr|stimmt|vraie?|juste|verdader[oa]|правильно|верно)\b"
)
_NOT_RIGHT = r"\b(not?|non|nicht|false|wrong|falsch|hallucinat\w*|by model)\b"
_YES_OR_NO = "correct|right|wrong|true|false|valid|accura|label|agree|hallucinat|good"
_YES_OR_NO += rf"|verdict|\bvotes?\b|\brank\b|opinion|urteil|avis\b|veredicto|{_WORTH_WORDS}"
_PLACE = (
    r"\b(lines?|pos|position|number|nr|i?ids?|idx|index|timestamp|created|updated|year|month|day|date|"
    r"row|column|start|end|version|mr|pr|request|issue|ticket)\b"
)
_COUNT = (
    r"\b((word|line|token|char)?count|n|size|length|word|token|second|minute|time|duration)s?\b"
)
_PARTS = re.compile(r"[0-9a-f-]{36}|[^\W\d_]+|\d+")  # of a column's name
_SUMMARY = r"\b(mean|average|avg|median|std|sd|min|max|sum|total|final|consensus|before|after)\b"
_KIND = (
    "categor|type|kind|class|topic|task|stat|sever|prio|side|commit|(?<!pro)file|path|repo|proj|branch|"
    "(?<!candi)date|datum|titel|title|url|verdict|decision|vote|result|outcome|role|rolle|level|label|answer"
)
_NO_NUMBERS = "kept as text: most cells are not numbers, yes or no; write numbers to use them"
_KINDS = {"type", "__typename", "bot"}  # of a reviewer, such as a bot
_WRAPPERS = {"content", "body", "message"}  # objects that stand for a review's text
_COMPUTED = EXPORTED - FIELDS.keys()
_RESERVED = {*_COMPUTED, *FIELDS, *HUMAN.values(), PEOPLE}
_ANYWHERE = {"diff", "review", "rater", "system", "path", "reply", *RATINGS}
_FROM_CELLS = "guessed from its cells"
_BY_CELLS = {  # how cells look in a column without a usual name, and the remark on its role
    "diff": ("diff", _FROM_CELLS),
    "review": ("prose", _FROM_CELLS),
    "system": ("names", "guessed: its values rarely repeat within a diff"),
}
_KEY = ("diff", "reference", "review", "system", "rater")  # of a rating of a review
_MAX_SAMPLE = 10_000  # rows
_NO_DIFF = "give each row its diff; on GitHub, gh api repos/OWNER/REPO/pulls/NUMBER/comments does"


class ColumnsUnclearError(InputError):
    """The user must choose the roles of some columns; `columns` has all roles as dictionaries."""

    columns: Sequence[dict[str, Any]] = ()


def decide_layout(
    path: Path, chosen: Mapping[str, str] | None = None, *, ask: bool = False
) -> FileLayout:
    """Read a file once and decide what each of its columns holds.

    `chosen` maps columns to roles (see `ROLES`), ratings with their scale (`rating:1-10`). Other
    columns are recognised by their cells and names. Ratings are from 1 to 5, or on a usual scale
    that the name has or the cells fit; a few other cells are left blank. With `ask`, a guess that
    the user should confirm is an error. Columns that are chosen as the same ratings, such as worth,
    come from several raters: they are kept, and averaged.

    Raises:
        InputError: the file cannot be read, or a chosen column or role is not possible.
        ColumnsUnclearError: no column holds reviews; no column holds diffs or references; or, with
            `ask`, a role is a guess.
    """
    columns, sample = _summarise_columns(path)
    roles = {name: _chosen_role(name, text, columns) for name, text in (chosen or {}).items()}
    names = [one.role for one in roles.values() if one.role in FIELDS]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(f"two columns are named as {', '.join(sorted(twice))}", "name one")
    _Guesser(columns, sample, roles).add_roles()
    layout = FileLayout((*_column_roles(columns, roles),))
    columns_are, place = f"the columns are {list_columns(columns)}", f"file {quoted(path.name)}"
    guesses = [role for role in layout.roles if role.column not in (chosen or {})]
    uncertain = [
        one.column
        for one in guesses
        if one.alternatives or (one.kind != FIELD and not are_few(one.lost, one.filled))
    ]
    advice = "name it with --column NAME="
    if "review" not in layout.fields:
        problem = f"it is unclear which column holds reviews; {columns_are}"
        prose = [role.column for role in layout.roles if role.is_prose]
        advice += "review"
        if not any("prose" in summary.looks for summary in columns.values()):
            problem = f"no column holds text such as reviews; {columns_are}"
            advice = "each row needs the text of a review"
        if len(prose) > 1:
            problem += f"; if each of {list_columns(prose)} has one reviewer's reviews, give a row "
            problem += "per review, with a column that names the reviewer"
    elif layout.fields.keys().isdisjoint({"diff", "reference"}):
        problem = f"it is unclear which column holds diffs or reference reviews; {columns_are}"
        advice = _NO_DIFF
    elif melted := _melted(layout, sample, guesses):
        problem, advice = melted
    elif ask and uncertain:
        problem = f"it is unclear what these columns hold: {list_columns(uncertain)}"
        advice += "ROLE"
    else:
        return layout
    error = ColumnsUnclearError(problem, advice, place)
    error.columns = [role._asdict() for role in layout.roles]
    raise error


def _melted(
    layout: FileLayout, sample: pd.DataFrame, roles: Iterable[ColumnRole]
) -> tuple[str, str] | None:
    """Return the problem of a table with a row for each question about a review, and advice.

    The questions are in one of `roles`: except in a few rows, each review, of each rater, has each
    of its values once. The file also has numbers. None for other tables.
    """
    key = [layout.fields[name] for name in _KEY if name in layout.fields]
    for column in (role.column for role in roles if role.kind in {NUMBER, TEXT}):
        numbers = [role for role in layout.extra if role.is_numeric and role.column != column]
        pairs = sample.reindex(columns=[*key, column]).dropna()
        n_reviews, n_values = len(pairs.drop_duplicates(key)), pairs[column].nunique()
        are_several = min(n_reviews, n_values) > 1 and not pairs.duplicated().any()
        if numbers and are_several and are_few(n_reviews * n_values - len(pairs), len(pairs)):
            value = min(numbers, key=lambda role: role.kind != RATING).column
            n_cells = sample.groupby(key, dropna=False).nunique(dropna=False).max()
            index = [name for name in map(str, sample) if name in key or n_cells[name] == 1]
            pivot = f"table.pivot(index={index}, columns={column!r}, values={value!r})"
            problem = f"each review has a row for each value of {quoted(column)}"
            advice = f"if these are questions, give each its own column, as pandas does: {pivot}"
            raters = f"; if these are raters, --column {shlex.quote(f'{column}=rater')}"
            return problem, advice + raters * ("rater" not in layout.fields)
    return None


def _summarise_columns(path: Path) -> tuple[dict[str, ColumnSummary], pd.DataFrame]:
    """Return the summary of each column, and the hashes of the cells of the first rows."""
    summaries: dict[str, ColumnSummary] = {}
    sample: list[dict[str, int | str]] = []
    first_rejected: RejectedRow | None = None
    for row in raw_rows(path):
        if isinstance(row, RejectedRow):
            first_rejected = first_rejected or row
            continue
        numbered = row.row, row.place
        for column, cell in row.cells.items():
            summaries.setdefault(column, ColumnSummary()).add(cell, numbered)
        if len(summaries) > MAX_COLUMNS:
            problem = f"file {quoted(path.name)} has more than {MAX_COLUMNS:,} columns"
            raise InputError(problem, "delete unneeded columns")
        if len(sample) < _MAX_SAMPLE:
            filled = ((name, cell) for name, cell in row.cells.items() if not is_blank(cell))
            sample.append({name: cell_hash(cell) for name, cell in filled})
    if not summaries:
        raise no_usable_row_error(path, first_rejected)
    return summaries, pd.DataFrame(sample, dtype=object)


class _Guess(NamedTuple):
    """A role of `ROLES`, the scale of ratings, a remark, and other possible roles."""

    role: str
    scale: str = ""
    note: str = ""
    alternatives: tuple[str, ...] = ()


def _chosen_role(column: str, text: str, columns: Mapping[str, ColumnSummary]) -> _Guess:
    """Return the role and the scale in text such as `rating:1-10`."""
    role, _, scale = text.strip().lower().removeprefix("human_").partition(":")
    role = "system" if role == "reviewer" else role
    is_rating, what = role in {RATING, *RATED}, f"the column {quoted(column)}"
    if column not in columns:
        problem = f"there is no column {quoted(column)}; the columns are {list_columns(columns)}"
        raise InputError(problem, "name one with --column NAME=ROLE")
    worst, best = scale_ends(scale)
    if role not in ROLES or (scale and (not is_rating or worst == best)):
        problem = f"there is no role {quoted(text)} for {what}"
        raise InputError(problem, f"choose one of {', '.join(ROLES)}, or such as rating:1-10")
    summary = columns[column]
    scale = scale or summary.scale_named(column) * is_rating
    n_numbers = summary.numbers - summary.words * is_rating
    if (is_rating or role in {RIGHT, LABEL, NUMBER}) and not n_numbers:
        raise InputError(f"{what} has no numbers, so it cannot be {text}")
    if is_rating and not scale and not summary.looks & {"rating", "ones"}:
        numbers = f"{what} has numbers from {summary.lowest:g} to {summary.highest:g}"
        raise InputError(numbers, f"name their scale, such as {role}:{summary.scale(column)}")
    return _Guess(role, scale)


class _Guesser(NamedTuple):
    """Guesses the roles of columns: their summaries, a sample of rows, and the roles so far."""

    columns: Mapping[str, ColumnSummary]
    sample: pd.DataFrame
    roles: dict[str, _Guess]

    def add_roles(self) -> None:
        """Add the roles of the columns that nobody chose."""
        if self.columns.keys() >= EXPORT_ONLY:
            computed = _Guess(IGNORED, note="computed again")
            self.roles.update(dict.fromkeys(self._free().keys() & _COMPUTED, computed))
        for role in (*FIELDS, *RATINGS):
            if role not in self._taken():
                self.roles.update([*self._candidates(role)][:1])
        self._add_raters()
        asking = [name for name, one in self._free().items() if _asks_if_right(name, one)]
        if len(asking) == 1 and RIGHT not in self._taken() and RIGHT_LABEL not in self.columns:
            self.roles[asking[0]] = _Guess(RIGHT, "", "1 for yes, 0 for no", (LABEL,))
        for column in self._free():
            self.roles[column] = self._other_role(column)

    def _free(self) -> dict[str, ColumnSummary]:
        return {name: one for name, one in self.columns.items() if name not in self.roles}

    def _taken(self) -> set[str]:
        return {one.role for one in self.roles.values()}

    def _column(self, role: str) -> str:
        return next((name for name, one in self.roles.items() if one.role == role), "")

    def _may_be_of_change(self, column: str) -> bool:
        """Return True if a person may be the author of the change instead of the reviewer.

        Such a person is in an object around the review or with the diff alone. Where objects do
        not tell, it is the same in all reviews of a change and differs between changes.
        """
        if AUTHOR not in roles_named(column):
            return False
        of_diff, of_review = (parent(self._column(role)) for role in ("diff", "review"))
        if last_part(of_review) in _WRAPPERS:
            of_review = parent(of_review)
        around = [of for of in (of_review, of_diff) if not of or column.startswith(f"{of}.")]
        is_apart = of_diff != of_review and max(around, key=len, default="") == of_diff
        if is_apart or column.startswith(ENCLOSING):
            return True
        is_of_comment = parent(column) and "hunk" in self._column("diff").lower()  # as on GitHub
        if is_of_comment or any(name.startswith(ENCLOSING) for name in self.columns):
            return False
        names = [name for name in self.columns if "change" in roles_named(name)]
        for change in (*names, self._column("diff")):
            pairs = self.sample.reindex(columns=[change, column]).dropna()
            n_rows, n_pairs = len(pairs), len(pairs.drop_duplicates())
            n_changes, n_people = pairs[change].nunique(), pairs[column].nunique()
            is_same = n_people > 1 and are_few(n_pairs - n_changes, n_changes)
            if is_same and not are_few(n_rows - n_changes, n_rows):
                return True
        return False

    def _around(self) -> set[str]:
        """Return the names of the objects with the diff and the review, each ending in a dot."""
        return {f"{parent(self._column(role))}." for role in ("diff", "review")}

    def _candidates(self, role: str) -> Iterator[tuple[str, _Guess]]:
        """Yield the columns that may hold a field or ratings, the likeliest first."""
        free, around = self._free(), self._around()
        named = sorted(
            (column for column in free if role in roles_named(column)),
            key=lambda one: (not any(map(one.startswith, around)), roles_named(one)[role]),
        )
        for column in named:
            is_near = role in _ANYWHERE or f"{parent(column)}." in {".", *around}
            is_author = role == "system" and self._may_be_of_change(column)
            can_be = role == "system" or self._names_apart(role, column)
            if is_near and can_be and not is_author and _fits(role, column, free[column]):
                scale = "1-5" * (role in RATINGS)
                others = ("reviewer",) * (role == "rater" and "system" in roles_named(column))
                if scale and column != HUMAN[role]:
                    others = _closer_scale(role, scale, free[column])
                yield column, _Guess(role, scale, _FROM_CELLS * bool(others), others)
        look, note = _BY_CELLS.get(role, ("", ""))
        alike = {
            name: {of for of in roles_named(name).keys() - {"rater"} if _fits(of, name, one)}
            for name, one in free.items()
            if look in one.looks and (look != "names" or _may_name(name, one))
        }
        unknown = [name for name in alike if not alike[name] and self._names_apart(role, name)]
        if role == "diff" and not named:  # even a name such as `content` may be of diffs
            unknown = unknown or [*alike]
        if len(unknown) == 1:
            yield unknown[0], _Guess(role, "", note, (TEXT,))
        for column in named if role in {"diff", "review"} else ():
            if free[column].diffs or "change" not in roles_named(column):
                yield column, _Guess(role)  # `change` may hold names of changes

    def _names_apart(self, role: str, column: str) -> bool:
        """Return False if cells do not name reviewers, changes, titles or answered comments.

        Except in a few rows, a change has the same name and title in all of its reviews, and no
        other change has its name; a reviewer reviews a diff once.
        """
        if role == "reply":  # some reviews answer no other
            cells = self.sample.get(column, pd.Series())
            return 0 in self.columns[column].seen or 0 < cells.count() < len(cells)
        if role == "rater":
            return self._are_raters(column)
        is_usual = column.lower() in {"change", "change_id"}
        if is_usual or role not in {"system", "change", "title"}:
            return True
        diff = self._column("diff")
        pairs = self.sample.reindex(columns=[diff, column]).dropna()
        if diff and "diff" in self.columns[diff].looks:  # then other cells cannot be used
            pairs = pairs.loc[[isinstance(cell, int) for cell in pairs[diff]]]
        n_diffs, n_rows, counts = pairs[diff].nunique(), len(pairs), pairs.value_counts()
        if role == "system":
            is_apart = 1 < n_diffs < len(counts) and not self._are_raters(column)
            return is_apart and are_few(n_rows - len(counts), n_rows)
        usual = (both := counts.reset_index()).drop_duplicates(diff)
        if role == "change":
            usual = usual.merge(both.drop_duplicates(column))
        return are_few(n_rows - int(usual["count"].sum()), n_rows)

    def _are_raters(self, column: str) -> bool:
        """Return True if reviews have several values of a column, as of the people who rated them.

        A column that may name the reviewers needs ratings next to it, and two values per review.
        """
        review = [self._column("diff") or self._column("reference"), self._column("review")]
        pairs = self.sample.reindex(columns=[*review, column]).dropna().drop_duplicates()
        n_reviews = len(pairs.drop_duplicates(review))
        if roles_named(column).keys() == {"rater"} and not column.startswith(SHEET):
            return len(pairs) > n_reviews
        return len(pairs) >= 2 * n_reviews > 0 and any(map(_is_about_quality, self.columns))

    def _add_raters(self) -> None:
        """Add a common role to columns of raters, whose names differ in a part, as `useful_ann`."""
        groups = defaultdict[tuple[str, str], list[str]](list)
        for column, summary in self._free().items():
            is_right = "yes or no" in summary.looks
            is_rated = "label" in summary.looks and summary.scale(column) in SCALES
            is_rated &= _is_own(column)
            parts = _PARTS.findall(column) * (is_rated and _is_about_quality(column))
            for at, part in enumerate(parts):
                rest = " ".join([*parts[:at], "", *parts[at + 1 :]])
                is_neutral = (len(part) == 1 or part.isdigit()) and _speaks(rest, _RATED)
                role = _said_to_be_rated(rest) or WORTH * is_neutral
                role = RIGHT * _speaks(rest, _RIGHT) if is_right else role
                if role and not _speaks(part, _SUMMARY):
                    groups[role, rest].append(column)
        for role, rest in sorted(groups, key=lambda one: -len(one[1])):
            columns = groups[role, rest]
            named = {name: self.columns[name].scale_named(name) for name in columns}
            bare = [name for name in columns if not named[name]] or columns
            widest = max(bare, key=lambda name: self.columns[name].highest)
            scale = self.columns[widest].scale(widest)
            others = (*_closer_scale(role, scale, self.columns[widest]), LABEL)
            for name in columns if len(columns) > 1 and role not in self._taken() else ():
                own = (named[name] or scale) * (role != RIGHT)
                self.roles[name] = _Guess(role, own, "", others)

    def _other_role(self, column: str) -> _Guess:
        """Return the role of a column that is neither a field nor ratings with a usual name."""
        summary, looks = self.columns[column], self.columns[column].looks
        rated = (parent(name) for name in self.columns if _is_about_quality(name))
        is_elsewhere = parent(column) not in {"", *(one[:-1] for one in self._around()), *rated}
        is_elsewhere &= last_part(column) not in _KINDS
        is_author = self._may_be_of_change(column)
        is_person = is_author or ("names" in looks and _may_name(column, summary))
        person = "rater" if is_person and self._are_raters(column) else "reviewer"
        if is_person and {"reviewer": "system"}.get(person, person) not in self._taken():
            note = f"it may name the {'author of the change' if is_author else person}"
            return _Guess(TEXT, "", note, (person,))
        if column.startswith(f"{SHEET} ("):
            return _Guess(TEXT, note="sheets are not joined; give each row its diff and ratings")
        if summary.nested:
            return _Guess(TEXT, note="lists or objects, kept as text: nothing inside is read")
        if is_elsewhere and not _is_about_quality(column):
            return _Guess(IGNORED, note="in another object than the diff and the review")
        may_be_change = "change" in roles_named(column) and _fits("change", column, summary)
        if may_be_change and "change" not in self._taken():
            return _Guess(TEXT, note="not names of changes: diffs share them or have several")
        return self._role_of_numbers(column, summary) or _role_of_others(column, summary)

    def _role_of_numbers(self, column: str, summary: ColumnSummary) -> _Guess | None:
        """Return the role of a column of words, labels or ratings, None for other columns."""
        looks, is_varied = summary.looks, summary.lowest < summary.highest
        if "words" in looks:
            return _role_of_words(column, summary)
        if "label" in looks and _is_label(column):
            return _Guess(LABEL, "", "", _as_ratings(column, summary) * _is_about_ratings(column))
        if "label" not in looks or not _is_about_ratings(column):
            return None
        scale, said = summary.scale(column), _said_to_be_rated(column)
        is_named = scale == summary.scale_named(column)
        is_usual = not {scale, reversed_scale(scale)}.isdisjoint({*SCALES} - {"0-1"})
        if (is_varied and (is_named or is_usual)) or "grades" in looks:
            note = "scale from its name or cells" if is_named else "scale guessed from its numbers"
            role = said or WORTH
            reverse = f"{role}:{reversed_scale(scale)}"
            other = [] if is_named else [reverse, *_closer_scale(role, scale, summary)]
            if not said:
                note += "; worth is assumed, since its name mentions neither worth nor relevance"
                other.insert(0, f"relevance:{scale}")
            return _Guess(RATING, scale, note, (*other,))
        if not ("number" in looks or said):
            return None
        note = f"kept as a label: its numbers are from {summary.lowest:g} to {summary.highest:g}"
        return _Guess(LABEL, scale * is_varied, note, _as_ratings(column, summary))


def _role_of_others(column: str, summary: ColumnSummary) -> _Guess:
    """Return the role of a column of text, or of numbers that are not ratings."""
    looks, is_own, note = summary.looks, _is_own(column), ""
    is_place = "ids" in looks or _speaks(column, _PLACE)
    is_figure = is_place or _speaks(column, _COUNT) or not is_own
    options = () if is_figure else _as_ratings(column, summary)
    if "number" in looks and is_own and is_place:
        return _Guess(TEXT, note="kept as text: a place, a time or an id")
    if "number" in looks:
        note = "numbers from the file, not read as ratings or labels" * is_own
        is_scale = looks & {"scale", "grades"} or summary.scale_named(column)
        scale = summary.scale(column) if summary.lowest < summary.highest else ""
        return _Guess(NUMBER, scale, note, options if is_scale else ())
    if "label" in looks and is_own:
        note = "kept as text: not all of its cells are numbers, or yes or no"
        return _Guess(TEXT, "", note, options)
    if summary.filled and (_is_about_quality(column) or (is_own and _are_verdicts(summary))):
        note = _NO_NUMBERS
    return _Guess(TEXT, note=note)


def _role_of_words(column: str, summary: ColumnSummary) -> _Guess:
    """Return the role of a column with words such as yes and no in all but a few cells."""
    note, is_right = "kept as a label: 1 for yes, 0 for no", _speaks(column, _RIGHT)
    if _speaks(column, _NOT_RIGHT):
        note += "; by its name, 0 is better"
    elif not _said_to_be_rated(column):
        is_right |= any(_speaks(str(word), _RIGHT) for word in summary.seen)
    if _speaks(column, _YES_OR_NO):
        return _Guess(LABEL, "", note, (RIGHT,) if is_right else ())
    is_varied = len(summary.seen) > 1  # unlike flags of a tool, or GitHub's side `RIGHT` of a diff
    return _Guess(LABEL, "", note, (TEXT, RIGHT)) if is_varied else _Guess(TEXT)


def _closer_scale(role: str, scale: str, summary: ColumnSummary) -> tuple[str, ...]:
    """Return a role with the usual scale that ends with the highest number, if it is another."""
    other = f"{min(*scale_ends(scale), summary.lowest):g}-{summary.highest:g}"
    return (f"{role}:{other}",) * (other != scale and other in SCALES)


def _as_ratings(column: str, summary: ColumnSummary) -> tuple[str, ...]:
    """Return the roles that turn numbers into ratings, or into a label if about correctness."""
    said, scale = _said_to_be_rated(column), summary.scale(column)
    are_words = summary.numbers == summary.words
    if not said and (are_words or _speaks(column, _RIGHT)):
        return (RIGHT if summary.words else LABEL,) * bool(summary.numbers)
    names = (said,) if said else (WORTH, "relevance")
    return tuple(f"{name}:{scale}" for name in names if not are_words)


def _speaks(column: str, words: str) -> bool:
    """Return True if a column's name contains `words`, a regular expression."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+", " ", column)
    return bool(re.search(words, spaced, re.IGNORECASE))


def _said_to_be_rated(column: str) -> str:
    """Return the ratings that a column's name mentions, a key of `RATED`; "" if it has none."""
    return next((rated for rated, words in _SAID.items() if _speaks(column, words)), "")


def _is_label(column: str) -> bool:
    is_prefixed = last_part(column).lower().startswith((LABEL_PREFIX, "human_", "outcome_"))
    return is_prefixed and RATINGS.keys().isdisjoint(roles_named(column))


def _is_about_ratings(column: str) -> bool:
    is_usual = not RATINGS.keys().isdisjoint(roles_named(column))
    return is_usual or (_is_own(column) and _speaks(column, _RATED))


def _is_own(column: str) -> bool:
    """Return True for a name that is not reserved for a column of the table."""
    return column not in _RESERVED and not holds_numbers(column)


@lru_cache(maxsize=10_000)
def _is_about_quality(column: str) -> bool:
    """Return True for a name about ratings, labels or correctness."""
    is_named = _is_about_ratings(column) or _is_label(column)
    return is_named or (_is_own(column) and _speaks(column, f"{_YES_OR_NO}|{_RIGHT}"))


def _asks_if_right(column: str, summary: ColumnSummary) -> bool:
    """Return True for a column that says whether reviews are right."""
    name = last_part(column).removeprefix(LABEL_PREFIX)
    is_named = _speaks(name, _RIGHT) and not _speaks(name, _NOT_RIGHT) and not holds_numbers(name)
    return is_named and "yes or no" in summary.looks and not is_of_rater(column)


def _may_name(column: str, summary: ColumnSummary) -> bool:
    """Return True if a column does not look like categories, verdicts, places or times."""
    is_other = _speaks(column, f"{_KIND}|{_PLACE}") or _are_verdicts(summary)
    return _is_own(column) and not is_other


def _are_verdicts(summary: ColumnSummary) -> bool:
    """Return True for repeated words, some of which say that reviews are right or worth saying."""
    words = summary.seen if "names" in summary.looks else ()
    return any(_speaks(str(word), f"{_WORTH_WORDS}|{_RIGHT}") for word in words)


def _fits(role: str, column: str, summary: ColumnSummary) -> bool:
    """Return True if the cells of a column with a usual name can hold a field or ratings."""
    looks = summary.looks
    if role in RATINGS:
        return "rating" in looks or ("ones" in looks and column in HUMAN.values())
    if role == "diff" or "diff" in looks:
        return "diff" in looks and role in {"diff", "review", "reference"}
    if role in {"system", "change"}:
        return "sentences" not in looks and summary.words < summary.filled
    return role not in {"review", "claims"} or summary.numbers < max(summary.filled, 1)


def _column_roles(
    columns: Mapping[str, ColumnSummary], roles: Mapping[str, _Guess]
) -> Iterator[ColumnRole]:
    """Yield the role of each column, with distinct names for the table's columns."""
    named = {RATED[one.role] for one in roles.values() if one.role in RATED}
    said = {name: _said_to_be_rated(name) for name, one in roles.items() if one.role == RATING}
    used: dict[str, str] = {}  # the column of each name
    for column, summary in columns.items():
        role, scale, note, alternatives = roles[column]
        label = LABEL_PREFIX + re.sub(f"(?i)^{LABEL_PREFIX}", "", last_part(column))
        is_text_only = role == TEXT and holds_numbers(column)
        kind, read_as = role, f"file_{column}" if is_text_only or column in _RESERVED else column
        if role in FIELDS:
            kind, read_as = FIELD, role
        elif role in {*RATED, RATING}:
            name = said.get(column) or WORTH
            rivals = [one for one in said if one != column and said[one] in {"", name}]
            is_open = said.get(column) == "" and bool(rivals)  # or another's name says it
            other = label if is_open or RATED[name] in {*named, *used} else RATED[name]
            kind, read_as, scale = RATING, RATED.get(role, other), scale or "1-5"
            holders = [one for one in roles if roles[one].role == name]
            holders = holders or [of for called, of in used.items() if called == RATED[name]]
            reason = f"{name} is rated in {list_columns(holders)}" * bool(holders)
            if is_open and name not in said.values():
                reason = reason or f"{list_columns(rivals)} may be {name} too"
            if read_as == label and reason:
                note = f"{reason}; to average, give all this role"
                alternatives = (f"{name}:{scale}",)
        elif role in {LABEL, RIGHT}:
            kind, read_as = LABEL, RIGHT_LABEL if role == RIGHT else label
        alike = [one for one in roles if roles[one].role == role and role in {*RATED, RIGHT}]
        if len(alike) > 1:
            note = f"one rater's; {role} is the mean of {list_columns(alike)}"
            read_as = rater_column(role, column)
        while read_as in used:
            read_as += "_2"
        used[read_as] = column
        read_as = "" if role == IGNORED else read_as
        is_prose = kind in {TEXT, IGNORED} and "prose" in summary.looks
        one = ColumnRole(column, read_as, kind, summary.filled, note, scale, [*alternatives],
                         summary.examples, is_prose)  # fmt: skip
        are_words = note == _NO_NUMBERS and (not is_prose or len(summary.seen) < one.filled)
        if one.is_numeric or are_words or role == "reply":
            ends = (0, 0) if role == "reply" else one.ends
            n_read = summary.within(*ends) if ends else summary.numbers
            one = one._replace(lost=one.filled - n_read)
        yield one._replace(note="; ".join(filter(None, (note, *_remarks(one, summary)))))


def _remarks(role: ColumnRole, summary: ColumnSummary) -> Iterator[str]:
    """Yield remarks on replies, a new name, a scale, and cells that are not read as numbers."""
    if role.role == "reply":
        yield f"left out, since replies are not reviews: {counted(role.lost, 'row')}"
    if role.kind in {NUMBER, TEXT} and role.column != role.read_as:
        yield "renamed: the name is reserved"
    if role.is_prose and not role.note:
        yield "kept as text, not scored; if it has reviews, give a row per review"
    what = "yes or no" if summary.numbers == summary.words else "a number"
    if role.ends:
        what = "a rating from {:g} to {:g}".format(*role.ends)
        if role.scale != "1-5":
            converted = "from {:g} to {:g}, converted to ratings from 1 to 5"
            yield converted.format(*scale_ends(role.scale))
    if role.lost and role.is_numeric:
        places = summary.places_outside(role.ends)
        where = f" in {', '.join(places)}" * bool(places)
        if n_more := role.lost - len(places):
            where += f" and {n_more:,} more, which have no {role.read_as} in the run"
        yield f"{counted(role.lost, 'cell')} left blank{where}: not {what}"
