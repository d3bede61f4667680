"""First rows of an upload, read by a child process: a server's sessions share its processor."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from crscore_core.corpus.reading.parquet import ENVIRONMENT, kill_group
from crscore_core.corpus.reading.table import RejectedRow, Row, TableRow
from crscore_core.errors import InputError
from crscore_core.text import whole_text

_ROOT = Path(__file__).parents[3]
_START = f"import sys; sys.path[:0] = [{str(_ROOT)!r}]; from {__name__}_child import main; main()"
SECONDS_TO_START = 10
"""Time that a child gets in addition to that for reading."""

_MOST_CHARACTERS = 4_000_000
"""Limit of the rows together: the server reads their changes to show what is understood."""


def first_rows(
    content: bytes, name: str, most: int, seconds: float
) -> tuple[tuple[str, ...], Sequence[Row]]:
    """Return the columns that a file names, and its first `most` rows, or as many as are shown.

    Raises:
        InputError: the file is damaged up to there, its first row is too large, or reading takes
            longer than `seconds` or more than `MEMORY`.
    """
    limits = map(str, (most, _MOST_CHARACTERS, int(seconds)))
    command = [sys.executable, "-I", "-c", _START, whole_text(name.replace("\0", "")), *limits]
    with subprocess.Popen(  # noqa: S603 - a program of ours, and no shell
        command,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as child:
        try:
            printed, _ = child.communicate(content, seconds + SECONDS_TO_START)
        except subprocess.TimeoutExpired:
            printed = b""
        finally:
            kill_group(child)
    if child.returncode or not printed:
        raise InputError(
            f"file {name[:80]!r}: its first rows take too long to read, or too much memory; split "
            "it into several files, or give JSON Lines"
        )
    columns, *rows = map(json.loads, printed.splitlines())
    if isinstance(columns, str):
        raise InputError(columns)
    return tuple(columns), [RejectedRow(*row) if len(row) == 3 else TableRow(*row) for row in rows]
