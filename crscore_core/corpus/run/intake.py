"""The file of a corpus -> the work that it gives: changes, their reviews, rows set aside."""

import json
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.reading import (
    FIELDS,
    ColumnMapping,
    RejectedRow,
    Row,
    RowStream,
    check_mapping,
    guess_mapping,
    is_usual,
    label_columns,
    label_name,
)
from crscore_core.corpus.reading.mapping import check_labels, without_labels
from crscore_core.corpus.reading.review_row import ChangeCells, read_change, read_row
from crscore_core.corpus.reviews import UniqueIds, own_ids
from crscore_core.corpus.run.work import Work, change_key
from crscore_core.errors import InputError

_ROWS_AT_ONCE = 1000
_REASONS_REMEMBERED = 10_000
_COLUMNS_SHOWN = 30


def take_in(
    stream: RowStream,
    chosen: Mapping[str, str],
    named: Sequence[str] | None,
    work: Work,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[str, ...]:
    """Put every row into `work`: a review, its change once, or the reason why it is set aside.

    The result names the labels of the reviews. `named` are columns that are labels; None stands
    for the columns of `label_columns`.

    `chosen` says by field which column holds it; for other fields but `reference` columns are told
    by their names, as `guess_mapping` does; an empty name is no column. Each reference of a change
    is one more review of it, by the system `GROUND_TRUTH`, after the rows of the file.
    `progress` is told how many bytes are read.

    Raises:
        InputError: the file cannot be read, or columns for diffs, reviews or labels are missing.
        InputError: none of its rows can be used.
    """
    columns = dict.fromkeys(stream.columns())
    if not columns:
        raise _nothing_usable(next((r for r in stream.rows() if isinstance(r, RejectedRow)), None))
    if not columns.keys() >= {*(named or ()), *filter(None, chosen.values())}:
        columns = dict.fromkeys(stream.columns(sys.maxsize))  # a column may begin far down
    labels = _labels(columns, named)
    mapping = _mapping(columns, chosen, labels)
    while True:
        intake = _Intake(work, mapping, labels, columns)
        intake.take_all(stream.rows(progress))
        work.add_references()
        # The first rows decide on columns; a later row may add one that the first rows lack.
        more = _labels(columns, named)
        wider = _mapping(columns, {**mapping, **chosen}, more)
        if (wider, more) == (mapping, labels):
            break
        mapping, labels = wider, more  # from the start again, so that it holds for all rows
    if not work.count("reviews"):
        raise _nothing_usable(next(iter(work.rejects()), None))
    with work.saved_together():
        work.cut()
    return tuple(map(label_name, labels))


@dataclass(frozen=True, slots=True)
class ImportedCorpus:
    """A corpus and the rows set aside, in their order."""

    corpus: Corpus
    rejected: tuple[RejectedRow, ...]


def import_corpus(
    stream: RowStream, mapping: ColumnMapping, name: str, labels: Sequence[str] = ()
) -> ImportedCorpus:
    """Take rows into memory, see `take_in`; the corpus is called `name`.

    Fields that are not in `mapping` have no column. Changes and reviews have ids of their own: an
    id that is there twice becomes CHANGE/SYSTEM.

    Raises:
        InputError: the file cannot be read, or the mapping or the labels do not fit its columns.
        InputError: none of its rows can be used.
    """
    chosen = {field.name: mapping.get(field.name, "") for field in FIELDS}
    with closing(Work(Path(":memory:"))) as work:
        take_in(stream, chosen, labels, work)
        parts = [work.part(number) for number in work.open_parts()]
        rejected = tuple(work.rejects())
    changes: list[CorpusChange] = []
    for part in parts:
        first, *others = part.changes
        if part.continues:
            reviews = (*changes[-1].reviews, *first.reviews)
            changes[-1] = replace(changes[-1], reviews=reviews)
        else:
            changes.append(first)
        changes += others
    return ImportedCorpus(Corpus(name, _with_own_ids(changes)), rejected)


def _with_own_ids(changes: Sequence[CorpusChange]) -> tuple[CorpusChange, ...]:
    """Name changes and reviews as `Reviews` does, so that no two are alike."""
    taken = UniqueIds()
    names = [taken.take(change.id) for change in changes]
    reviews = [
        (name, review)
        for name, change in zip(names, changes, strict=True)
        for review in change.reviews
    ]
    ids = iter(
        own_ids([one.id for _, one in reviews], (f"{name}/{one.system}" for name, one in reviews))
    )
    return tuple(
        replace(
            change, id=name, reviews=tuple(replace(one, id=next(ids)) for one in change.reviews)
        )
        for name, change in zip(names, changes, strict=True)
    )


def _nothing_usable(first: RejectedRow | None) -> InputError:
    reason = f"row {first.number}: {first.reason}" if first else "there are none"
    return InputError(f"none of the rows can be used; {reason}")


def _labels(columns: Collection[str], named: Sequence[str] | None) -> tuple[str, ...]:
    labels = label_columns(tuple(columns)) if named is None else tuple(dict.fromkeys(named))
    check_labels(labels, columns)
    return labels


def _mapping(
    columns: Collection[str], chosen: Mapping[str, str], labels: Collection[str]
) -> ColumnMapping:
    """The columns that were chosen, and others by their names; references where they are chosen."""
    taken = {*chosen.values(), *labels}
    guessed = guess_mapping([column for column in columns if column not in taken])
    wanted = {**guessed, "reference": "", **chosen}
    filled = {name: column for name, column in wanted.items() if column}
    mapping = without_labels(filled, labels)
    try:
        check_mapping(mapping, columns)
    except InputError as error:
        known = ", ".join(list(columns)[:_COLUMNS_SHOWN]) or "none"
        raise InputError(
            f"{error}, by --column FIELD=COLUMN; its columns are: {known[:500]}"
        ) from error
    return mapping


class _Intake:
    """One reading of the file; `columns` grows by those that its rows have."""

    def __init__(
        self,
        work: Work,
        mapping: ColumnMapping,
        labels: Sequence[str],
        columns: dict[str, None],
    ) -> None:
        self._mapping, self._labels = mapping, labels
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
            read = read_row(row.cells, self._mapping, self._labels)
            change = self._change(read.change)
        except InputError as error:
            content = json.dumps(dict(row.cells), ensure_ascii=False)
            self._work.add_reject(RejectedRow(row.number, str(error), content))
            return
        review = CorpusReview(
            read.id or "",
            read.system,
            read.text,
            read.ratings,
            read.labels,
            read.reference or "",
            row.number,
        )
        self._work.add_review(change, review)
        if read.reference is not None:
            self._work.note_reference(change, read.reference)

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
        raise InputError(self._unusable[key])
