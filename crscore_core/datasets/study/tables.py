"""Strict reading of the study's spreadsheets: all of a table, or an error that names the row.

Each table exists twice, once for each annotator, with the same material side by side. A change is
a row with an index and the rows without one below it.
"""

import csv
import io
import itertools
import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.corpus.reading import LARGEST_FILE
from crscore_core.datasets.study.location import (
    CODE,
    INDEX,
    NECESSARY,
    RATINGS,
    SYSTEM,
    Annotator,
    Phase,
)
from crscore_core.errors import InputError
from crscore_core.text import as_text, read_at_most, text_of_cell

if TYPE_CHECKING:
    import pandas as pd

FILE, NUMBER = "file", "row"
"""Names of a row's place: its file, and its number in spreadsheet programs; the header is row 1."""

_SCALE = ("1", "2", "3", "4", "5", "")
_SHOWN = 40  # characters of a bad cell
_FETCH = "download the study again with 'crscore study fetch'"
_TEXTS = {"diff", "claim", "review"}

Row = dict[Hashable, Any]
"""The cells of a row by column, with its `FILE` and `NUMBER`."""


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """The rows of one change by `annotator`, who counts, and `start`, the first in Marcus's file.

    The cells of the other annotator do not count, not even the material: spreadsheet programs
    turned the tabs of some diffs into spaces.
    """

    start: Row
    rows: Sequence[Row]
    annotator: Annotator


def says(row: Row, what: str) -> str:
    """Return a line about a row, with its file and number."""
    return f"{row[FILE]}, row {row[NUMBER]}: {what}"


def odd_cell(row: Row, column: str, expected: str) -> str:
    """Return a line about a row with the content of a cell, escaped for printing."""
    cell = row[column]
    shown = cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}..."
    return says(row, f"{column} is {shown!r}, not {expected}")


def read_changes(
    release: Path, phase: Phase, language: str, known: Mapping[str, Annotator]
) -> dict[str, ChangeRows]:
    """Read the changes of one phase and language by index, in the order of the files.

    Marcus's entries count before the change at which the phase switches, Atharva's from it on. A
    part of the study may lack that change. Then `known`, the annotator who counts for some of the
    changes, decides: Marcus up to his last known change, Atharva from his first known change on. In
    between it is whoever filled in one of the phase's columns `filled`.

    Raises:
        InputError: as for `read_pair`, or a row belongs to no change, a change has no diff or a bad
            index, an index comes twice, or nothing tells whose entries count.
    """
    marcus, atharva = read_pair(release, phase.files(language), phase.columns)
    is_start, has_diff = marcus[INDEX] != "", marcus["diff"].str.strip() != ""
    number = is_start.cumsum()
    starts = marcus[is_start]
    _refuse(
        marcus[number == 0],
        "there is no index in or above this row, so it belongs to no change",
    )
    _refuse(
        marcus[~is_start & has_diff], "it has a diff but no index; write the index of the change"
    )
    _refuse_cells(starts[~starts[INDEX].str.fullmatch("[0-9]+")], INDEX, "a whole number")
    _refuse(marcus[is_start & ~has_diff], "the change with the index {index} has no diff")
    _refuse(
        starts[starts[INDEX].duplicated()], "the change with the index {index} is there already"
    )
    switch = phase.switch[language]
    if switch in set(starts[INDEX]):
        is_after = (starts[INDEX] == switch).cummax()
        is_before = ~is_after
    else:
        person = starts[INDEX].map(known)
        is_after = (person == Annotator.ATHARVA).cummax()
        is_before = (person == Annotator.MARCUS)[::-1].cummax()[::-1]
    is_unclear = is_before == is_after
    by_marcus, by_atharva = (
        (table[[*phase.filled]] != "").any(axis=1).groupby(number).any().set_axis(starts.index)
        for table in (marcus, atharva)
    )
    _refuse(
        starts[is_unclear & by_marcus & by_atharva],
        f"both people filled in this change, and without the change {switch} nothing tells whose "
        "entries count; add that change, or leave this one out",
    )
    is_atharva = is_after.mask(is_unclear, by_atharva)
    rows = {Annotator.MARCUS: rows_of(marcus), Annotator.ATHARVA: rows_of(atharva)}
    changes = {}
    for begin, end in itertools.pairwise([*starts.index, len(marcus)]):
        who = Annotator.ATHARVA if is_atharva[begin] else Annotator.MARCUS
        start = rows[Annotator.MARCUS][begin]
        changes[start[INDEX]] = ChangeRows(start, rows[who][begin:end], who)
    return changes


def read_pair(
    release: Path, files: Mapping[Annotator, str], columns: Sequence[str]
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Read Marcus's and Atharva's file, whose rows stand side by side.

    `columns` are named by the first line of their headers.

    Raises:
        InputError: a file is missing, not UTF-8, not CSV, lacks a column or has it twice; a row
            has more or fewer cells than the header, or a rating off the scale; or the files
            disagree.
    """
    marcus = _table(release, files[Annotator.MARCUS], columns)
    atharva = _table(release, files[Annotator.ATHARVA], columns)
    shorter, longer = sorted((marcus, atharva), key=len)
    shorter_file = files[Annotator.MARCUS if shorter is marcus else Annotator.ATHARVA]
    _refuse(
        longer[len(shorter) :],
        f"{shorter_file} ends before this row; both must have the same rows, so one of the files "
        "is damaged",
    )
    for column in {INDEX, SYSTEM} & {*columns}:
        differs = marcus[column] != atharva[column]
        _refuse(
            marcus[differs],
            f"{column} is not that of {files[Annotator.ATHARVA]}; both people saw the same "
            "material, so one of the files is damaged",
        )
    for table in (marcus, atharva):
        for column in RATINGS:
            if column in columns:
                wrong = table[~table[column].isin(_SCALE)]
                _refuse_cells(wrong, column, "a whole number from 1 to 5")
    return marcus, atharva


def rows_of(table: "pd.DataFrame") -> list[Row]:
    """Return the rows of a table."""
    return table.to_dict("records")


def _refuse(rows: "pd.DataFrame", what: str) -> None:
    """Raise an error about the first of these rows, if there is one."""
    if not rows.empty:
        row = rows_of(rows)[0]
        raise InputError(says(row, what.format(index=row[INDEX])))


def _refuse_cells(rows: "pd.DataFrame", column: str, expected: str) -> None:
    if not rows.empty:
        raise InputError(odd_cell(rows_of(rows)[0], column, expected))


def _table(release: Path, file: str, columns: Sequence[str]) -> "pd.DataFrame":
    """Read some columns of a CSV file, named relative to `release`; skip empty records.

    Only diffs and reviews keep the white space at their ends. Whole numbers lose the ".0" that
    spreadsheet programs add.
    """
    import pandas as pd

    records = _records(release, file)
    header = [cell.strip().partition("\n")[0] for cell in records.pop(0)] if records else []
    for name in columns:
        if (times := header.count(name)) != 1:
            there = f"is there {times} times" if times else "is missing"
            raise InputError(f"{file}, row 1: the column {name!r} {there}; {_FETCH}")
    for number, cells in enumerate(records, start=2):
        if cells and len(cells) != len(header):
            raise InputError(
                f"{file}, row {number}: it has {len(cells)} cells, but the header has "
                f"{len(header)}; {_FETCH}"
            )
    numbers = [number for number, cells in enumerate(records, start=2) if cells]
    table = pd.DataFrame(filter(None, records), columns=range(len(header)), dtype=object)
    table = table[[header.index(name) for name in columns]]
    table.columns = pd.Index(columns)
    texts = table[[name for name in columns if name in _TEXTS]]
    if texts.map(lambda cell: as_text(cell) == cell or cell.startswith("'")).all(axis=None):
        table = table.map(text_of_cell)  # no text begins a formula: the table was exported here
    for column in {*columns} - {"diff", "review"}:
        table[column] = table[column].str.strip()
    for column in {*columns} & {CODE, NECESSARY, *RATINGS}:
        table[column] = table[column].str.replace(r"(?<=[0-9])\.0+\Z", "", regex=True)
    table[FILE], table[NUMBER] = file, numbers
    return table


def _records(release: Path, file: str) -> list[list[str]]:
    path = release / file
    # os.path.isfile is False for impossible names; a pipe would wait for ever.
    if not os.path.isfile(path):
        raise InputError(f"{file}: there is no such file in {release}; {_FETCH}")
    try:
        text = read_at_most(path, LARGEST_FILE).decode("utf-8-sig")
        if "\0" in text:
            raise InputError(f"{file}: it holds a NUL character; {_FETCH}")
        return [*csv.reader(io.StringIO(text, newline=""), strict=True)]
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 from byte {error.start} on; {_FETCH}") from error
    except csv.Error as error:
        raise InputError(f"{file}: not CSV: {error}; {_FETCH}") from error
