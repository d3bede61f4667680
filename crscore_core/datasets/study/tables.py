"""Strict reading of the study's spreadsheets: all of a table, or an error that names the row.

Each table exists twice, once for each annotator, with the same material side by side. A change is
a row with an index and the rows without one below it.
"""

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.datasets.study.location import Annotator, Phase
from crscore_core.errors import StudyError
from crscore_core.text import text_of_cell

INDEX, SYSTEM = "index", "system"
"""Columns that both files must agree on, so that their rows stand side by side.

An index that is not empty starts a change. The other cells are read from the file of the annotator
who counts, even the material: spreadsheet programs turned the tabs of some diffs into spaces.
"""

MATERIAL = ("diff", "claim", "old_file", "new_file")
"""Columns with the material that both annotators saw, in either phase."""

_POINT_ZERO = re.compile(r"(?<=[0-9])\.0+\Z")
_SHOWN = 40  # characters of a bad cell
_FETCH = "download the study again with 'crscore study fetch'"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a spreadsheet: its cells by column.

    `number` counts records of the file, not lines, and the header is record 1, as spreadsheet
    programs number rows.
    """

    file: str
    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def has(self, column: str) -> bool:
        """Return True if the cell holds more than white space."""
        return bool(self.cells[column].strip())

    def whole(self, column: str) -> str:
        """Return a cell without the ".0" that spreadsheet programs add to whole numbers."""
        return _POINT_ZERO.sub("", self.cells[column].strip())

    def says(self, what: str) -> str:
        """Return a line about this row, with its file and number."""
        return f"{self.file}, row {self.number}: {what}"

    def odd_cell(self, column: str, expected: str) -> str:
        """Return a line about this row with the content of a cell, escaped for printing."""
        cell = self.cells[column]
        shown = cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}..."
        return self.says(f"{column} is {shown!r}, not {expected}")

    def error(self, reason: str) -> StudyError:
        """Return an error that names this row."""
        return StudyError(self.says(reason))

    def bad_cell(self, column: str, expected: str) -> StudyError:
        """Return an error with the line of `odd_cell`."""
        return StudyError(self.odd_cell(column, expected))


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """The rows of one change, by annotator."""

    index: str
    rows: Mapping[Annotator, tuple[Row, ...]]

    @property
    def first(self) -> Row:
        """The row that starts the change, in Marcus's file."""
        return self.rows[Annotator.MARCUS][0]


def read_phase(
    release: Path, phase: Phase, language: str, columns: Sequence[str]
) -> tuple[ChangeRows, ...]:
    """Read the changes of one phase and language, in the order of the files.

    Raises:
        StudyError: as for `read_pairs`, or a row belongs to no change, a change has no diff or a
            bad index, or an index comes twice.
    """
    changes: dict[str, list[dict[Annotator, Row]]] = {}
    rows: list[dict[Annotator, Row]] | None = None
    for pair in read_pairs(release, phase.files(language), columns):
        row = pair[Annotator.MARCUS]
        if row.has(INDEX):
            index = _index(row)
            if index in changes:
                raise row.error(f"the change with the index {index} is there already")
            rows = changes[index] = []
        elif rows is None:
            raise row.error("there is no index in or above this row, so it belongs to no change")
        elif row.has("diff"):
            raise row.error("it has a diff but no index; write the index of the change")
        rows.append(pair)
    return tuple(
        ChangeRows(
            index,
            {annotator: tuple(pair[annotator] for pair in pairs) for annotator in Annotator},
        )
        for index, pairs in changes.items()
    )


def read_pairs(
    release: Path, files: Mapping[Annotator, str], columns: Sequence[str]
) -> Iterator[dict[Annotator, Row]]:
    """Read the rows of both annotators' files, side by side.

    `columns` are named by the first line of their headers.

    Raises:
        StudyError: a file is missing, not UTF-8, not CSV, lacks a column or has it twice; a row
            has more or fewer cells than the header, or a NUL character; or the files disagree.
    """
    marcus = _read_table(release, files[Annotator.MARCUS], columns)
    atharva = _read_table(release, files[Annotator.ATHARVA], columns)
    for row, other in zip(marcus, atharva, strict=False):
        for column in (INDEX, SYSTEM):
            if column in columns and row[column].strip() != other[column].strip():
                raise row.error(
                    f"{column} is not that of {other.file}, row {other.number}; both people saw "
                    "the same material, so one of the files is damaged"
                )
    if len(marcus) != len(atharva):
        shorter, longer = sorted((marcus, atharva), key=len)
        shorter_file = files[Annotator.MARCUS if shorter is marcus else Annotator.ATHARVA]
        raise longer[len(shorter)].error(
            f"{shorter_file} ends before this row; both must have the same rows, so one of the "
            "files is damaged"
        )
    for row, other in zip(marcus, atharva, strict=True):
        yield {Annotator.MARCUS: row, Annotator.ATHARVA: other}


def counting(
    changes: Sequence[ChangeRows],
    switch: str,
    filled: Sequence[str],
    known: Mapping[str, Annotator],
) -> dict[str, Annotator]:
    """Tell for each change, by index, whose entries count.

    Marcus's entries count before the change with the index `switch`, Atharva's from it on; other
    entries there do not count. A part of the study may lack that change. Then `known`, the
    annotator who counts for some of the changes, decides: Marcus up to his last known change,
    Atharva from his first known change on. In between it is whoever filled in one of the columns
    `filled`.

    Raises:
        StudyError: the switch is missing, and both annotators filled in a change in between.
    """
    indices = [change.index for change in changes]
    if switch in indices:
        marcus_until = atharva_from = indices.index(switch)
    else:
        people = [known.get(index) for index in indices]
        marcus = [place for place, person in enumerate(people) if person is Annotator.MARCUS]
        atharva = [place for place, person in enumerate(people) if person is Annotator.ATHARVA]
        marcus_until = marcus[-1] + 1 if marcus else 0
        atharva_from = atharva[0] if atharva else len(people)
    counts = {}
    for place, change in enumerate(changes):
        if place < min(marcus_until, atharva_from):
            counts[change.index] = Annotator.MARCUS
        elif place >= max(marcus_until, atharva_from):
            counts[change.index] = Annotator.ATHARVA
        else:
            counts[change.index] = _who_filled(change, switch, filled)
    return counts


def _who_filled(change: ChangeRows, switch: str, filled: Sequence[str]) -> Annotator:
    people = [
        annotator
        for annotator, rows in change.rows.items()
        if any(row.has(column) for row in rows for column in filled)
    ]
    if len(people) > 1:
        raise change.first.error(
            f"both people filled in this change, and without the change {switch} nothing tells "
            "whose entries count; add that change, or leave this one out"
        )
    return people[0] if people else Annotator.MARCUS


def _index(row: Row) -> str:
    index = row[INDEX].strip()
    if not (index.isascii() and index.isdigit()):
        raise row.bad_cell(INDEX, "a whole number")
    if not row.has("diff"):
        raise row.error(f"the change with the index {index} has no diff")
    return index


def _read_table(release: Path, file: str, columns: Sequence[str]) -> tuple[Row, ...]:
    """Read the rows of a CSV file, named relative to `release`; skip records without any cell."""
    records = _records(file, _text(release, file))
    _, header = next(records, (1, []))
    positions = {name: _position(file, header, name) for name in columns}
    rows = []
    for number, cells in records:
        if len(cells) != len(header):
            raise StudyError(
                f"{file}, row {number}: it has {len(cells)} cells, but the header has "
                f"{len(header)}; {_FETCH}"
            )
        rows.append(Row(file, number, {name: cells[place] for name, place in positions.items()}))
    return tuple(rows)


def _text(release: Path, file: str) -> str:
    path = release / file
    # os.path.isfile is False for impossible names; a pipe would wait for ever.
    if not os.path.isfile(path):
        raise StudyError(f"{file}: there is no such file in {release}; {_FETCH}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StudyError(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise StudyError(f"{file}: not UTF-8 from byte {error.start} on; {_FETCH}") from error


def _records(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that are not empty, each with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if any("\0" in cell for cell in cells):
                raise StudyError(f"{file}, row {number}: a cell holds a NUL character; {_FETCH}")
            if cells:
                yield number, list(map(text_of_cell, cells))
    except csv.Error as error:
        raise StudyError(f"{file}, row {number + 1}: not CSV: {error}; {_FETCH}") from error


def _position(file: str, header: Sequence[str], name: str) -> int:
    matches = [
        place for place, cell in enumerate(header) if cell.strip().partition("\n")[0] == name
    ]
    if not matches:
        raise StudyError(f"{file}, row 1: there is no column {name!r}; {_FETCH}")
    if len(matches) > 1:
        raise StudyError(
            f"{file}, row 1: the column {name!r} is there {len(matches)} times; {_FETCH}"
        )
    return matches[0]
