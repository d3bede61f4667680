"""Columns of a table and the parts of a review that they hold."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.errors import InputError


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a review that a column may hold: name, meaning for people, usual column names.

    `usual_names` are in lower case without blanks and underscores; the first that a table has
    counts.
    """

    name: str
    meaning: str
    usual_names: tuple[str, ...]
    is_required: bool = False


def _rating(name: str, meaning: str, *more: str) -> Field:
    usual = (f"human{name}", f"{name}rating", name, *more)
    return Field(name, f"{meaning}, as people rated it from 1 to 5", usual)


FIELDS = (
    Field(
        "id",
        "what tells the review from others",
        ("id", "reviewid", "commentid", "idx", "index"),
    ),
    Field(
        "diff",
        "the change, as a unified diff or its hunks",
        ("diff", "patch", "codechange", "codediff", "codepatch", "unifieddiff", "diffhunk",
         "change", "hunk"),
        is_required=True,
    ),
    Field(
        "review",
        "the text of the review",
        ("review", "reviewtext", "reviewcomment", "comment", "prediction", "pred", "generated",
         "generatedreview", "generatedcomment", "generation", "hypothesis", "candidate", "output",
         "body", "msg", "message"),
        is_required=True,
    ),
    Field(
        "system",
        "who or what wrote the review",
        ("system", "systemname", "model", "modelname", "reviewer", "tool"),
    ),
    Field(
        "language",
        "the programming language of the change",
        ("language", "lang", "programminglanguage", "codelanguage"),
    ),
    Field(
        "reference",
        "a reference review of the change, to be one more review of it",
        ("reference", "referencereview", "groundtruth", "gold", "goldreview", "target", "msg"),
    ),
    Field(
        "claims",
        "claims about the change: a list, or one a line",
        ("claims", "givenclaims"),
    ),
    Field(
        "new_file",
        "the whole file after the change, where it changes one",
        ("newfile", "newf", "fileafter"),
    ),
    Field(
        "old_file",
        "the whole file before the change, where it changes one",
        ("oldfile", "oldf", "filebefore"),
    ),
    Field(
        "change",
        "what tells the change from others",
        ("changeid", "changename", "change"),
    ),
    Field(
        "title",
        "a title of the change, for people",
        ("title", "changetitle", "pullrequesttitle"),
    ),
    _rating("conciseness", "how little in the review is beside the point"),
    _rating("comprehensiveness", "how much of what matters the review says"),
    _rating("relevance", "how good the review is", "humanrating", "rating", "humanscore", "score"),
)  # fmt: skip
"""Every field, in the order of a form."""


_LABEL, _OUTCOME = "label_", "outcome_"

JUDGED = ("right", "wrong", "worth", "relevance")
"""Figures of a judge, whose columns start with its name: the share of findings that are right, the
number of wrong ones, and two grades from 1 to 5."""

_JUDGED = re.compile(rf"(judge(?:_[a-z0-9_]+)??)_({'|'.join(JUDGED)})")

_EXPORTED = {"encoder", "claimsby"}
_OF_PULL_REQUESTS = {"extent", "url", "pull"}

_USUAL_NAMES = frozenset(name for field in FIELDS for name in field.usual_names)


ColumnMapping = Mapping[str, str]
"""The column that holds each of some fields, by the field's name."""


def check_mapping(mapping: ColumnMapping, columns: Collection[str]) -> None:
    """Check that a mapping fits a table of these columns.

    Raises:
        InputError: a required field has no column, a column is missing, or serves twice.
    """
    taken: dict[str, str] = {}
    for field in FIELDS:
        column = mapping.get(field.name)
        if column is None:
            if field.is_required:
                raise InputError(f"no column holds the {field.name}; choose the one that does")
            continue
        if column not in columns:
            raise InputError(f"there is no column {column[:80]!r} for {field.name}")
        if column in taken:
            raise InputError(
                f"the column {column[:80]!r} cannot be both {taken[column]} and {field.name}"
            )
        taken[column] = field.name


def guess_mapping(columns: Sequence[str]) -> dict[str, str]:
    """Map columns by their names: ours, those of CodeReviewer, and other usual ones.

    Case, blanks, underscores and hyphens do not matter. CodeReviewer's `msg` is the review where
    no other column is, else the reference. A column is used at most once. Scores of the metric in
    a file that this program exported are nobody's ratings.
    """
    free: dict[str, str] = {}
    for column in columns:
        free.setdefault(_squeezed(column), column)
    if free.keys() >= _EXPORTED:
        free = {name: column for name, column in free.items() if name not in DIMENSIONS}
    columns_of: dict[str, str] = {}
    for field in FIELDS:
        usual = next((name for name in field.usual_names if name in free), None)
        if usual is not None:
            columns_of[field.name] = free.pop(usual)
    return columns_of


def unread_ratings(
    columns: Sequence[str], chosen: ColumnMapping, labels: Collection[str] = ()
) -> list[str]:
    """Return the columns that are called like a rating while another one holds that rating."""
    free = [column for column in columns if column not in {*chosen.values(), *labels}]
    read = {**guess_mapping(free), **chosen}
    left = guess_mapping([column for column in free if column not in read.values()])
    return [left[name] for name in DIMENSIONS if name in left]


def is_own(columns: Collection[str]) -> bool:
    """Return True for the columns of a file of reviews that this program wrote."""
    names = set(map(_squeezed, columns))
    return names >= _EXPORTED or names >= _OF_PULL_REQUESTS


def label_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns whose names begin with `label_` or `outcome_`, or are a judge's."""
    return tuple(
        column
        for column in columns
        if column.lower().startswith((_LABEL, _OUTCOME)) or judge_figure(column)
    )


def judge_figure(name: str) -> tuple[str, str] | None:
    """Return the judge and the figure, one of `JUDGED`, of such a label; None for any other."""
    found = _JUDGED.fullmatch(name)
    return (found[1], found[2]) if found else None


def label_name(column: str) -> str:
    """Return the name of the label in a column: that of the column without `label_`."""
    is_marked = column.lower().startswith(_LABEL) and column.lower() != _LABEL
    return column[len(_LABEL) :] if is_marked else column


def label_column(name: str) -> str:
    """Return the column that holds a label in our own tables; `label_name` of it is the name."""
    has_own = name.lower().startswith(_OUTCOME) or judge_figure(name)
    return name if has_own else f"{_LABEL}{name}"


def label_remark(name: str) -> str:
    """Return what to keep in mind about a label of an outcome; empty for labels of people."""
    if not name.lower().startswith(_OUTCOME):
        return ""
    return (
        "An outcome is a weak label: what becomes of a review hangs on habit and haste as much as "
        "on the review."
    )


def check_labels(labels: Collection[str], columns: Collection[str]) -> None:
    """Check that a table has the columns of labels, and that no two of them hold the same label.

    Raises:
        InputError: a column is missing, or two hold the same label.
    """
    taken: dict[str, str] = {}
    for column in labels:
        if column not in columns:
            raise InputError(
                f"there is no column {column[:80]!r} for a label; its columns are: "
                f"{', '.join(columns)[:500]}"
            )
        other = taken.setdefault(label_name(column), column)
        if other != column:
            raise InputError(
                f"the columns {other[:80]!r} and {column[:80]!r} are both the label "
                f"{label_name(column)[:80]!r}; name the one that counts"
            )


def without_labels(mapping: ColumnMapping, labels: Collection[str]) -> dict[str, str]:
    """Return the mapping without the fields whose columns are labels."""
    return {name: column for name, column in mapping.items() if column not in labels}


def is_usual(column: str) -> bool:
    """Return True if some field has this usual name, or the name is that of a label."""
    return _squeezed(column) in _USUAL_NAMES or bool(label_columns((column,)))


def _squeezed(column: str) -> str:
    return "".join(character for character in column.lower() if character not in " \t_-.")
