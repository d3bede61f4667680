"""Runs: a file or table of reviews is scored, in memory or into a folder that survives a kill."""

from crscore_eval.run.batch import Progress, run_batch, score_file
from crscore_eval.run.folder import (
    list_runs,
    open_run,
    part_numbers,
    read_part,
    read_settings,
    write_part,
    write_settings,
)
from crscore_eval.run.scoring import Settings, make_tools, score_part, score_table

__all__ = [
    "Progress",
    "Settings",
    "list_runs",
    "make_tools",
    "open_run",
    "part_numbers",
    "read_part",
    "read_settings",
    "run_batch",
    "score_file",
    "score_part",
    "score_table",
    "write_part",
    "write_settings",
]
