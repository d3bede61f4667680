"""A complete run: written from what was scored, and read as scores or as a comparison."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import (
    ComparedChange,
    ComparedReview,
    CorpusComparison,
    LeftOut,
)
from crscore_core.corpus.model import DIMENSIONS, UNRATED, Ratings
from crscore_core.corpus.rated_maxima import RatedMaxima
from crscore_core.corpus.reading.importing import UniqueIds
from crscore_core.corpus.run.document import RunDocument, WrittenPart
from crscore_core.corpus.run.folder import RunFolder, changes_name, part_name
from crscore_core.corpus.run.table import (
    TEXT_COLUMNS,
    RunChange,
    change_schema,
    changes_part,
    lists_of,
    review_schema,
)
from crscore_core.corpus.run.units import ScoredPart, pieces
from crscore_core.errors import BatchError, ThresholdError
from crscore_core.scoring import check_tau
from crscore_core.scoring.metric import Maxima
from crscore_core.scoring.references import PseudoReference, ReferenceKind

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NO_TEXTS", "FinishedRun", "maxima_of_table", "write_changes", "write_reviews"]

NO_TEXTS = (
    "it holds no texts of reviews and changes, as `crscore batch` of version 0.1.0 wrote none; "
    "score the corpus again to see it here (`crscore rescore` and `crscore sweep` still take it)"
)
"""Reason why a run of 0.1.0 cannot be shown."""

_PEOPLE = [f"human_{name}" for name in DIMENSIONS]
_RATED = ["system", "n_pseudo_references", "sentence_maxima", "reference_maxima", *_PEOPLE]
_SHOWN = ["change", "id", "system", "n_pseudo_references", "n_sentences", *_PEOPLE, *TEXT_COLUMNS]


def write_changes(folder: RunFolder, changes: Iterable[RunChange]) -> tuple[WrittenPart, ...]:
    """Write the changes of a run, some in each file.

    Raises:
        BatchError: a file cannot be written.
        CorpusError: a text that no Parquet file can hold.
    """
    cut = pieces(changes, lambda change: len(change.diff))
    return tuple(
        _written(folder, changes_name(number), changes_part(number, group))
        for number, group in enumerate(cut)
    )


def write_reviews(folder: RunFolder, part: ScoredPart) -> WrittenPart:
    """Write a part of the reviews of a run.

    Raises:
        BatchError: it cannot be written.
    """
    return _written(folder, part_name(part.number), part)


def _written(folder: RunFolder, name: str, part: ScoredPart) -> WrittenPart:
    return WrittenPart(part.number, part.rows, part.unscored, folder.write(name, [part.content]))


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The folder of a run and its description; the run's scores are at `tau`."""

    folder: RunFolder
    document: RunDocument
    tau: float
    encoder: str

    @classmethod
    def open(cls, path: Path) -> "FinishedRun":
        """Open the run in a folder, its reviews still unread.

        Raises:
            BatchError: there is no such folder, no run, an unfinished one, or its description is
                damaged.
        """
        if not path.is_dir():
            raise BatchError(f"there is no folder {str(path)!r}")
        folder = RunFolder(path)
        document = folder.finished()
        if document is None and folder.work.exists():
            raise BatchError(
                f"the run {str(path)!r} is not finished; finish it with `crscore batch … --resume`"
            )
        if document is None:
            raise BatchError(f"{str(path)!r} holds no finished run of `crscore batch`")
        try:
            tau, encoder = check_tau(document.settings["tau"]), str(document.settings["encoder"])
        except (KeyError, TypeError, ValueError, ThresholdError) as error:
            raise BatchError(f"the settings of the run {str(path)!r} are damaged") from error
        return cls(folder, document, tau, encoder)

    @property
    def has_texts(self) -> bool:
        """Return True if the run holds what people read, not scores alone."""
        return self.document.format > 1

    def missing_files(self) -> list[str]:
        """Return the names of files of the run that are gone.

        Raises:
            BatchError: the folder cannot be read.
        """
        names = {part_name(part.number) for part in self.document.parts}
        names |= {changes_name(part.number) for part in self.document.change_parts}
        return sorted(names - set(self.folder.parts()))

    def parts(self, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
        """Read the reviews part by part, all columns of `review_schema` or some.

        Nothing of a part is looked at before its checksum is right.

        Raises:
            BatchError: a part is missing or damaged.
        """
        schema = review_schema()
        if columns is None and not self.has_texts:
            with_matrices = bool(self.document.settings.get("matrices"))
            missing = TEXT_COLUMNS[:1] if with_matrices else TEXT_COLUMNS
            columns = [name for name in schema.names if name not in missing]
        for part in self.document.parts:
            yield self._table(part_name(part.number), part, schema, columns)

    def rated_maxima(self) -> RatedMaxima:
        """Read best similarities and ratings of the reviews, enough to score them at any tau.

        Reviews of changes without pseudo-references are left out.

        Raises:
            BatchError: a part is missing or damaged.
        """
        systems: dict[str, int] = {}
        parts = [_rated(table, systems) for table in self.parts(_RATED)]
        if not parts:
            raise BatchError(f"the run {str(self.folder.path)!r} has no reviews")
        maxima, system, ratings = zip(*parts, strict=True)
        return RatedMaxima(
            Maxima(
                np.concatenate([part.of_sentences for part in maxima]),
                np.concatenate([part.n_sentences for part in maxima]),
                np.concatenate([part.of_references for part in maxima]),
                np.concatenate([part.n_references for part in maxima]),
            ),
            tuple(systems),
            np.concatenate(system),
            np.concatenate(ratings),
        )

    def comparison(self) -> CorpusComparison:
        """Read every review with the pseudo-references of its change.

        Reviews of changes left out are not among them. An id that is there twice becomes
        CHANGE/SYSTEM, with a number behind it if need be.

        Raises:
            BatchError: the run holds no texts, or a part is missing or damaged.
        """
        if not self.has_texts:
            raise BatchError(f"the run {str(self.folder.path)!r} cannot be shown: {NO_TEXTS}")
        try:
            changes = _Changes()
            for part in self.document.change_parts:
                name = changes_name(part.number)
                changes.add(self._table(name, part, change_schema()))
            reviews: list[ComparedReview] = []
            for table in self.parts(_SHOWN):
                reviews += _compared(table, changes)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise BatchError(
                f"the tables of the run {str(self.folder.path)!r} do not fit each other"
            ) from error
        return CorpusComparison(
            self.encoder,
            str(self.document.settings.get("claims", "")),
            tuple(changes.compared),
            tuple(changes.left_out),
            tuple(_with_own_ids(reviews, changes.compared)),
            (*self.document.warnings, *changes.warnings),
        )

    def _table(
        self,
        name: str,
        part: WrittenPart,
        schema: "pa.Schema",
        columns: Sequence[str] | None = None,
    ) -> "pa.Table":
        import pyarrow as pa
        from pyarrow import parquet

        if columns is not None:
            schema = pa.schema([schema.field(column) for column in columns])
        content = self.folder.read(name, part.sha256)
        try:
            table = parquet.ParquetFile(pa.BufferReader(content)).read(schema.names)
            table = table.select(schema.names).cast(schema)
        except (pa.ArrowException, KeyError, ValueError, OSError) as error:
            raise self._no_part(name, str(error)) from error
        if table.num_rows != part.rows:
            raise self._no_part(name, f"it has {table.num_rows} rows and not {part.rows}")
        return table

    def _no_part(self, name: str, reason: str) -> BatchError:
        return BatchError(f"{str(self.folder.path / name)!r} is not a part of a run: {reason}")


def maxima_of_table(table: "pa.Table") -> Maxima:
    """Return the best similarities of the reviews of a part."""
    of_sentences, n_sentences = lists_of(table, "sentence_maxima")
    of_references, n_references = lists_of(table, "reference_maxima")
    return Maxima(
        of_sentences.astype(np.float64),
        n_sentences,
        of_references.astype(np.float64),
        n_references,
    )


def _rated(
    table: "pa.Table", systems: dict[str, int]
) -> tuple[Maxima, NDArray[np.intp], NDArray[np.float64]]:
    """Maxima, systems by their numbers in `systems`, which grows, and ratings of a part."""
    from pyarrow import compute

    compared = table.filter(compute.greater(table.column("n_pseudo_references"), 0))
    names = compared.column("system").combine_chunks().dictionary_encode()
    numbers = [systems.setdefault(name, len(systems)) for name in names.dictionary.to_pylist()]
    return (
        maxima_of_table(compared),
        np.array(numbers, dtype=np.intp)[names.indices.to_numpy()],
        np.column_stack([compared.column(name).to_numpy() for name in _PEOPLE]),
    )


class _Changes:
    """Changes of a run as they are read: those compared, those left out, and warnings."""

    def __init__(self) -> None:
        self.compared: list[ComparedChange] = []
        self.texts: list[tuple[str, ...]] = []
        self.left_out: list[LeftOut] = []
        self.warnings: list[str] = []
        self.position: dict[int, int] = {}
        self._ids = UniqueIds()

    def add(self, table: "pa.Table") -> None:
        for row in table.to_pylist():
            change_id = self._ids.take(row["id"])
            self.warnings += (f"{change_id}: {warning}" for warning in row["warnings"])
            if row["left_out"] is not None:
                self.left_out.append(LeftOut(change_id, row["left_out"]))
                continue
            references = tuple(
                PseudoReference(**{**values, "kind": ReferenceKind(values["kind"])})
                for values in row["pseudo_references"]
            )
            self.position[row["number"]] = len(self.compared)
            self.texts.append(tuple(reference.text for reference in references))
            self.compared.append(
                ComparedChange(
                    change_id, row["language"] or "", row["diff"], references, row["title"]
                )
            )


def _compared(table: "pa.Table", changes: _Changes) -> Iterator[ComparedReview]:
    """Reviews of a part whose changes have pseudo-references; their matrices share memory."""
    sentences, n_sentences = lists_of(table, "sentences")
    similarity, n_cells = lists_of(table, "similarity")
    sentence_ends, cell_ends = np.cumsum(n_sentences).tolist(), np.cumsum(n_cells).tolist()
    texts = sentences.tolist()
    columns: dict[str, list[Any]] = {
        name: table.column(name).to_pylist()
        for name in _SHOWN
        if name not in {"sentences", "similarity"}
    }
    ratings = zip(*(columns[name] for name in _PEOPLE), strict=True)
    rows = zip(
        *(columns[name] for name in _SHOWN[:5]), columns["text"], columns["pseudo_references"],
        ratings, [0, *sentence_ends], sentence_ends, [0, *cell_ends], cell_ends, strict=False,
    )  # fmt: skip
    for (
        number, review_id, system, n_rows, n_columns, text, references, rated,
        sentence_start, sentence_end, cell_start, cell_end,
    ) in rows:  # fmt: skip
        position = changes.position.get(number)
        if position is None:
            continue
        yield ComparedReview(
            position,
            review_id,
            system,
            text,
            UNRATED if rated == (None, None, None) else Ratings(*rated),
            changes.texts[position] if references is None else tuple(references),
            tuple(texts[sentence_start:sentence_end]),
            similarity[cell_start:cell_end].reshape(n_rows, n_columns),
        )


def _with_own_ids(
    reviews: Sequence[ComparedReview], changes: Sequence[ComparedChange]
) -> Iterator[ComparedReview]:
    """Give each review an id that no other has; most have one already."""
    counts = Counter(review.id for review in reviews)
    ids = UniqueIds(review_id for review_id, count in counts.items() if count == 1)
    for review in reviews:
        if counts[review.id] > 1:
            own = ids.take(f"{changes[review.change].id}/{review.system}")
            yield replace(review, id=own)
        else:
            yield review
