"""Parquet -> a table, by way of a child: damaged files can abort the process that reads them."""

import json
import sys
import tempfile
from pathlib import Path

from analyzers.process import Completed, Limits, run
from crscore_core.corpus.reading.cells import cell_of, column_names
from crscore_core.corpus.reading.table import LARGEST_FILE, Table, TableUnderWay
from crscore_core.errors import CorpusError
from crscore_core.unicode import visible_text

__all__ = ["PARQUET", "read_parquet"]

PARQUET = b"PAR1"
"""How the content of a Parquet file begins."""

_CHILD = Path(__file__).with_name("parquet_child.py")
_FILE = "table.parquet"
_LIMITS = Limits(seconds=60.0, memory_bytes=3 * 1024**3, output_bytes=LARGEST_FILE)


def read_parquet(content: bytes, limits: Limits = _LIMITS) -> Table:
    """Read all columns; rows with text that is not UTF-8 are set aside.

    Raises:
        CorpusError: the file is damaged, too large once unpacked, has too many rows or columns,
            or no row can be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / _FILE).write_bytes(content)
        child = run([sys.executable, "-I", str(_CHILD), _FILE], Path(folder), limits)
    if not child.success:
        raise _error(child, limits)
    try:
        return _table(child.stdout.split("\n")[:-1])
    except RecursionError as error:
        raise CorpusError(
            "its values are nested too deeply; give only the columns needed"
        ) from error


def _table(lines: list[str]) -> Table:
    names = column_names(json.loads(lines[0]))
    table = TableUnderWay()
    table.add_columns(dict.fromkeys(names))
    for number, line in enumerate(lines[1:], start=1):
        values = json.loads(line)
        if values is None:
            table.reject(number, "it is not UTF-8", "")
        else:
            cells = {name: cell_of(value) for name, value in zip(names, values, strict=True)}
            table.add_row(number, cells)
    return table.table()


def _error(child: Completed, limits: Limits) -> CorpusError:
    if child.truncated:
        return CorpusError(
            f"it is larger unpacked than the limit of {limits.output_bytes:,} bytes; give only "
            "the columns needed, or split it into several files"
        )
    if child.timed_out:
        return CorpusError(
            f"it could not be read within {limits.seconds:.0f} seconds; give only the columns "
            "needed, or split it into several files"
        )
    said = (child.error or child.stderr).strip().split("\n")[-1]
    reason = visible_text(said)[:200] or f"reading it ended with status {child.returncode}"
    return CorpusError(f"its Parquet data cannot be read ({reason}); write it again, or give CSV")
