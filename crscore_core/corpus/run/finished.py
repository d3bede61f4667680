"""A complete run: its description, its reviews, and the corpus that was scored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from crscore_core.corpus.exports import given_claims
from crscore_core.corpus.measures import MeasuredReviews
from crscore_core.corpus.part import REVIEWS_AT_ONCE, ScoredPart
from crscore_core.corpus.reading import Cell, TableRow, label_column
from crscore_core.corpus.reading.mapping import judge_figure, label_name
from crscore_core.corpus.reading.parquet import checked_parquet
from crscore_core.corpus.reading.table import cell_of
from crscore_core.corpus.reviews import PEOPLE_COLUMNS, Reviews
from crscore_core.corpus.run.answers import RIGHT, WORTH, RunAnswers
from crscore_core.corpus.run.folder import (
    REJECTS,
    RunDocument,
    RunFolder,
    WrittenPart,
    changes_name,
    part_name,
)
from crscore_core.corpus.run.judgements import RunJudgements
from crscore_core.corpus.table import change_schema, review_schema, table_of_parquet
from crscore_core.errors import InputError
from crscore_core.scoring import check_tau

if TYPE_CHECKING:
    import pyarrow as pa

_ANSWERED = {*PEOPLE_COLUMNS, label_column(RIGHT), label_column(WORTH)}
_CORPUS = ("id", "system", "review", "change", "title", "language", "diff", "claims")
_CHANGES_AT_HAND = 1_000
_FILES_AT_ONCE = 2_000

_sound: set[str] = set()
"""Checksums of files that a child process could read: a run may come from others."""


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
            InputError: there is no such folder, no run, an unfinished one, or its description is
                damaged.
        """
        if path.is_file():
            raise InputError(
                f"{str(path)!r} is a file, and a run is a folder; `crscore batch` makes one of "
                "exported reviews"
            )
        if not path.is_dir():
            raise InputError(f"there is no folder {str(path)!r}")
        folder = RunFolder(path)
        document = folder.finished()
        if document is None and folder.work.exists():
            raise InputError(
                f"the run {str(path)!r} is not finished; finish it with `crscore batch … --resume`"
            )
        if document is None:
            raise InputError(
                f"{str(path)!r} holds no finished run that this version reads; score its reviews "
                "again with `crscore batch`"
            )
        try:
            tau, encoder = check_tau(document.settings["tau"]), str(document.settings["encoder"])
        except (KeyError, TypeError, ValueError, InputError) as error:
            raise InputError(f"the settings of the run {str(path)!r} are damaged") from error
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
    def judgements(self) -> RunJudgements:
        """Judgements of this run by language models."""
        return RunJudgements(self.folder)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the reviews: those that they came with, and those of raters and judges."""
        said = [label_name(column) for column in self._said() if column not in PEOPLE_COLUMNS]
        return tuple(dict.fromkeys([*self.document.labels, *said]))

    def _said(self) -> Mapping[str, Mapping[int, float]]:
        """Return what raters and judges of this run say, by column and row."""
        return {**self.answers.means(), **self.judgements.values()}

    def reviews(self) -> Reviews:
        """Open the reviews whose changes have pseudo-references.

        Raises:
            InputError: a part is missing or damaged; later too, as columns are read when they are
                asked for.
        """
        try:
            return Reviews(
                self.document.settings,
                lambda names: _joined(self.parts(names), review_schema(self.labels), names),
                lambda names: _joined(self._changes(names), change_schema(), names),
                self.labels,
                self.document.warnings,
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise self._misfit from error

    @property
    def _misfit(self) -> InputError:
        return InputError(f"the tables of the run {str(self.folder.path)!r} do not fit each other")

    def measured(self, measure: str) -> MeasuredReviews:
        """Open the reviews with a measure, at the run's tau where it depends on it.

        Raises:
            InputError: a part is missing or damaged.
            InputError: there is no such measure.
        """
        return MeasuredReviews.of(self.reviews(), measure, self.tau)

    def copy(self, folder: RunFolder, name: str, corpus: str) -> None:
        """Copy the run, with its answers and judgements, to an empty folder under another name.

        `corpus` names what the reviews came from; if it is empty, the run's own name for it counts.

        Raises:
            InputError: a file is damaged, missing or a link, or the copy cannot be written.
        """
        for file, part in self.document.files.items():
            if folder.write(file, self.folder.pieces(file)) != part.sha256:
                raise InputError(f"{str(self.folder.path / file)!r} is damaged or has changed")
        if self.folder.has(REJECTS):
            folder.write(REJECTS, self.folder.pieces(REJECTS))
        self.answers.copy(folder.path)
        self.judgements.copy(folder)
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
            InputError: the folder cannot be read.
        """
        return sorted({*self.document.files} - set(self.folder.parts()))

    def parts(self, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
        """Read the reviews part by part, all columns of `review_schema` or some.

        Nothing of a part is looked at before its checksum is right. What raters and judges of this
        run say replaces the ratings and labels that its reviews came with.

        Raises:
            InputError: a part is missing or damaged.
        """
        schema = review_schema(self.document.labels)
        names = review_schema(self.labels).names if columns is None else list(columns)
        sayable = {name for name in names if name in _ANSWERED or judge_figure(name)}
        answered = self._said() if sayable else {}
        # A label of raters or judges has no column in the files, and may be gone by now.
        gone = sayable - {*schema.names}
        answered = {**{name: {} for name in gone}, **answered}
        read = [name for name in names if name in schema.names]
        if {*names} & {*answered}:
            read = list(dict.fromkeys([*read, "row"]))
        for part in self.document.parts:
            table = self._table(part_name(part.number), part, schema, read)
            yield _with_answers(table, answered, names)

    def corpus_rows(self) -> Iterator[TableRow]:
        """Read the corpus that was scored: a row a review with its change, ratings and labels.

        Columns are `corpus_columns`. Changes are held in memory, claims made of the diff left out.

        Raises:
            InputError: a part is missing or damaged.
        """
        columns = ["number", "id", "title", "language", "diff", "pseudo_references"]
        changes = _joined(self._changes(columns), change_schema(), columns)
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
                if row["change"] not in places:
                    raise self._misfit
                known = {name: row[name] for name in ("id", "system")} | {"review": row["text"]}
                numbers = {name: row[name] for name in judged}
                yield TableRow(row["row"], known | change_cells(row["change"]) | numbers)

    @property
    def corpus_columns(self) -> tuple[str, ...]:
        """Columns of `corpus_rows`."""
        return (*_CORPUS, *PEOPLE_COLUMNS, *map(label_column, self.labels))

    def _changes(self, columns: Sequence[str]) -> Iterator["pa.Table"]:
        schema = change_schema()
        for part in self.document.change_parts:
            yield self._table(changes_name(part.number), part, schema, columns)

    def _table(
        self, name: str, part: WrittenPart, schema: "pa.Schema", columns: Sequence[str]
    ) -> "pa.Table":
        import pyarrow as pa

        content = self.folder.read(name, part.sha256)
        try:
            self._check_from(name, part.sha256)
            schema = pa.schema([schema.field(column) for column in columns])
            table = table_of_parquet(content, schema)
        except (pa.ArrowException, InputError, KeyError, ValueError, OSError) as error:
            raise self._no_part(name, str(error)) from error
        if table.num_rows != part.rows:
            raise self._no_part(name, f"it has {table.num_rows} rows and not {part.rows}")
        return table

    def _check_from(self, first: str, sha256: str) -> None:
        """Have a child process read this file and others, unless one has done so.

        Raises:
            InputError: this file is damaged, or too large to be read.
        """
        if sha256 in _sound:
            return
        others = [name for name, part in self.document.files.items() if part.sha256 not in _sound]
        names = dict.fromkeys([first, *others[:_FILES_AT_ONCE]])
        try:
            _sound.update(checked_parquet([self.folder.path / name for name in names]))
        except InputError:
            if sha256 not in _sound:  # else another file is at fault
                raise

    def _no_part(self, name: str, reason: str) -> InputError:
        return InputError(f"{str(self.folder.path / name)!r} is not a part of a run: {reason}")


def write_reviews(
    folder: RunFolder, reviews: Reviews, name: str, corpus: str = "", *, created: datetime | None
) -> None:
    """Write reviews that were scored in memory as a run; see `RunDocument` for the rest.

    Raises:
        InputError: a file cannot be written.
    """
    table = reviews.read_reviews(review_schema(reviews.labels).names)
    changes = reviews.read_changes(change_schema().names)
    starts = range(0, max(len(table), len(changes)), REVIEWS_AT_ONCE)
    written = [
        folder.write_part(
            ScoredPart(number, *(one.slice(start, REVIEWS_AT_ONCE) for one in (changes, table)))
        )
        for number, start in enumerate(starts)
    ]
    folder.finish(
        RunDocument(
            reviews.settings,
            len(changes),
            0,
            tuple(part.reviews for part in written),
            tuple(part.changes for part in written),
            name,
            corpus,
            None if created is None else created.isoformat(),
            reviews.remarks,
            reviews.labels,
        )
    )


def _joined(tables: "Iterator[pa.Table]", schema: "pa.Schema", names: Sequence[str]) -> "pa.Table":
    """Join tables that have the columns of these names; none give an empty table."""
    import pyarrow as pa

    empty = pa.schema([schema.field(name) for name in names]).empty_table()
    return pa.concat_tables([empty, *tables])


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
