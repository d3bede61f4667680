"""The file of a corpus -> the work that it gives: changes, their reviews, rows set aside."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice

from crscore_core.corpus.reading import (
    ColumnMapping,
    RejectedRow,
    Row,
    RowStream,
    check_mapping,
    guess_mapping,
    is_usual,
)
from crscore_core.corpus.reading.review_row import ChangeCells, read_change, read_row
from crscore_core.corpus.run.work import StoredReview, Work, change_key
from crscore_core.errors import BatchError, CorpusError, InputError

_ROWS_AT_ONCE = 1000
_REASONS_REMEMBERED = 10_000
_COLUMNS_SHOWN = 30


def take_in(
    stream: RowStream,
    chosen: Mapping[str, str],
    work: Work,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Put every row into `work`: a review, its change once, or the reason why it is set aside.

    `chosen` says by field which column holds it; for other fields columns are told by their
    names, as `guess_mapping` does; an empty name is no column. `progress` is told how many bytes
    are read.

    Raises:
        CorpusError: the file cannot be read, or no columns hold diffs and reviews.
        BatchError: none of its rows can be used.
    """
    columns = dict.fromkeys(stream.columns())
    if not columns:
        raise _nothing_usable(next((r for r in stream.rows() if isinstance(r, RejectedRow)), None))
    mapping = _mapping(columns, chosen)
    while True:
        intake = _Intake(work, mapping, columns)
        intake.take_all(stream.rows(progress))
        # What the first rows say stays; a later one may tell where they say nothing.
        wider = _mapping(columns, {**mapping, **chosen})
        if wider == mapping:
            break
        mapping = wider  # from the start again, so that it holds for all rows
    if not work.count("reviews"):
        raise _nothing_usable(next(iter(work.rejects()), None))


def _nothing_usable(first: RejectedRow | None) -> BatchError:
    reason = f"row {first.number}: {first.reason}" if first else "there are none"
    return BatchError(f"none of the rows can be used; {reason}")


def _mapping(columns: Collection[str], chosen: Mapping[str, str]) -> ColumnMapping:
    """The columns that were chosen, and others by their names; no references, which are no rows."""
    taken = set(chosen.values())
    guessed = guess_mapping([column for column in columns if column not in taken])
    wanted = {**guessed, "reference": "", **chosen}
    mapping = {name: column for name, column in wanted.items() if column}
    try:
        check_mapping(mapping, columns)
    except CorpusError as error:
        known = ", ".join(list(columns)[:_COLUMNS_SHOWN]) or "none"
        raise CorpusError(
            f"{error}, by --column FIELD=COLUMN; its columns are: {known[:500]}"
        ) from error
    return mapping


class _Intake:
    """One reading of the file; `columns` grows by those that its rows have."""

    def __init__(self, work: Work, mapping: ColumnMapping, columns: dict[str, None]) -> None:
        self.mapping = mapping
        self._work = work
        self._columns = columns
        self._changes = 0
        self._unusable: dict[bytes, str] = {}

    def take_all(self, rows: Iterable[Row]) -> None:
        self._work.clear()
        left = iter(rows)
        while group := list(islice(left, _ROWS_AT_ONCE)):
            with self._work.saved_together():
                for row in group:
                    self._take(row)

    def _take(self, row: Row) -> None:
        if isinstance(row, RejectedRow):
            self._work.add_reject(row)
            return
        self._columns |= {name: None for name in row.cells if is_usual(name)}
        try:
            read = read_row(row.cells, self.mapping)
            change = self._change(read.change)
        except InputError as error:
            content = json.dumps(dict(row.cells), ensure_ascii=False)
            self._work.add_reject(RejectedRow(row.number, str(error), content))
            return
        self._work.add_review(
            StoredReview(
                row.number,
                change,
                read.id or f"row {row.number}",
                read.system,
                read.text,
                read.ratings,
            ),
            len(read.text) + len(read.change.claims or ""),
        )

    def _change(self, cells: ChangeCells) -> int:
        """The number of the change, which is read once to see that it can be."""
        known = self._work.change_number(cells)
        if known is not None:
            return known
        key = change_key(cells)
        if key not in self._unusable:
            try:
                read_change(cells)
            except InputError as error:
                if len(self._unusable) >= _REASONS_REMEMBERED:
                    self._unusable.clear()
                self._unusable[key] = str(error)
            else:
                self._work.add_change(self._changes, cells)
                self._changes += 1
                return self._changes - 1
        raise CorpusError(self._unusable[key])
