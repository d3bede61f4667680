"""A whole corpus -> a finished run, in bounded memory, going on where it was stopped."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from crscore_core.corpus.part import Part
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.corpus.reading import RowStream
from crscore_core.corpus.run.folder import (
    RunDocument,
    RunFolder,
    WrittenPair,
    changes_name,
    part_name,
)
from crscore_core.corpus.run.intake import take_in
from crscore_core.corpus.run.recipe import (
    Engine,
    PartScorer,
    Recipe,
    check_input,
    check_same,
    settings_of,
)
from crscore_core.corpus.run.sources import row_stream
from crscore_core.corpus.run.work import Work
from crscore_core.errors import InputError

_SETTINGS = "settings"
_READ = "read"


@dataclass(frozen=True, slots=True)
class BatchJob:
    """A corpus, how it is scored, and where the results go.

    Args:
        corpus: JSON Lines, CSV or Parquet, one row a review; each may be packed with gzip.
        folder: of the run; it must not be there unless `resume`.
        recipe: how the scores are made.
        columns: which column holds what, by field, where their names do not tell; see `take_in`.
        labels: columns that are labels; None for those by the names of labels.
        resume: go on with what is there already; where nothing is, begin.
    """

    corpus: Path
    folder: Path
    recipe: Recipe
    columns: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] | None = None
    resume: bool = False


def run_batch(job: BatchJob, engine: Engine, note: Note = silent_note) -> RunDocument:
    """Score a corpus; finished work survives any end of the program and is not repeated.

    Memory is bounded whatever the size of the corpus. Rows that cannot be used are set aside, in
    `_rejects.jsonl`; reviews that cannot be scored are among the others, without scores and with
    a warning that says why.

    Raises:
        InputError: the folder is in use, holds another run or is damaged, the disk is full, or no
            row can be used.
        InputError: the corpus cannot be read.
        InputError, UnavailableError, InputError: what the recipe names cannot be had.
    """
    stream = row_stream(job.corpus)
    settings = settings_of(job.corpus, job.columns, job.labels, job.recipe)
    folder = RunFolder(job.folder)
    with folder.held(resume=job.resume):
        document = folder.finished()
        if document is not None:
            check_same(document.settings, settings)
            for name, part in document.files.items():
                folder.read(name, part.sha256)
            folder.drop_work()
            return document
        if not folder.work.exists() and (parts := folder.parts()):
            raise InputError(
                f"{str(job.folder)!r} holds {parts[-1]}, but not the work that it belongs to; "
                "choose another name, or remove the folder"
            )
        with closing(Work(folder.work)) as work:
            begun_with = work.noted(_SETTINGS)
            if begun_with is None:
                work.note(_SETTINGS, settings)
            else:
                check_same(begun_with, settings)
            try:
                document = _Batch(job, engine, note, folder, work, settings).go(stream)
            except InputError:
                if begun_with is None and not work.written_parts():
                    work.close()
                    folder.clear()  # there is no finished work to go on with
                raise
        folder.finish(document)
        return document


@dataclass(frozen=True, slots=True)
class _Batch:
    job: BatchJob
    engine: Engine
    note: Note
    folder: RunFolder
    work: Work
    settings: Mapping[str, object]

    def go(self, stream: RowStream) -> RunDocument:
        read = self.work.noted(_READ)
        if read is None:
            note = self._noter(CorpusStage.INTAKE, stream.size)
            labels = take_in(stream, self.job.columns, self.job.labels, self.work, note)
            check_input(self.job.corpus, self.settings)
            self.folder.write_rejects(self.work.rejects())
            read = {"corpus": self.job.corpus.name, "labels": labels}
            self.work.note(_READ, read)
        for pair in self.work.written_parts():
            self._check(pair)
        self._score(tuple(read["labels"]))
        written = self.work.written_parts()
        return RunDocument(
            self.settings,
            self.work.count("changes"),
            self.work.count("rejects"),
            tuple(pair.reviews for pair in written),
            tuple(pair.changes for pair in written),
            corpus=str(read["corpus"]),
            labels=tuple(read["labels"]),
        )

    def _check(self, pair: WrittenPair) -> None:
        """Check the files of a part that was written before; it is made again if one is gone."""
        for name, part in (
            (changes_name(pair.changes.number), pair.changes),
            (part_name(pair.reviews.number), pair.reviews),
        ):
            if not os.path.lexists(self.folder.path / name):
                self.work.forget_part(part.number)
                return
            self.folder.read(name, part.sha256)

    def _score(self, labels: tuple[str, ...]) -> None:
        done = sum(pair.reviews.rows for pair in self.work.written_parts())
        note = self._noter(CorpusStage.SCORES, self.work.count("reviews"), done)
        note(done)
        at_work = 0

        def read(number: int) -> Part:
            nonlocal at_work
            part = self.work.part(number)
            at_work = part.reviews
            return part

        scorer = PartScorer(self.job.recipe, str(self.settings["encoder_digest"]), labels)

        def note_share(share: float) -> None:
            note(done + int(share * at_work))

        for part in self.engine.results(scorer, read, self.work.open_parts(), note_share):
            self.work.save_part(part.number, self.folder.write_part(part))
            done += len(part.reviews)
            note(done)

    def _noter(self, stage: CorpusStage, total: int, before: int = 0) -> Callable[[int], None]:
        return lambda done: self.note(CorpusProgress(stage, done, total, before))
