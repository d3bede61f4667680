"""JSON Lines -> rows."""

import json
from collections.abc import Iterator
from typing import TextIO

from crscore_core.corpus.reading.cells import cell_of
from crscore_core.corpus.reading.table import (
    LONGEST_LINE,
    Cell,
    OpenedRows,
    Row,
    TableRow,
    UnreadableRow,
    check_columns,
)
from crscore_core.corpus.reading.text import cut_lines
from crscore_core.errors import CorpusError
from crscore_core.text import whole_text

__all__ = ["json_line_rows"]


def json_line_rows(text: TextIO) -> OpenedRows:
    """Read one object a line; blank lines are skipped.

    Raises:
        CorpusError: it is one list over several lines.
    """
    _refuse_one_list(text)
    text.seek(0)
    return OpenedRows((), _rows(text))


def _refuse_one_list(text: TextIO) -> None:
    filled = (stripped for line in cut_lines(text) if (stripped := line.strip()))
    first = next(filled, "")
    if first.startswith("[") and not first.endswith("]") and any(filled):
        raise CorpusError(
            "it is one JSON list; give JSON Lines, one object a line (`jq -c '.[]'` makes them)"
        )


def _rows(text: TextIO) -> Iterator[Row]:
    for number, line in enumerate(cut_lines(text), start=1):
        content = line.encode("utf-8", "surrogateescape")
        if not content.strip():
            continue
        try:
            yield TableRow(number, _cells(content))
        except CorpusError as error:
            yield UnreadableRow.of(number, str(error), line.rstrip("\r\n"))


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
    check_columns(fields)
    try:
        return {whole_text(key): cell_of(value) for key, value in fields.items()}
    except RecursionError as error:
        raise CorpusError("it is nested too deeply") from error
