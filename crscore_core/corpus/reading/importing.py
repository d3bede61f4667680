"""A table and the meaning of its columns -> a corpus."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from crscore_core.corpus.model import GROUND_TRUTH, Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.reading.mapping import (
    ColumnMapping,
    check_labels,
    check_mapping,
    without_labels,
)
from crscore_core.corpus.reading.review_row import (
    ChangeCells,
    ReviewRow,
    read_change,
    read_row,
)
from crscore_core.corpus.reading.table import RejectedRow, Table
from crscore_core.errors import CorpusError, InputError


@dataclass(frozen=True, slots=True)
class ImportedCorpus:
    """A corpus, without changes if no row was usable, and the rows set aside, in their order."""

    corpus: Corpus
    rejected: tuple[RejectedRow, ...]


def import_corpus(
    table: Table, mapping: ColumnMapping, name: str, labels: Collection[str] = ()
) -> ImportedCorpus:
    """Make a corpus called `name` of a table.

    Rows with the same diff, language, claims and file are reviews of one change; changes and
    reviews are in the order of the table. An id stays as given where no other has it. Each
    reference of a change is one more review of it, by the system `GROUND_TRUTH`, once. Columns
    among `labels` are labels by `label_name`, and nothing else. Rows that cannot be used are set
    aside, after those that `read_table` set aside already.

    Raises:
        CorpusError: the mapping or the labels do not fit the table.
    """
    mapping = without_labels(mapping, labels)
    check_mapping(mapping, table.columns)
    check_labels(labels, table.columns)
    changes: dict[ChangeCells, _Change | str] = {}
    rejected = list(table.rejected)
    for row in table.rows:
        try:
            review = read_row(row.cells, mapping, labels)
            _change_of(review.change, changes).rows.append(review)
        except InputError as error:
            values = (row.cells.get(mapping[name]) for name in ("review", "diff"))
            text = next((str(value) for value in values if value not in {None, ""}), "")
            rejected.append(RejectedRow(row.number, str(error), text))
    usable = [change for change in changes.values() if isinstance(change, _Change)]
    corpus = Corpus(name, _named(usable))
    return ImportedCorpus(corpus, tuple(sorted(rejected, key=lambda row: row.number)))


@dataclass(frozen=True, slots=True)
class _Change:
    content: CorpusChange
    rows: list[ReviewRow] = field(default_factory=list)

    @property
    def id(self) -> str | None:
        """The id that all rows of the change share."""
        ids = {row.id for row in self.rows}
        return ids.pop() if len(ids) == 1 else None


class UniqueIds:
    """Gives out ids, never one twice, and none that is `taken` already."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._uses: Counter[str] = Counter()

    def take(self, wanted: str) -> str:
        """The id `wanted`, else the same with a number behind it."""
        free = wanted
        while free in self._taken:
            self._uses[wanted] += 1
            free = f"{wanted} ({self._uses[wanted] + 1})"
        self._taken.add(free)
        return free


def _change_of(cells: ChangeCells, known: dict[ChangeCells, _Change | str]) -> _Change:
    """The change of these cells; each is read once, an unusable one kept as its reason."""
    if cells not in known:
        try:
            known[cells] = _Change(read_change(cells))
        except InputError as error:
            known[cells] = str(error)
    change = known[cells]
    if isinstance(change, str):
        raise CorpusError(change)
    return change


def _named(changes: Sequence[_Change]) -> tuple[CorpusChange, ...]:
    """The changes with an id for each of them and for each of their reviews."""
    counts = Counter(row.id for change in changes for row in change.rows if row.id)
    unique = {name for name, count in counts.items() if count == 1}
    change_ids, review_ids = UniqueIds(), UniqueIds(unique)
    named = []
    for number, change in enumerate(changes, start=1):
        change_id = change_ids.take(change.content.id or change.id or f"change {number}")
        reviews = [
            CorpusReview(
                row.id if row.id in unique else review_ids.take(f"{change_id}/{row.system}"),
                row.system,
                row.text,
                row.ratings,
                row.labels,
                row.reference or "",
            )
            for row in change.rows
        ]
        known = {review.text for review in reviews if review.system == GROUND_TRUTH}
        references = dict.fromkeys(row.reference for row in change.rows if row.reference)
        reviews += [
            CorpusReview(review_ids.take(f"{change_id}/{GROUND_TRUTH}"), GROUND_TRUTH, text)
            for text in references
            if text not in known
        ]
        named.append(replace(change.content, id=change_id, reviews=tuple(reviews)))
    return tuple(named)
