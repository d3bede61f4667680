"""Rows of Parquet, read by a child process: damaged files can abort the process that reads them."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TextIO, cast

from crscore_core.corpus.reading.table import (
    LONGEST_LINE,
    OpenedRows,
    RejectedRow,
    Row,
    TableRow,
    cell_of,
    column_names,
)
from crscore_core.corpus.reading.text_rows import cut_lines
from crscore_core.errors import InputError
from crscore_core.text import visible_text

_CHILD = Path(__file__).with_name("parquet_child.py")
MEMORY = 3 * 1024**3
"""Limit of the child's address space, in bytes."""

ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
"""All that a child sees of the environment."""

_OF_A_PART = "reference_maxima"
_MOST_SAID = 4_096
"""Bytes at the end of the child's standard error in which its last words are looked for."""


def checked_parquet(paths: Sequence[Path]) -> Iterator[str]:
    """Read files whole, within the limits of a child, and yield the SHA-256 of each.

    Raises:
        InputError: the next file is damaged, or its table is too large.
    """
    with _printed("check", *paths) as lines:
        yield from map(json.loads, lines)


@contextmanager
def opened_parquet(path: Path, seconds: float = threading.TIMEOUT_MAX) -> Iterator[OpenedRows]:
    """The rows of a file; the child that reads them ends with the context.

    `seconds` bound its time, `MEMORY` its memory. Rows with text that is not UTF-8 cannot be read.

    Raises:
        InputError: the part read so far is damaged or beyond the limits, the file has too many
            columns, or is a part of a run.
    """
    with _printed("rows", path, seconds=seconds) as lines:
        header = next(lines)
        if len(header) > LONGEST_LINE:
            raise InputError("the names of its columns are too long")
        described = json.loads(header)
        names = column_names(described["columns"])
        if _OF_A_PART in names and "diff" not in names:
            raise InputError(
                "it is one part of a run, without its changes; give commands the run's folder, "
                "or the file that `crscore export RUN -o FILE.parquet` makes of it"
            )
        yield OpenedRows(names, _rows(lines, names), described["rows"])


@contextmanager
def _printed(
    what: str, *paths: Path, seconds: float = threading.TIMEOUT_MAX
) -> Iterator[Iterator[str]]:
    """The lines that a child prints about files; it sees none of our environment."""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603 - a program of ours, and no shell
            [sys.executable, "-I", str(_CHILD), str(MEMORY), what, *map(os.path.abspath, paths)],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            encoding="utf-8",
        ) as child,
    ):
        clock = threading.Timer(seconds, kill_group, [child])
        clock.daemon = True
        clock.start()
        try:
            yield _printed_lines(child, clock, errors)
        finally:
            clock.cancel()
            clock.join()
            kill_group(child)


def _rows(lines: Iterator[str], names: tuple[str, ...]) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            reason = f"it is longer than the limit of {LONGEST_LINE:,} characters"
            yield RejectedRow.of(number, reason, line)
            continue
        try:
            values = json.loads(line)
            if isinstance(values, str):
                yield RejectedRow.of(number, "it is not UTF-8", values)
                continue
            cells = {name: cell_of(value) for name, value in zip(names, values, strict=True)}
        except RecursionError:
            yield RejectedRow.of(number, "it is nested too deeply", line.rstrip("\n"))
        else:
            yield TableRow(number, cells)


def _printed_lines(
    child: subprocess.Popen[str], clock: threading.Timer, errors: IO[bytes]
) -> Iterator[str]:
    """The lines that the child prints; raises an error unless it comes to its end."""
    for line in cut_lines(cast("TextIO", child.stdout)):
        if not line.endswith("\n") and len(line) <= LONGEST_LINE:
            break  # the child died within the line
        yield line
    status = child.wait()
    if clock.finished.is_set():
        raise InputError(
            f"it could not be read within {clock.interval:.0f} seconds; give only the columns "
            "needed, or split it into several files"
        )
    if status:
        raise InputError(
            f"its Parquet data cannot be read ({_reason(status, errors)}); write it again, or "
            "give CSV"
        )


def _reason(status: int, errors: IO[bytes]) -> str:
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - _MOST_SAID))
    said = errors.read().decode(errors="replace").strip().split("\n")[-1]
    return visible_text(said)[:200] or f"reading it ended with status {status}"


def kill_group(child: "subprocess.Popen[Any]") -> None:
    """End a child that leads its own group, and its children."""
    if child.returncode is None:  # else another group may have its number
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
