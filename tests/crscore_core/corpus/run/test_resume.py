"""Runs that are interrupted, and gone on with: nothing is lost, nothing is done twice."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from crscore_core.corpus.part import Part, ScoredPart
from crscore_core.corpus.run import BatchJob, LocalEngine, run_batch
from crscore_core.corpus.run.recipe import Note, PartScorer
from crscore_core.corpus.run.work import Work
from crscore_core.errors import InputError
from tests.crscore_core.corpus.run.corpora import JobOf, contents, rows_of, run, write_rows

ROOT = Path(__file__).resolve().parents[4]
_MAIN = "from crscore_core.cli import main; main()"


class _InterruptedError(Exception):
    """Stands for whatever ends a program."""


class _Engine(LocalEngine):
    """Counts the parts that it is asked for, and is interrupted after so many."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__()
        self.left = most
        self.parts: list[int] = []

    def results(
        self, scorer: PartScorer, read: Callable[[int], Part], numbers: Sequence[int], note: Note
    ) -> Iterator[ScoredPart]:
        for part in super().results(scorer, read, numbers, note):
            if not self.left:
                raise _InterruptedError
            self.left -= 1
            self.parts.append(part.number)
            yield part


@pytest.mark.usefixtures("small_pieces")
def test_an_interrupted_run_ends_as_one_that_was_not(job_of: JobOf, tmp_path: Path) -> None:
    whole = job_of([*rows_of(9), "no json"], folder="whole")
    engine = _Engine()
    run_batch(whole, engine)
    assert engine.parts == [0, 1, 2, 3, 4]
    for most in range(5):
        job = replace(whole, folder=tmp_path / f"{most}.parquet", resume=True)
        first, second = _Engine(most), _Engine()
        with pytest.raises(_InterruptedError):
            run_batch(job, first)
        run_batch(job, second)
        assert first.parts + second.parts == engine.parts
        assert contents(job.folder) == contents(whole.folder)


@pytest.mark.usefixtures("small_pieces")
def test_an_intake_that_is_interrupted_begins_again(
    job_of: JobOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crscore_core.corpus.run.intake._ROWS_AT_ONCE", 10)
    job = job_of(rows_of(9), resume=True)
    add, rows = Work.add_review, iter(range(17))

    def until(work: Work, *arguments: Any) -> None:  # noqa: ANN401
        if next(rows, None) is None:
            raise _InterruptedError
        add(work, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Work, "add_review", until)
        with pytest.raises(_InterruptedError):
            run(job)
    assert run(job).reviews == 27
    whole = replace(job, folder=tmp_path / "whole.parquet")
    run_batch(whole, LocalEngine())
    assert contents(job.folder) == contents(whole.folder)


@pytest.mark.parametrize(
    "moments",
    [
        ["part-000000.parquet"],
        pytest.param(["_work.sqlite", "part-000000.parquet"], marks=pytest.mark.long),
    ],
)
def test_killed_it_ends_as_one_that_was_not(
    job_of: JobOf, tmp_path: Path, moments: list[str]
) -> None:
    rows = [row for row in rows_of(600) if row["review"]]
    whole = job_of(rows, folder="whole")
    run(whole)
    killed = replace(whole, folder=tmp_path / "killed.parquet", resume=True)
    chosen = random.Random()  # noqa: S311 - any moments will do
    for seen in moments:
        process = _command(killed, tmp_path / "caches of the command")
        while not (killed.folder / seen).exists():
            assert process.poll() is None
            time.sleep(0.005)
        time.sleep(chosen.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    run(killed)
    assert contents(killed.folder) == contents(whole.folder)


def _command(job: BatchJob, caches: Path) -> "subprocess.Popen[bytes]":
    arguments = ["batch", str(job.corpus), "-o", str(job.folder), "--encoder", job.recipe.encoder]
    return subprocess.Popen(
        [
            *(sys.executable, "-c", _MAIN, *arguments, "--tau", str(job.recipe.tau)),
            *("--resume", "--no-analyzers"),
        ],
        cwd=ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(caches)},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("most", [0, 1])
def test_other_settings_are_no_way_to_go_on(job_of: JobOf, most: int) -> None:
    job = job_of(rows_of(3), resume=True)
    with pytest.raises(_InterruptedError):
        run_batch(job, _Engine(most))
    before = contents(job.folder)
    other = replace(job, recipe=replace(job.recipe, tau=0.5, analyzers=True))
    with pytest.raises(
        InputError, match=r"analyzers was False and is True; tau was 0\.4 and is 0\.5"
    ):
        run(other)
    assert contents(job.folder).keys() == before.keys()
    with closing(Work(job.folder / "_work.sqlite")) as work:
        assert work.count("reviews") == 9
    write_rows(job.corpus, rows_of(4))
    with pytest.raises(InputError, match="the corpus, by its digest, was"):
        run(job)
    write_rows(job.corpus, rows_of(3))
    finished = run(job)
    assert run(job) == finished  # nothing is left to do
    with pytest.raises(InputError, match="tau was"):
        run(other)


def test_a_folder_is_not_written_over(job_of: JobOf, tmp_path: Path) -> None:
    job = job_of(rows_of(2))
    run(job)
    before = contents(job.folder)
    with pytest.raises(InputError, match="holds a run already; go on with it by --resume"):
        run(job)
    other = tmp_path / "mine"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    for resume in (True, False):
        with pytest.raises(InputError, match="is there already and is no run"):
            run_batch(replace(job, folder=other, resume=resume), LocalEngine())
        with pytest.raises(InputError, match="is there already and is no run"):
            run_batch(replace(job, folder=job.corpus, resume=resume), LocalEngine())
    assert contents(job.folder) == before
    assert contents(other) == {"letter.txt": b"dear"}


def test_a_finished_run_that_lost_a_part_is_not_called_done(job_of: JobOf) -> None:
    job = job_of(rows_of(2), resume=True)
    run(job)
    part = job.folder / "part-000000.parquet"
    part.write_bytes(part.read_bytes() + b"?")
    with pytest.raises(InputError, match=r"part-000000\.parquet' is damaged"):
        run(job)
    part.unlink()
    with pytest.raises(InputError, match=r"part-000000\.parquet' cannot be read: No such file"):
        run(job)


def test_parts_of_another_run_do_not_get_among_those_of_this(job_of: JobOf) -> None:
    job = job_of(rows_of(2), resume=True)
    run(job)
    (job.folder / "_run.json").unlink()
    with pytest.raises(InputError, match=r"holds part-000000\.parquet, but not the work"):
        run(job)


def test_a_run_is_known_without_its_lock(job_of: JobOf) -> None:
    job = job_of(rows_of(2), resume=True)
    finished = run(job)
    (job.folder / "_lock").unlink()
    assert run(job) == finished


def test_a_corpus_that_changes_while_it_is_read_is_an_error(
    job_of: JobOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = job_of(rows_of(2))
    add = Work.add_review

    def growing(work: Work, *arguments: Any) -> None:  # noqa: ANN401
        with job.corpus.open("a") as file:
            file.write("\n")
        add(work, *arguments)

    monkeypatch.setattr(Work, "add_review", growing)
    with pytest.raises(InputError, match="changed while it was read"):
        run(job)
    assert not job.folder.exists()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE notes SET text = '{' WHERE name = 'settings'",
        "UPDATE notes SET text = '[1]' WHERE name = 'settings'",
        "UPDATE changes SET cells = '[]'",
        "UPDATE changes SET cells = '{'",
        "UPDATE reviews SET change = 77",
        "UPDATE reviews SET labels = '{'",
        "UPDATE parts SET written = 'abc'",
        "UPDATE parts SET written = '{}'",
        "DROP TABLE parts",
    ],
)
def test_a_damaged_work_file_is_an_error(job_of: JobOf, change: str) -> None:
    job = job_of(rows_of(9), resume=True)
    with pytest.raises(_InterruptedError):
        run_batch(job, _Engine(most=2))
    with closing(sqlite3.connect(job.folder / "_work.sqlite")) as rows:
        rows.execute(change)
        rows.commit()
    with pytest.raises(InputError, match=r"_work\.sqlite"):
        run(job)


def test_two_runs_do_not_share_a_folder(job_of: JobOf) -> None:
    job = job_of(rows_of(2), resume=True)
    job.folder.mkdir()
    with (
        FileLock(job.folder / "_lock"),
        pytest.raises(InputError, match="another program is at work on the run"),
    ):
        run(job)
    assert run(job).reviews == 6


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("damage", ["cut", "changed", "folder"])
@pytest.mark.parametrize("kind", ["part", "_changes"])
def test_a_damaged_part_is_named_and_nothing_is_touched(
    job_of: JobOf, tmp_path: Path, damage: str, kind: str
) -> None:
    job = job_of(rows_of(9), resume=True)
    with pytest.raises(_InterruptedError):
        run_batch(job, _Engine(most=2))
    part = job.folder / f"{kind}-000000.parquet"
    good = part.read_bytes()
    part.unlink()
    if damage == "folder":
        part.mkdir()
    else:
        part.write_bytes(good[:-20] if damage == "cut" else good[:50] + b"?" + good[51:])
    with pytest.raises(InputError, match=rf"{kind}-000000\.parquet"):
        run(job)
    part.rename(tmp_path / "moved away")
    engine = _Engine()
    run_batch(job, engine)
    assert engine.parts == [0, 2, 3, 4]
    assert part.read_bytes() == good


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("most", [30_000, 90_000, 150_000, 300_000])
def test_a_full_disk_is_an_error_and_nothing_is_lost(
    job_of: JobOf, tmp_path: Path, most: int
) -> None:
    whole = job_of(rows_of(100), folder="whole")
    run(whole)
    job = replace(whole, folder=tmp_path / "out.parquet", resume=True)
    with (
        files_no_larger_than(most),
        pytest.raises(InputError, match="try again"),
    ):
        run(job)
    run(job)
    assert contents(job.folder) == contents(whole.folder)


@contextmanager
def files_no_larger_than(most: int) -> Iterator[None]:
    """Stands for a disk that is full: what is written beyond so many bytes of a file fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
