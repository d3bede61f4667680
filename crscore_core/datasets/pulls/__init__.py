"""Turn review comments on pull requests into corpus rows, with outcomes as weak labels."""

from crscore_core.datasets.pulls.fetch import PullProgress, Wanted, fetch_pulls
from crscore_core.datasets.pulls.reference import (
    PULL_ADDRESSES,
    PullReference,
    read_reference,
    token_for,
)
from crscore_core.datasets.pulls.rows import (
    OUTCOMES,
    PullRows,
    corpus_text,
    read_rows,
    rows_of_pulls,
)

__all__ = [
    "OUTCOMES",
    "PULL_ADDRESSES",
    "PullProgress",
    "PullReference",
    "PullRows",
    "Wanted",
    "corpus_text",
    "fetch_pulls",
    "read_reference",
    "read_rows",
    "rows_of_pulls",
    "token_for",
]
