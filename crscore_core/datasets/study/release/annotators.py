"""Two people's files of one phase: do they agree on the material, and whose entries count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.datasets.study.release.layout import Annotator, Phase
from crscore_core.datasets.study.release.tables import Row, read_table

__all__ = ["INDEX", "MATERIAL", "ChangeRows", "Columns", "counting", "read_pairs", "read_phase"]

INDEX = "index"
"""The column that starts a change where it is not empty."""

MATERIAL = ("diff", "claim", "old_file", "new_file")
"""Columns of what both people saw, whatever the phase."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a file matter.

    Both people's files must agree on `shared`, so that their rows stand side by side. The others
    are read from the file of whoever counts: `own`, and `prefixed`, known by how their header
    starts. What both people saw is among them, since their spreadsheet programs changed texts:
    they turned the tabs of some diffs into spaces.
    """

    shared: tuple[str, ...]
    own: tuple[str, ...]
    prefixed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """The rows of one change, by annotator."""

    index: str
    rows: Mapping[Annotator, tuple[Row, ...]]

    @property
    def first(self) -> Row:
        """The row that starts the change, in Marcus's file."""
        return self.rows[Annotator.MARCUS][0]

    def filled_by(self, columns: Sequence[str]) -> tuple[Annotator, ...]:
        """Who wrote something in one of `columns`."""
        return tuple(
            annotator
            for annotator, rows in self.rows.items()
            if any(row.has(column) for row in rows for column in columns)
        )


def read_pairs(
    release: Path,
    files: Mapping[Annotator, str],
    columns: Columns,
) -> Iterator[dict[Annotator, Row]]:
    """The rows of two people's files, side by side.

    Raises:
        StudyError: a file cannot be read, or the two do not agree.
    """
    tables = {
        annotator: read_table(release, file, [*columns.shared, *columns.own], columns.prefixed)
        for annotator, file in files.items()
    }
    marcus, atharva = tables[Annotator.MARCUS], tables[Annotator.ATHARVA]
    for one, other in zip(marcus, atharva, strict=False):
        for column in columns.shared:
            if one[column].strip() != other[column].strip():
                raise one.error(
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
    for one, other in zip(marcus, atharva, strict=True):
        yield {Annotator.MARCUS: one, Annotator.ATHARVA: other}


def read_phase(
    release: Path, phase: Phase, language: str, columns: Columns
) -> tuple[ChangeRows, ...]:
    """The changes of one phase and language, in the order of the files.

    Raises:
        StudyError: as for `read_pairs`, or a row belongs to no change, a change has no diff or a
            bad index, or an index comes twice.
    """
    files = {annotator: phase.file(language, annotator) for annotator in Annotator}
    changes: dict[str, list[dict[Annotator, Row]]] = {}
    rows: list[dict[Annotator, Row]] | None = None
    for pair in read_pairs(release, files, columns):
        row = pair[Annotator.MARCUS]
        if row.has("index"):
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


def counting(
    changes: Sequence[ChangeRows],
    switch: str,
    filled: Sequence[str],
    known: Mapping[str, Annotator],
) -> dict[str, Annotator]:
    """Whose entries count, by index of the change.

    Marcus's before the change with the index `switch`, Atharva's from it on; what the other one
    wrote there as well does not count. A part of the study may lack that change. Then `known`,
    whose entries count for some of the changes, decides for all up to the last of Marcus's and
    from the first of Atharva's. In between it is whoever wrote in one of the columns `filled`.

    Raises:
        StudyError: the switch is not there, and both people filled in a change in between.
    """
    indices = [change.index for change in changes]
    if switch in indices:
        until = begin = indices.index(switch)
    else:
        people = [known.get(index) for index in indices]
        until = max((at + 1 for at, one in enumerate(people) if one is Annotator.MARCUS), default=0)
        begin = min(
            (at for at, one in enumerate(people) if one is Annotator.ATHARVA), default=len(people)
        )
    counts = {}
    for at, change in enumerate(changes):
        if at < min(until, begin):
            counts[change.index] = Annotator.MARCUS
        elif at >= max(until, begin):
            counts[change.index] = Annotator.ATHARVA
        else:
            counts[change.index] = _who_filled(change, switch, filled)
    return counts


def _who_filled(change: ChangeRows, switch: str, filled: Sequence[str]) -> Annotator:
    people = change.filled_by(filled)
    if len(people) > 1:
        raise change.first.error(
            f"both people filled in this change, and without the change {switch} nothing tells "
            "whose entries count; add that change, or leave this one out"
        )
    return people[0] if people else Annotator.MARCUS


def _index(row: Row) -> str:
    index = row["index"].strip()
    if not (index.isascii() and index.isdigit()):
        raise row.bad_cell("index", "a whole number")
    if not row.has("diff"):
        raise row.error(f"the change with the index {index} has no diff")
    return index
