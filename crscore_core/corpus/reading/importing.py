"""A table and what its columns mean -> a corpus."""

from collections import Counter
from dataclasses import dataclass, field

from crscore_core.corpus.model import GROUND_TRUTH, Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.reading.ids import UniqueIds
from crscore_core.corpus.reading.imported_change import ImportedChange, read_change
from crscore_core.corpus.reading.mapping import ColumnMapping
from crscore_core.corpus.reading.review_row import ChangeCells, ReviewRow, read_row
from crscore_core.corpus.reading.table import RejectedRow, Table
from crscore_core.errors import CorpusError, InputError

__all__ = ["ImportedCorpus", "import_corpus"]


@dataclass(frozen=True, slots=True)
class ImportedCorpus:
    """A corpus, without changes if no row was usable, and the rows set aside, in their order."""

    corpus: Corpus
    rejected: tuple[RejectedRow, ...]


def import_corpus(table: Table, mapping: ColumnMapping, name: str) -> ImportedCorpus:
    """Make a corpus called `name` of a table.

    Rows with the same diff, language, claims and file are reviews of one change; changes and
    reviews are in the order of the table. An id stays what it is where no other row has it. Each
    reference of a change is one more review of it, by the system `GROUND_TRUTH`, once. Rows that
    cannot be used are set aside, as are those that `read_table` set aside already.

    Raises:
        CorpusError: the mapping does not fit the table.
    """
    mapping.check(table.columns)
    changes: dict[ChangeCells, _Change | str] = {}
    rejected = list(table.rejected)
    for row in table.rows:
        try:
            review = read_row(row.cells, mapping)
            _change_of(review.change, changes).rows.append(review)
        except InputError as error:
            values = (row.cells.get(column or "") for column in (mapping.review, mapping.diff))
            text = next((str(value) for value in values if value not in {None, ""}), "")
            rejected.append(RejectedRow.of(row.number, str(error), text))
    usable = [change for change in changes.values() if isinstance(change, _Change)]
    corpus = Corpus(name, _named(usable))
    return ImportedCorpus(corpus, tuple(sorted(rejected, key=lambda row: row.number)))


@dataclass(frozen=True, slots=True)
class _Change:
    content: ImportedChange
    rows: list[ReviewRow] = field(default_factory=list)

    @property
    def id(self) -> str | None:
        """The id that all rows of the change share."""
        ids = {row.id for row in self.rows}
        return ids.pop() if len(ids) == 1 else None


def _change_of(cells: ChangeCells, known: dict[ChangeCells, _Change | str]) -> _Change:
    """The change, read once; an unusable one is remembered by the reason."""
    if cells not in known:
        try:
            known[cells] = _Change(read_change(cells))
        except InputError as error:
            known[cells] = str(error)
    change = known[cells]
    if isinstance(change, str):
        raise CorpusError(change)
    return change


def _named(changes: list[_Change]) -> tuple[CorpusChange, ...]:
    """The changes with an id for each of them and for each of their reviews."""
    counts = Counter(row.id for change in changes for row in change.rows if row.id)
    change_ids = UniqueIds()
    review_ids = UniqueIds(name for name, count in counts.items() if count == 1)
    named = []
    for number, change in enumerate(changes, start=1):
        change_id = change_ids.take(change.id or f"change {number}")
        reviews = _reviews(change, change_id, counts, review_ids)
        content = change.content
        named.append(
            CorpusChange(
                change_id,
                content.language,
                content.diff,
                reviews,
                claims=content.claims,
                new_file=content.new_file,
            )
        )
    return tuple(named)


def _reviews(
    change: _Change, change_id: str, counts: Counter[str], ids: UniqueIds
) -> tuple[CorpusReview, ...]:
    reviews = [
        CorpusReview(
            row.id if row.id and counts[row.id] == 1 else ids.take(f"{change_id}/{row.system}"),
            row.system,
            row.text,
            row.ratings,
        )
        for row in change.rows
    ]
    known = {review.text for review in reviews if review.system == GROUND_TRUTH}
    references = dict.fromkeys(row.reference for row in change.rows if row.reference)
    added = (
        CorpusReview(ids.take(f"{change_id}/{GROUND_TRUTH}"), GROUND_TRUTH, text)
        for text in references
        if text not in known
    )
    return (*reviews, *added)
