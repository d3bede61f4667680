"""Parquet -> rows, by way of a child: damaged files can abort the process that reads them."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO, cast

from analyzers.process import Limits
from crscore_core.corpus.reading.cells import cell_of, column_names
from crscore_core.corpus.reading.table import (
    LARGEST_FILE,
    LONGEST_LINE,
    OpenedRows,
    Row,
    Table,
    TableRow,
    UnreadableRow,
    table_of,
)
from crscore_core.corpus.reading.text import cut_lines
from crscore_core.errors import CorpusError
from crscore_core.text import visible_text

__all__ = ["PARQUET", "opened_parquet", "read_parquet"]

PARQUET = b"PAR1"
"""How the content of a Parquet file begins."""

_CHILD = Path(__file__).with_name("parquet_child.py")
_MEMORY = 3 * 1024**3
_OF_A_TABLE = Limits(seconds=60.0, memory_bytes=_MEMORY, output_bytes=LARGEST_FILE)
_OF_A_STREAM = Limits(threading.TIMEOUT_MAX, memory_bytes=_MEMORY, output_bytes=sys.maxsize)
_SAID = 4_096
"""How much of what a child said last is looked at, in bytes."""


def read_parquet(content: bytes, limits: Limits = _OF_A_TABLE) -> Table:
    """Read all columns; rows with text that is not UTF-8 are set aside.

    Raises:
        CorpusError: the file is damaged, too large once unpacked, has too many rows or columns,
            or no row can be read.
    """
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(content)
        file.flush()
        with opened_parquet(Path(file.name), limits) as opened:
            return table_of(opened)


@contextmanager
def opened_parquet(path: Path, limits: Limits = _OF_A_STREAM) -> Iterator[OpenedRows]:
    """The rows of a file, which a child reads that is gone afterwards.

    The child sees none of our environment. `limits` hold for it: its time, its memory, and how
    much it prints, in characters.

    Raises:
        CorpusError: what was read of the file is damaged, or beyond the limits; or the file has
            too many columns.
    """
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603 - a program of ours, and no shell
            [sys.executable, "-I", str(_CHILD), str(path.resolve()), str(limits.memory_bytes or 0)],
            env={"PATH": os.defpath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            encoding="utf-8",
        ) as child,
    ):
        clock = threading.Timer(limits.seconds, _kill_group, [child])
        clock.daemon = True
        clock.start()
        try:
            yield _opened(_lines(child, limits, clock, errors))
        finally:
            clock.cancel()
            clock.join()
            _kill_group(child)


def _opened(lines: Iterator[str]) -> OpenedRows:
    header = next(lines)
    if len(header) > LONGEST_LINE:
        raise CorpusError("the names of its columns are too long")
    described = json.loads(header)
    names = column_names(described["columns"])
    return OpenedRows(names, _rows(lines, names), described["rows"])


def _rows(lines: Iterator[str], names: tuple[str, ...]) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            reason = f"it is longer than the limit of {LONGEST_LINE:,} characters"
            yield UnreadableRow.of(number, reason, line)
            continue
        try:
            values = json.loads(line)
            if isinstance(values, str):
                yield UnreadableRow.of(number, "it is not UTF-8", values)
                continue
            cells = {name: cell_of(value) for name, value in zip(names, values, strict=True)}
        except RecursionError:
            yield UnreadableRow.of(number, "it is nested too deeply", line.rstrip("\n"))
        else:
            yield TableRow(number, cells)


def _lines(
    child: subprocess.Popen[str], limits: Limits, clock: threading.Timer, errors: IO[bytes]
) -> Iterator[str]:
    """What the child prints; an error where it does not come to its end."""
    printed = 0
    output = cast("TextIO", child.stdout)
    for line in cut_lines(output):
        if not line.endswith("\n") and len(line) <= LONGEST_LINE:
            break  # it died within the line
        printed += len(line)
        if printed > limits.output_bytes:
            raise CorpusError(
                f"it is larger unpacked than the limit of {limits.output_bytes:,} bytes; give only "
                "the columns needed, or split it into several files"
            )
        yield line
    # Dead, it stays in the process table, so that its group cannot have become somebody else's
    # when it is killed.
    ended = cast("os.waitid_result", os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT))
    if clock.finished.is_set():
        raise CorpusError(
            f"it could not be read within {limits.seconds:.0f} seconds; give only the columns "
            "needed, or split it into several files"
        )
    if ended.si_status:
        raise CorpusError(
            f"its Parquet data cannot be read ({_reason(ended, errors)}); write it again, or "
            "give CSV"
        )


def _reason(ended: os.waitid_result, errors: IO[bytes]) -> str:
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - _SAID))
    said = errors.read().decode(errors="replace").strip().split("\n")[-1]
    status = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    return visible_text(said)[:200] or f"reading it ended with status {status}"


def _kill_group(child: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
