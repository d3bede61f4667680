"""Rows of text files of any size: JSON Lines, CSV and its relatives."""

import csv
import io
import json
import string
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import BinaryIO, TextIO

from crscore_core.corpus.reading.mapping import is_own
from crscore_core.corpus.reading.table import (
    LARGEST_FILE,
    LONGEST_LINE,
    MOST_CELLS,
    Cell,
    OpenedRows,
    RejectedRow,
    Row,
    TableRow,
    cell_of,
    check_columns,
    column_names,
)
from crscore_core.errors import InputError
from crscore_core.text import SURROGATE, encoding_of, text_of_cell, whole_text

_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_DELIMITED_ENDINGS = (".csv", ".tsv", ".tab")
_DELIMITERS = ",\t;|"
_MARK = 4
_MOST_VALUES = 3 * MOST_CELLS
_CHUNK = 65_536


@contextmanager
def opened_text_rows(file: BinaryIO, name: str) -> Iterator[OpenedRows]:
    """The rows of JSON Lines, of a JSON document or of CSV.

    The ending of `name` decides where the content does not. Text is UTF-8, or UTF-16 with a byte
    order mark.

    Raises:
        InputError: the file is empty, without a header, or not the UTF-16 that its mark announces.
    """
    ending = name.lower().removesuffix(".gz")
    with _opened_text(file, "\n") as text:
        filled = (line for raw in cut_lines(text) if (line := raw.strip(string.whitespace)))
        first = next(filled, "")
        if not first:
            raise InputError("it is empty; give JSON Lines, CSV or Parquet with one row a review")
        looks_like_json = first.startswith(("{", "["))
        is_json = ending.endswith(_JSON_ENDINGS) or (
            looks_like_json and not ending.endswith(_DELIMITED_ENDINGS)
        )
        second = next(filled, "")
        is_list = first.startswith("[") and not (first.endswith("]") and second)
        is_document = is_list or (first == "{" and second[:1] in {'"', "}"})
    with _opened_text(file, "\n" if is_json else "") as text:
        if not is_json:
            yield _delimited(text)
        else:
            yield OpenedRows((), _document_rows(text) if is_document else _json_rows(text))


@contextmanager
def _opened_text(file: BinaryIO, newline: str) -> Iterator[TextIO]:
    r"""The text of a file from its beginning.

    Bytes that are not UTF-8 become halves of surrogate pairs, by which their row is known. Lines
    end as `newline` says: "\n" alone, or "" for the line ends of any system, untranslated.
    """
    file.seek(0)
    is_utf8 = encoding_of(file.read(_MARK)) == "utf-8"
    file.seek(0)
    text = io.TextIOWrapper(
        file,
        "utf-8-sig" if is_utf8 else "utf-16",
        "surrogateescape" if is_utf8 else "strict",
        newline=newline,
    )
    try:
        yield text
    except UnicodeDecodeError as error:
        raise InputError(f"it is not valid {error.encoding.upper()}; save it as UTF-8") from error
    finally:
        text.detach()  # else the file would be closed with it


def cut_lines(text: TextIO, ends: str | tuple[str, ...] = "\n") -> Iterator[str]:
    """The lines with their `ends`, each cut after `LONGEST_LINE` and one character.

    The one more shows that the line is too long; the rest of the line is skipped.
    """
    while line := text.readline(LONGEST_LINE + 1):
        yield line
        while line and not line.endswith(ends):
            line = text.readline(_CHUNK)


def _document_rows(text: TextIO) -> Iterator[Row]:
    """Rows of one JSON document, a list of objects.

    Raises:
        InputError: the document is too large, or no such JSON.
    """
    whole = text.read(LARGEST_FILE + 1)
    if len(whole) > LARGEST_FILE or sum(map(whole.count, ",[{")) > _MOST_VALUES:
        raise InputError(
            "it is one JSON document, and too large for one; give JSON Lines, one object a line "
            "(`jq -c '.[]'` makes them of a list)"
        )
    if SURROGATE.search(whole):
        raise InputError("it is not UTF-8; save the file as UTF-8")
    try:
        items = json.loads(whole)
    except RecursionError as error:
        raise InputError("it is nested too deeply") from error
    except ValueError as error:
        raise InputError(f"it is no valid JSON: {error}") from error
    if not isinstance(items, list):
        raise InputError("it is one JSON object over several lines; give one row a line")
    for number, item in enumerate(items, start=1):
        try:
            yield TableRow(number, _cells(item))
        except InputError as error:
            yield RejectedRow.of(number, str(error), str(item)[:LONGEST_LINE])


def _json_rows(text: TextIO) -> Iterator[Row]:
    """One object a line; blank lines are skipped."""
    for number, line in enumerate(cut_lines(text), start=1):
        content = line.encode("utf-8", "surrogateescape")
        if not content.strip():
            continue
        try:
            yield TableRow(number, _json_cells(content))
        except InputError as error:
            yield RejectedRow.of(number, str(error), line.rstrip("\r\n"))


def _json_cells(line: bytes) -> dict[str, Cell]:
    if len(line) > LONGEST_LINE:
        raise InputError(f"it is longer than the limit of {LONGEST_LINE:,} bytes for a line")
    try:
        return _cells(json.loads(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise InputError(f"it is not UTF-8: byte {error.start + 1} of the line") from error
    except RecursionError as error:
        raise InputError("it is nested too deeply") from error
    except ValueError as error:
        raise InputError(f"it is no valid JSON: {error}") from error


def _cells(fields: object) -> dict[str, Cell]:
    if not isinstance(fields, dict):
        raise InputError("it is no JSON object, `{...}` with a value for each column")
    check_columns(fields)
    try:
        return {whole_text(key): cell_of(value) for key, value in fields.items()}
    except RecursionError as error:
        raise InputError("it is nested too deeply") from error


def _delimited(text: TextIO) -> OpenedRows:
    """Records under a header, with the delimiter that cuts the header into most cells.

    Cells in double quotes may hold delimiters, line ends and doubled quotes. In files that this
    program wrote, the apostrophe that keeps a spreadsheet from taking text for a formula is taken
    off. Records without any content are skipped.
    """
    # Python's own limit of 131,072 characters is less than a diff may have. It is one for the
    # whole process, so it is never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    headers = {delimiter: _header(text, delimiter) for delimiter in _DELIMITERS}
    delimiter = max(headers, key=lambda candidate: len(headers[candidate]))
    names = column_names(headers[delimiter])
    if len(names) < 2:
        raise InputError(
            "its first line names fewer than two columns; give JSON Lines, Parquet, or CSV with "
            "a header such as `id,diff,review`"
        )
    text.seek(0)
    return OpenedRows(names, _delimited_rows(text, delimiter, names))


def _header(text: TextIO, delimiter: str) -> list[str]:
    text.seek(0)
    first = next(_records(text, delimiter), None)
    return first.cells if first else []


def _delimited_rows(text: TextIO, delimiter: str, names: tuple[str, ...]) -> Iterator[Row]:
    records = _records(text, delimiter)
    next(records)  # the header
    as_meant = text_of_cell if is_own(names) else str
    for record in records:
        fault = record.fault
        if not fault and len(record.cells) != len(names):
            fault = f"it has {len(record.cells)} cells, but the header has {len(names)}"
        if not fault and SURROGATE.search(record.text):
            fault = "it is not UTF-8; save the file as UTF-8"
        if fault:
            yield RejectedRow.of(record.number, fault, record.text)
        else:
            cells = map(as_meant, record.cells)
            yield TableRow(record.number, dict(zip(names, cells, strict=True)))


@dataclass(frozen=True, slots=True)
class _Record:
    """A record as it stands in the text, cut into cells or with a fault."""

    number: int
    text: str
    cells: list[str]
    fault: str = ""


def _records(text: TextIO, delimiter: str) -> Iterator[_Record]:
    lines = _RecordLines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    for number in count(1):
        try:
            cells, fault = next(reader), ""
        except StopIteration:
            return
        except csv.Error:  # the reader goes on at the next line, here and below
            cells = []
            fault = (
                "its quotes do not match, so where it ends is not known; put cells with quotes in "
                "quotes, and double those inside"
            )
        except InputError as error:
            cells, fault = [], str(error)
        record = _Record(number, lines.taken(), cells, fault)
        if fault or any(cell.strip() for cell in cells):
            yield record


class _RecordLines:
    """The lines of a text; remembers those taken for the record that is being read."""

    def __init__(self, text: TextIO) -> None:
        self._lines = enumerate(cut_lines(text, ("\n", "\r")), start=1)
        self._taken: list[str] = []
        self._length = 0

    def __iter__(self) -> "_RecordLines":
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        self._taken.append(line)
        self._length += len(line)
        if self._length > LONGEST_LINE:
            raise InputError(
                f"what it holds up to line {number} is longer than the limit of {LONGEST_LINE:,} "
                "characters; see whether a quote is not closed"
            )
        return line

    def taken(self) -> str:
        """The text taken since the last call, without the end of its last line."""
        text = "".join(self._taken)
        self._taken.clear()
        self._length = 0
        return text.rstrip("\r\n")
