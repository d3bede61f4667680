"""Work in the background: how it ends, and that it can be told to."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

import pytest

from crscore_core.errors import ClaimsError
from crscore_core.job import Job, JobState, JobStatus

WITHIN = 60

Note = Callable[[int], None]


def test_it_runs_beside_and_ends_with_a_result() -> None:
    go, noted = threading.Event(), threading.Event()

    def work(note: Note, _: threading.Event) -> str:
        note(1)
        noted.set()
        assert go.wait(WITHIN)
        return "result"

    job = Job(work, "the work")
    assert noted.wait(WITHIN)
    assert job.now() == JobStatus(JobState.RUNNING, progress=1)
    assert not job.is_stopping
    go.set()
    assert job.wait(WITHIN) == JobStatus(JobState.DONE, progress=1, result="result")
    assert job.age() >= 0


@pytest.mark.parametrize(
    ("error", "message"),
    [(CancelledError(), "the work was stopped"), (ClaimsError("2 are kept"), "2 are kept")],
)
def test_it_is_stopped(error: Exception, message: str) -> None:
    def work(_: Note, stopping: threading.Event) -> str:
        assert stopping.wait(WITHIN)
        raise error

    job = Job(work, "the work")
    job.stop()
    assert job.is_stopping
    assert job.wait(WITHIN) == JobStatus(JobState.STOPPED, error=message)


def test_what_is_done_before_it_could_stop_counts() -> None:
    def work(_: Note, stopping: threading.Event) -> str:
        assert stopping.wait(WITHIN)
        return "result"

    job = Job(work, "the work")
    job.stop()
    assert job.wait(WITHIN).state is JobState.DONE


def test_it_fails_with_a_reason() -> None:
    def work(note: Note, _: threading.Event) -> str:
        note(3)
        raise ClaimsError("there is no model")

    end = Job(work, "the work").wait(WITHIN)
    assert end == JobStatus(JobState.FAILED, progress=3, error="there is no model")


def test_an_error_of_ours_is_for_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr("threading.excepthook", raised.append)

    def work(_: Note, __: threading.Event) -> str:
        raise RuntimeError("secret detail")

    end = Job(work, "the work").wait(WITHIN)
    assert end == JobStatus(JobState.FAILED, error="the work failed; the log says why")
    assert raised
