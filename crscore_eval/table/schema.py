"""The tables of reviews and of their changes, with which everything above scoring works."""

import re
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

DIMENSIONS = ("conciseness", "comprehensiveness", "relevance")
"""Dimensions that the metric measures and people rate (paper, section 3.3)."""

SCORES = (*DIMENSIONS, "no_threshold")
"""Columns of scores, each from 0 to 1."""

HUMAN = {dimension: f"human_{dimension}" for dimension in DIMENSIONS}
"""Column of people's ratings, from 1 to 5, for each dimension."""

LABEL_PREFIX, JUDGE_PREFIX, METRIC_PREFIX = "label_", "judge_", "metric_"
"""Prefixes of columns with numbers given by people, by a judge, and by another metric."""

GIVEN_HERE = "_given_here"
"""Suffix of labels with answers given in the app if the file has ratings of the same name."""

_OF_RATER = re.compile(rf"label_({'|'.join(DIMENSIONS)}|worth|right)({GIVEN_HERE})?:")

EXPORT_ONLY = frozenset({"encoder", "claims_by"})
"""Columns, apart from `signature`, that only files written by `export_frame` have."""

UNNAMED = "unnamed"
"""Name of the system for reviews without a system."""

_TEXT, _TEXTS, _NUMBER = pa.string(), pa.list_(pa.string()), pa.float64()
_COSINES = pa.list_(pa.float32())
_NULLABLE = {*SCORES, "left_out", "path", "line", "version"}


def _schema(columns: Mapping[str, pa.DataType]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, name in _NULLABLE) for name, kind in columns.items()])


_REFERENCE = _schema(
    dict.fromkeys(("text", "kind", "source", "path"), _TEXT)
    | {"line": pa.int64(), "wordings": _TEXTS}
)
_ANALYZER_USE = _schema(
    dict.fromkeys(("name", "version"), _TEXT)
    | dict.fromkeys(("changes", "files", "complete", "not_analysed"), pa.int32())
)

REVIEW_COLUMNS: Mapping[str, pa.DataType] = {
    "row": pa.int64(),  # number of the row in the file, from 1
    "id": _TEXT,  # name of the review, unique in the run
    "change": _TEXT,  # key into the table of changes
    "system": _TEXT,  # who or what wrote the review
    "language": _TEXT,  # programming language of the change, empty if unknown
    "review": _TEXT,
    "conciseness": _NUMBER,  # share of the sentences that are on topic, at tau (equation 1)
    "comprehensiveness": _NUMBER,  # share of the pseudo-references that are covered (equation 2)
    "relevance": _NUMBER,  # harmonic mean of conciseness and comprehensiveness (equation 3)
    "no_threshold": _NUMBER,  # relevance without a threshold, from mean best similarities
    "tau": _NUMBER,  # threshold of the scores in this row
    "n_pseudo_references": pa.int32(),  # rows of the similarity matrix
    "n_sentences": pa.int32(),  # columns of the similarity matrix
    "warnings": _TEXTS,  # what a reader should know about the score
    "sentences": _TEXTS,
    "similarity": _COSINES,  # row-major, n_pseudo_references x n_sentences
    "sentence_maxima": _COSINES,  # best similarity of each sentence
    "reference_maxima": _COSINES,  # best similarity of each pseudo-reference
}
"""Columns that every table of reviews has, with their types. Missing scores are NaN.

A table may also have `reference` (text of a reference review), the columns of `HUMAN`, columns of
numbers named `label_*`, `judge_NAME_ANSWER` and `metric_NAME`, answers of single raters (see
`rater_column`), and other columns of the file.
"""

CHANGE_SCHEMA = _schema(
    {
        "change": _TEXT,  # key, unique in the run
        "title": _TEXT,  # display name of the change, may be empty
        "language": _TEXT,  # programming language, empty if unknown
        "diff": _TEXT,  # unified diff, empty if the file has none
        "references": pa.list_(pa.struct(_REFERENCE)),  # pseudo-references
        "warnings": _TEXTS,  # what a reader should know about the pseudo-references
        "left_out": _TEXT,  # why the change cannot be scored; null if it can
        "analyzers": pa.list_(pa.struct(_ANALYZER_USE)),  # what each analyzer did
    }
)
"""Arrow schema of the table of changes."""

EXPORTED = {*REVIEW_COLUMNS, *CHANGE_SCHEMA.names, *EXPORT_ONLY, "signature"}
"""Columns that exported files have, apart from columns of the scored file."""

GROUND_TRUTH = "msg"
"""Name of the "system" with the reviews that the original reviewers wrote."""


def is_by_system(reviews: pd.DataFrame) -> NDArray[np.bool_]:
    """Mark the reviews that a system wrote, (n,); no system wrote reference reviews."""
    return np.asarray(reviews["system"] != GROUND_TRUTH)


def review_schema(extra: Iterable[pa.Field] = ()) -> pa.Schema:
    """Return the Arrow schema of a table of reviews with the fields of its extra columns."""
    return pa.schema([*_schema(REVIEW_COLUMNS), *extra])


def from_arrow(table: pa.Table) -> pd.DataFrame:
    """Return an Arrow table as a DataFrame; lists stay Arrow lists, which need less memory."""
    frame: pd.DataFrame = table.to_pandas(
        types_mapper=lambda kind: pd.ArrowDtype(kind) if pa.types.is_list(kind) else None
    )
    return frame


def extra_columns(reviews: pd.DataFrame) -> list[str]:
    """Return the columns that are not in `REVIEW_COLUMNS`."""
    return [name for name in reviews.columns if name not in REVIEW_COLUMNS]


def descriptive_columns(reviews: pd.DataFrame) -> list[str]:
    """Return the columns of labels and the file's other columns, without ratings and metrics."""
    ratings_and_reference = {*HUMAN.values(), "reference"}
    names = (name for name in extra_columns(reviews) if name not in ratings_and_reference)
    return [name for name in names if not name.startswith((JUDGE_PREFIX, METRIC_PREFIX))]


def rater_column(question: str, rater: str) -> str:
    """Return the column of one rater's answers to a question, such as `label_worth:ann`.

    It is neither a label nor a measure; the mean over raters is.
    """
    return f"{LABEL_PREFIX}{question}:{rater}"


def is_of_rater(column: str) -> bool:
    """Return True for a column that `rater_column` names."""
    return bool(_OF_RATER.match(column))


def label_columns(reviews: pd.DataFrame) -> list[str]:
    """Return the columns of labels."""
    names = (name for name in reviews.columns if name.startswith(LABEL_PREFIX))
    return [name for name in names if not is_of_rater(name)]


def judge_columns(reviews: pd.DataFrame) -> list[str]:
    """Return the columns of judges."""
    return [name for name in reviews.columns if name.startswith(JUDGE_PREFIX)]


def holds_numbers(column: str) -> bool:
    """Return True for columns of ratings, labels, metrics and the figures of a judge."""
    if column.startswith(JUDGE_PREFIX):
        return not column.endswith(("_findings", "_reason", "_model"))
    return column.startswith((LABEL_PREFIX, METRIC_PREFIX)) or column in HUMAN.values()


def split_judge_column(column: str) -> tuple[str, str]:
    """Return the name and the answer of a column `judge_NAME_ANSWER`; the name may be empty."""
    name, _, answer = column.removeprefix(JUDGE_PREFIX).rpartition("_")
    return name, answer
