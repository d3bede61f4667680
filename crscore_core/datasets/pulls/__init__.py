"""Turn review comments on pull requests into corpus rows, with outcomes as weak labels."""

from crscore_core.datasets.pulls.fetch import (
    PULL_ADDRESSES,
    PullProgress,
    PullReference,
    Wanted,
    fetch_pulls,
    read_reference,
    token_for,
)
from crscore_core.datasets.pulls.rows import (
    OUTCOMES,
    PullRows,
    corpus_ending,
    corpus_text,
    rows_of_pulls,
    write_corpus,
)
from crscore_core.datasets.pulls.shapes import PullFacts, add_saved, read_saved

__all__ = [
    "OUTCOMES",
    "PULL_ADDRESSES",
    "PullFacts",
    "PullProgress",
    "PullReference",
    "PullRows",
    "Wanted",
    "add_saved",
    "corpus_ending",
    "corpus_text",
    "fetch_pulls",
    "read_reference",
    "read_saved",
    "rows_of_pulls",
    "token_for",
    "write_corpus",
]
