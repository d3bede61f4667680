"""Background jobs: queueing, end states, stopping and lookup."""

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from crscore_core.errors import InputError
from crscore_core.job import Desk, Job, JobBoard, JobState, JobStatus, Line

WITHIN = 60

Note = Callable[[int], None]
Work = Callable[[Note, threading.Event], str]


def job_of(work: Work, line: Line | None = None) -> Job[int, str]:
    return Job(work, "the work", line or Line(1))


@pytest.fixture
def go() -> Iterator[threading.Event]:
    """Event that ends the work of `until_told`."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def until_told(go: threading.Event) -> Work:
    """Work that reports 1 and returns its result when allowed, or ends when stopped."""

    def work(note: Note, stopping: threading.Event) -> str:
        note(1)
        while not go.wait(0.01):
            if stopping.is_set():
                raise CancelledError
        return "result"

    return work


def running(job: Job[int, str]) -> None:
    while job.now().progress is None:
        job.wait(0.01)


def test_a_job_runs_in_the_background_and_returns_a_result(
    until_told: Work, go: threading.Event
) -> None:
    job = job_of(until_told)
    running(job)
    assert job.now() == JobStatus(JobState.RUNNING, progress=1)
    assert not job.is_stopping
    go.set()
    assert job.wait(WITHIN) == JobStatus(JobState.DONE, progress=1, result="result")
    assert job.age() >= 0


def test_an_ended_job_releases_its_work_which_may_hold_a_token() -> None:
    class Holder:
        def __call__(self, _: Note, __: threading.Event) -> str:
            return "result"

    work = Holder()
    kept = weakref.ref(work)
    job = job_of(work)
    del work
    assert job.wait(WITHIN).result == "result"
    assert kept() is None


@pytest.mark.parametrize(
    ("error", "state", "message"),
    [
        (CancelledError(), JobState.STOPPED, "the work was stopped"),
        (InputError("2 are kept"), JobState.STOPPED, "2 are kept"),
        (InputError("no model"), JobState.FAILED, "no model"),
        (MemoryError(), JobState.FAILED, "the work ran out of memory; try again later, or with "),
        (RuntimeError("secret detail"), JobState.FAILED, "the work failed; see the log"),
        (None, JobState.DONE, None),  # done before it could stop
    ],
)
def test_a_job_ends_in_the_right_state(
    error: Exception | None,
    state: JobState,
    message: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raised: list[object] = []
    monkeypatch.setattr("threading.excepthook", raised.append)

    def work(note: Note, stopping: threading.Event) -> str:
        note(3)
        if state is not JobState.FAILED:
            assert stopping.wait(WITHIN)
        if error is not None:
            raise error
        return "result"

    job = job_of(work)
    if state is not JobState.FAILED:
        running(job)
        job.stop()
        assert job.is_stopping
    end = job.wait(WITHIN)
    assert (end.state, end.progress) == (state, 3)
    assert (end.error or "").startswith(message or "")
    assert (end.result is None) == (error is not None)
    assert bool(raised) == isinstance(error, RuntimeError)


def test_jobs_run_in_order_and_a_stopped_one_makes_room(
    until_told: Work, go: threading.Event
) -> None:
    line = Line(2)
    jobs = [job_of(until_told, line) for _ in range(5)]
    for job in jobs[:2]:
        running(job)

    def places() -> list[int]:
        return [job.now().place for job in jobs]

    def wait_for(expected: list[int]) -> None:
        while places() != expected:
            jobs[-1].wait(0.01)

    wait_for([0, 0, 1, 2, 3])
    assert {job.now().state for job in jobs[2:]} == {JobState.WAITING}
    jobs[3].stop()
    assert jobs[3].wait(WITHIN) == JobStatus(JobState.STOPPED, error="the work was stopped")
    wait_for([0, 0, 1, 0, 2])
    jobs[0].stop()  # its place is free before it has ended
    running(jobs[2])
    wait_for([0, 0, 0, 0, 1])
    go.set()
    assert jobs[4].wait(WITHIN).result == "result"


def test_waiting_questions_are_batched_and_errors_stay_separate() -> None:
    desk: Desk[int, int] = Desk(clerks=1, most=25)
    asked: list[list[int]] = []
    places: set[int] = set()
    begun, free, gave_up = threading.Event(), threading.Event(), threading.Event()

    def answer(questions: Sequence[int]) -> list[int]:
        asked.append(list(questions))
        begun.set()
        assert free.wait(WITHIN)
        if 3 in questions:
            raise InputError("three")
        return [10 * question for question in questions]

    def ask(question: int) -> int | str:
        def tell(place: int) -> None:
            places.add(place)
            if question == 5:
                gave_up.set()
                raise CancelledError
            if place >= 5 and gave_up.is_set():
                free.set()

        try:
            return desk.ask(question % 2, question, 10, answer, tell)
        except (InputError, CancelledError) as error:
            return type(error).__name__

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(ask, 0)
        assert begun.wait(WITHIN)
        others = pool.map(ask, [1, 2, 3, 4, 5, 6, 7])
        assert first.result(WITHIN) == 0
        assert list(others) == [10, 20, "InputError", 40, "CancelledError", 60, 70]
    assert asked[0] == [0]
    assert max(map(len, asked)) == 2  # of size 10 each
    assert all(len({question % 2 for question in group}) == 1 for group in asked)
    assert {1, 2} <= places


def test_a_board_finds_jobs_and_stops_unwanted_ones(
    until_told: Work, go: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    board: JobBoard[int, str] = JobBoard(Line(2), patience=0.2, kept=0.2)
    wanted = board.begin("one", until_told, "the work")
    assert board.begin("one", until_told, "the work") is wanted is board.find("one")
    assert board.find("two") is None
    other = board.begin("two", until_told, "the work")
    while not other.status.is_over:
        running(wanted)
    assert other.status.error == "the work was stopped because its page was closed"
    assert not wanted.is_stopping
    monkeypatch.setattr("crscore_core.job.MOST_JOBS", 1)
    refused = board.begin("three", until_told, "the work").wait(WITHIN)
    assert (refused.state, refused.error) == (
        JobState.FAILED, "1 others are already waiting; try again later",
    )  # fmt: skip
    go.set()
    wanted.wait(WITHIN)
    while board.find("one") or board.find("two"):
        threading.Event().wait(0.01)
