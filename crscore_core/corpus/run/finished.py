"""A complete run: its description, its scores, and its reviews as a comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.exports import given_claims
from crscore_core.corpus.measures import PEOPLE, Measure, MeasuredReviews, measure_named
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import RatedMaxima, count_unscored
from crscore_core.corpus.reading import Cell, TableRow, label_column
from crscore_core.corpus.reading.table import cell_of
from crscore_core.corpus.run.answers import RIGHT, WORTH, RunAnswers
from crscore_core.corpus.run.contents import SHOWN_COLUMNS, comparison_of_tables
from crscore_core.corpus.run.document import RunDocument, WrittenPart
from crscore_core.corpus.run.folder import REJECTS, RunFolder, changes_name, part_name
from crscore_core.corpus.run.table import change_schema, lists_of, review_schema
from crscore_core.errors import BatchError, ThresholdError
from crscore_core.scoring import check_tau
from crscore_core.scoring.metric import Maxima

if TYPE_CHECKING:
    import pyarrow as pa

_PEOPLE = [f"human_{name}" for name in DIMENSIONS]
_ANSWERED = {*_PEOPLE, label_column(RIGHT), label_column(WORTH)}
_MEASURED = [
    "id", "system", "change", "n_pseudo_references", "n_sentences", "text", "human_relevance",
]  # fmt: skip
_CORPUS = ("id", "system", "review", "change", "title", "language", "diff", "claims")
_CHANGES_AT_HAND = 1_000
_RATED = ["system", "n_pseudo_references", "sentence_maxima", "reference_maxima", *_PEOPLE]


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
        if path.is_file():
            raise BatchError(
                f"{str(path)!r} is a file, and a run is a folder; `crscore batch` makes one of "
                "exported reviews"
            )
        if not path.is_dir():
            raise BatchError(f"there is no folder {str(path)!r}")
        folder = RunFolder(path)
        document = folder.finished()
        if document is None and folder.work.exists():
            raise BatchError(
                f"the run {str(path)!r} is not finished; finish it with `crscore batch … --resume`"
            )
        if document is None:
            raise BatchError(
                f"{str(path)!r} holds no finished run that this version reads; score its reviews "
                "again with `crscore batch`"
            )
        try:
            tau, encoder = check_tau(document.settings["tau"]), str(document.settings["encoder"])
        except (KeyError, TypeError, ValueError, ThresholdError) as error:
            raise BatchError(f"the settings of the run {str(path)!r} are damaged") from error
        return cls(folder, document, tau, encoder)

    @property
    def claims(self) -> str:
        """Name of the backend that made claims."""
        return str(self.document.settings.get("claims"))

    @property
    def answers(self) -> RunAnswers:
        """Answers of the people who rate this run."""
        return RunAnswers(self.folder.path)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the reviews: those that they came with, and those that raters gave."""
        answered = self.answers.means()
        given = [name for name in (RIGHT, WORTH) if label_column(name) in answered]
        return tuple(dict.fromkeys([*self.document.labels, *given]))

    def copy(self, folder: RunFolder, name: str, corpus: str) -> None:
        """Copy the run, with what people rated, to an empty folder as a new run of this name.

        `corpus` names what the reviews came from; if it is empty, the run's own name for it counts.

        Raises:
            BatchError: a file is damaged, missing or a link, or the copy cannot be written.
        """
        parts = {part_name(part.number): part for part in self.document.parts}
        parts |= {changes_name(part.number): part for part in self.document.change_parts}
        for file, part in parts.items():
            if folder.write(file, self.folder.pieces(file)) != part.sha256:
                raise BatchError(f"{str(self.folder.path / file)!r} is damaged or has changed")
        if self.folder.has(REJECTS):
            folder.write(REJECTS, self.folder.pieces(REJECTS))
        self.answers.copy(folder.path)
        folder.finish(
            replace(
                self.document,
                name=name,
                corpus=corpus or self.document.corpus,
                created=datetime.now(UTC).isoformat(),
            )
        )

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

        Nothing of a part is looked at before its checksum is right. What raters of this run answer
        replaces the ratings and labels that its reviews came with.

        Raises:
            BatchError: a part is missing or damaged.
        """
        schema = review_schema(self.document.labels)
        names = review_schema(self.labels).names if columns is None else list(columns)
        answered = self.answers.means() if _ANSWERED & {*names} else {}
        # A label of raters has no column in the files, and its answers may be gone by now.
        gone = (_ANSWERED & {*names}) - {*schema.names}
        answered = {**{name: {} for name in gone}, **answered}
        read = [name for name in names if name in schema.names]
        if {*names} & {*answered}:
            read = list(dict.fromkeys([*read, "row"]))
        for part in self.document.parts:
            table = self._table(part_name(part.number), part, schema, read)
            yield _with_answers(table, answered, names)

    def rated_maxima(self) -> RatedMaxima:
        """Read best similarities and ratings of the reviews, enough to score them at any tau.

        Reviews of changes without pseudo-references are left out.

        Raises:
            BatchError: a part is missing or damaged.
        """
        table = self.compared(_RATED)
        systems = table.column("system").combine_chunks().dictionary_encode()
        return RatedMaxima(
            maxima_of_table(table),
            tuple(systems.dictionary.to_pylist()),
            systems.indices.to_numpy().astype(np.intp),
            np.column_stack([table.column(name).to_numpy() for name in _PEOPLE]),
        )

    def measure(self, name: str) -> Measure:
        """Return the measure of a name; each label of the reviews is one.

        Raises:
            InputError: there is no such measure.
        """
        return measure_named(name, self.labels)

    def measured_reviews(self, measure: str) -> MeasuredReviews:
        """Read the reviews with a measure, at the run's tau where it depends on it.

        They are the reviews of `rated_maxima`, in its order. An empty review counts 0 in scores;
        see `count_unscored`.

        Raises:
            BatchError: a part is missing or damaged.
            InputError: there is no such measure.
        """
        from pyarrow import compute

        of = self.measure(measure)
        column = of.name if of.is_score else label_column(measure)
        column = "human_relevance" if measure == PEOPLE else column
        names = dict.fromkeys([*_MEASURED, column])
        table = self.compared([*names])
        systems = table.column("system").combine_chunks().dictionary_encode()
        values = table.column(column).to_numpy()
        words = compute.list_value_length(compute.utf8_split_whitespace(table.column("text")))
        n_sentences = table.column("n_sentences").to_numpy()
        return MeasuredReviews(
            of,
            table.column("id").to_pylist(),
            tuple(systems.dictionary.to_pylist()),
            systems.indices.to_numpy().astype(np.intp),
            table.column("change").to_numpy().astype(np.intp),
            count_unscored(values) if of.is_score else values.astype(np.float64),
            table.column("human_relevance").to_numpy(),
            words.to_numpy().astype(np.float64),
            n_sentences == 0,
        )

    def diffs(self) -> dict[int, str]:
        """Read the diffs of the changes, by their number.

        Raises:
            BatchError: a part is missing or damaged.
        """
        diffs: dict[int, str] = {}
        columns = ["number", "diff"]
        for part in self.document.change_parts:
            table = self._table(changes_name(part.number), part, change_schema(), columns)
            numbers, texts = (table.column(name).to_pylist() for name in columns)
            diffs |= zip(numbers, texts, strict=True)
        return diffs

    def compared(self, columns: Sequence[str]) -> "pa.Table":
        """Read columns of the reviews whose changes have pseudo-references.

        Raises:
            BatchError: a part is missing or damaged, or there is no review.
        """
        import pyarrow as pa
        from pyarrow import compute

        parts = list(self.parts(columns))
        if not parts:
            raise BatchError(f"the run {str(self.folder.path)!r} has no reviews")
        table = pa.concat_tables(parts)
        return table.filter(compute.greater(table.column("n_pseudo_references"), 0))

    def comparison(self) -> CorpusComparison:
        """Read every review with the pseudo-references of its change.

        Reviews of changes left out are not among them. An id that is there twice becomes
        CHANGE/SYSTEM, with a number behind it if need be.

        Raises:
            BatchError: a part is missing or damaged.
        """
        changes = self._change_tables()
        try:
            labels = self.labels
            shown = [*SHOWN_COLUMNS, *map(label_column, labels)]
            return comparison_of_tables(
                self.document, changes, self.parts(shown), labels, self.document.warnings
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise BatchError(
                f"the tables of the run {str(self.folder.path)!r} do not fit each other"
            ) from error

    def corpus_rows(self) -> Iterator[TableRow]:
        """Read the corpus that was scored: a row a review with its change, ratings and labels.

        Columns are `corpus_columns`. Changes are held in memory, claims made of the diff left out.

        Raises:
            BatchError: a part is missing or damaged.
        """
        import pyarrow as pa

        changes = pa.concat_tables(self._change_tables())
        places = {number: place for place, number in enumerate(changes["number"].to_pylist())}

        @lru_cache(_CHANGES_AT_HAND)
        def change_cells(number: int) -> dict[str, Cell]:
            (change,) = changes.slice(places[number], 1).to_pylist()
            claims = given_claims(change["pseudo_references"])
            cells = {name: change[name] for name in ("title", "language", "diff")}
            return {"change": change["id"], **cells, "claims": cell_of(claims)}

        judged = self.corpus_columns[len(_CORPUS) :]
        for table in self.parts(["row", "id", "system", "text", "change", *judged]):
            for row in table.to_pylist():
                known = {name: row[name] for name in ("id", "system")} | {"review": row["text"]}
                numbers = {name: row[name] for name in judged}
                yield TableRow(row["row"], known | change_cells(row["change"]) | numbers)

    @property
    def corpus_columns(self) -> tuple[str, ...]:
        """Columns of `corpus_rows`."""
        return (*_CORPUS, *_PEOPLE, *map(label_column, self.labels))

    def _change_tables(self) -> "list[pa.Table]":
        parts = ((changes_name(part.number), part) for part in self.document.change_parts)
        return [self._table(name, part, change_schema()) for name, part in parts]

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


def _with_answers(
    table: "pa.Table", answers: Mapping[str, Mapping[int, float]], names: Sequence[str]
) -> "pa.Table":
    """Return the columns of these names, answers, by column and row, in place of what is there."""
    import pyarrow as pa

    for name in (name for name in names if name in answers):
        means = [answers[name].get(row) for row in table.column("row").to_pylist()]
        kept = [other for other in table.column_names if other != name]
        table = table.select(kept).append_column(name, pa.array(means, pa.float64()))
    return table.select(names)


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
