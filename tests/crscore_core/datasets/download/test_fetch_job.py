"""Downloads in the background, against a real server."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from crscore_core.datasets.download.fetch_job import find_fetch, start_fetch
from crscore_core.job import JobState
from tests.crscore_core.datasets.download.file_server import (
    FILES,
    FileServer,
    drip,
    manifest_of,
    served,
    status,
)

WITHIN = 60


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    monkeypatch.setattr(
        "crscore_core.datasets.download.fetch.study_manifest", lambda: manifest_of(FILES)
    )
    with served() as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", files.address)
        yield files


@pytest.mark.usefixtures("server")
def test_a_job_ends_with_a_result(tmp_path: Path) -> None:
    assert find_fetch(tmp_path) is None
    job = start_fetch(tmp_path)
    end = job.wait(WITHIN)
    assert end.state is JobState.DONE
    assert end.result is not None
    assert end.result.fetched_files == len(FILES)
    assert end.progress is not None
    assert end.progress.size == end.progress.all_size
    assert find_fetch(tmp_path) is job


def test_a_job_that_fails_says_why_and_another_may_be_started(
    server: FileServer, tmp_path: Path
) -> None:
    server.plans["LICENSE"] = [status(404)]
    first = start_fetch(tmp_path)
    end = first.wait(WITHIN)
    assert end.state is JobState.FAILED
    assert "404" in str(end.error)
    second = start_fetch(tmp_path, context_files=False)
    assert second is not first
    assert second.wait(WITHIN).state is JobState.DONE


def test_a_running_job_is_joined_and_stopped(server: FileServer, tmp_path: Path) -> None:
    go = threading.Event()
    server.plans["LICENSE"] = [drip(go)]
    job = start_fetch(tmp_path)
    assert start_fetch(tmp_path) is job
    assert job.now().state is JobState.RUNNING
    job.stop()
    end = job.wait(WITHIN)
    go.set()
    assert end.state is JobState.STOPPED
    assert str(end.error).startswith("stopped: ")


def test_an_error_of_ours_ends_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    raised: list[object] = []
    monkeypatch.setattr("threading.excepthook", raised.append)
    monkeypatch.setattr("crscore_core.datasets.download.fetch_job.fetch_study", broken)
    end = start_fetch(tmp_path).wait(WITHIN)
    assert end.state is JobState.FAILED
    assert "secret" not in str(end.error)
    assert raised


@pytest.mark.usefixtures("server")
def test_only_so_many_are_remembered(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(20)]
    for folder in folders:
        start_fetch(folder).wait(WITHIN)
    assert find_fetch(folders[0]) is None
    assert find_fetch(folders[-1]) is not None
