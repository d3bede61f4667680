"""Saved runs: comparisons of a corpus kept on disk, and what differs between two of them."""

from crscore_core.corpus.runs.compare import (
    AgreementChange,
    DimensionChange,
    RunComparison,
    compare_runs,
)
from crscore_core.corpus.runs.document import run_document
from crscore_core.corpus.runs.info import LONGEST_NAME, RunInfo
from crscore_core.corpus.runs.location import runs_folder
from crscore_core.corpus.runs.store import RunStore

__all__ = [
    "LONGEST_NAME",
    "AgreementChange",
    "DimensionChange",
    "RunComparison",
    "RunInfo",
    "RunStore",
    "compare_runs",
    "run_document",
    "runs_folder",
]
