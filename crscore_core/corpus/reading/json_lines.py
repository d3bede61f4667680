"""JSON Lines -> a table."""

import io
import json

from crscore_core.corpus.reading.cells import cell_of
from crscore_core.corpus.reading.table import LONGEST_LINE, Cell, Table, TableUnderWay
from crscore_core.errors import CorpusError
from crscore_core.unicode import whole_text

__all__ = ["read_json_lines"]


def read_json_lines(content: bytes) -> Table:
    """Read one object a line; blank lines are skipped, and a column is any of their keys.

    Raises:
        CorpusError: there are too many rows or columns, or none can be read.
    """
    if _is_one_list(content):
        raise CorpusError(
            "it is one JSON list; give JSON Lines, one object a line (`jq -c '.[]'` makes them)"
        )
    table = TableUnderWay()
    for number, line in enumerate(io.BytesIO(content), start=1):
        if not line.strip():
            continue
        try:
            cells = _cells(line)
        except CorpusError as error:
            table.reject(number, str(error), line[:400].decode("utf-8", "replace"))
        else:
            table.add_columns(cells)
            table.add_row(number, cells)
    return table.table()


def _is_one_list(content: bytes) -> bool:
    """Whether a list goes over several lines."""
    first, _, rest = content.lstrip().partition(b"\n")
    return first.startswith(b"[") and not first.rstrip().endswith(b"]") and bool(rest.strip())


def _cells(line: bytes) -> dict[str, Cell]:
    if len(line) > LONGEST_LINE:
        raise CorpusError(f"it is longer than the limit of {LONGEST_LINE:,} bytes for a line")
    try:
        fields = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise CorpusError(f"it is not UTF-8: byte {error.start + 1} of the line") from error
    except RecursionError as error:
        raise CorpusError("it is nested too deeply") from error
    except ValueError as error:
        raise CorpusError(f"it is no valid JSON: {error}") from error
    if not isinstance(fields, dict):
        raise CorpusError("it is no JSON object, `{...}` with a value for each column")
    try:
        return {whole_text(key): cell_of(value) for key, value in fields.items()}
    except RecursionError as error:
        raise CorpusError("it is nested too deeply") from error
