"""Background jobs of the server: they queue, run, and stop when no longer wanted."""

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from enum import Enum
from typing import Generic, NoReturn, TypeVar

from crscore_core.errors import InputError

PATIENCE = 300.0
"""Seconds without a status request after which a job is stopped; a browser asks at least once a
minute, even from a background tab."""

KEPT = 3600.0
"""Seconds without a status request after which an ended job is forgotten."""

MOST_JOBS = 100
"""Limit of unfinished jobs on a board; more would only wait."""

_BETWEEN_ROUNDS = 5.0
_BETWEEN_LOOKS = 0.5

ProgressT = TypeVar("ProgressT")
ResultT = TypeVar("ResultT")
QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")

Work = Callable[[Callable[[ProgressT], None], threading.Event], ResultT]
"""Work of a job, called with a function that reports progress and an event that is set to stop it.
Once stopped, it raises `CancelledError`, or an `InputError` that says what was saved."""


class Line:
    """A first-come-first-served queue that serves `most` tickets at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tickets: list[object] = []
        self._moved = threading.Condition()

    def join(self, ticket: object) -> None:
        """Join the end of the queue."""
        with self._moved:
            self._tickets.append(ticket)

    def leave(self, ticket: object) -> None:
        """Leave the queue, served or not; a ticket that already left is ignored."""
        with self._moved:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
                self._moved.notify_all()

    def wait(self, ticket: object, tell: Callable[[int], None]) -> None:
        """Wait until a ticket is served or has left.

        `tell` is called from time to time with its place among those waiting, from 1; an error
        that `tell` raises ends the wait.
        """
        with self._moved:
            while place := self._place(ticket):
                tell(place)
                self._moved.wait(_BETWEEN_LOOKS)

    def _place(self, ticket: object) -> int:
        waiting = self._tickets[self._most :]
        return waiting.index(ticket) + 1 if ticket in waiting else 0


class JobState(Enum):
    """State of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobStatus(Generic[ProgressT, ResultT]):
    """The status of a job at one moment.

    `progress` is None until something is reported, `result` until the job is done, and `error`
    until it has stopped or failed. `place` is the place in the queue, from 1, of a waiting job.
    """

    state: JobState
    progress: ProgressT | None = None
    result: ResultT | None = None
    error: str | None = None
    place: int = 0

    @property
    def is_over(self) -> bool:
        """True if the job has ended."""
        return self.state not in {JobState.WAITING, JobState.RUNNING}


class Job(Generic[ProgressT, ResultT]):
    """Work that starts when the job reaches the front of a queue.

    `name` is shown at the start of messages, such as `the download`.
    """

    def __init__(self, work: Work[ProgressT, ResultT], name: str, line: Line) -> None:
        self._work = work
        self._name = name
        self._line = line
        self._stopping, self._why = threading.Event(), ""
        self._now: JobStatus[ProgressT, ResultT] = JobStatus(JobState.WAITING)
        self._began = self._wanted = time.monotonic()
        line.join(self)
        # A daemon: the server does not wait for the job on exit.
        self._thread = threading.Thread(target=self._run, name="crscore-job", daemon=True)
        self._thread.start()

    @property
    def is_stopping(self) -> bool:
        """True if the job was asked to stop."""
        return self._stopping.is_set()

    @property
    def status(self) -> JobStatus[ProgressT, ResultT]:
        """The current status, without showing interest in the job."""
        return self._now

    def now(self) -> JobStatus[ProgressT, ResultT]:
        """Return the current status; this marks the job as still wanted."""
        self._wanted = time.monotonic()
        return self._now

    def age(self) -> float:
        """Return the seconds since the job started."""
        return time.monotonic() - self._began

    def unwanted(self) -> float:
        """Return the seconds since the last call of `now`."""
        return time.monotonic() - self._wanted

    def stop(self, why: str = "") -> None:
        """Ask the job to stop soon; the next job in the queue takes its place at once."""
        self._why = why
        self._stopping.set()
        self._line.leave(self)

    def wait(self, seconds: float | None = None) -> JobStatus[ProgressT, ResultT]:
        """Wait for the job to end, for at most `seconds`; return its status."""
        self._thread.join(seconds)
        return self.now()

    def _run(self) -> None:
        try:
            self._await_turn()
            result = self._work(self._note, self._stopping)
        except CancelledError:
            self._end(JobState.STOPPED, error=f"{self._name} was stopped{self._why}")
        except InputError as error:
            state = JobState.STOPPED if self.is_stopping else JobState.FAILED
            self._end(state, error=str(error))
        except MemoryError:
            message = f"{self._name} ran out of memory; try again later, or with less data"
            self._end(JobState.FAILED, error=message)
        except BaseException:
            self._end(JobState.FAILED, error=f"{self._name} failed; see the log")
            raise
        else:
            self._end(JobState.DONE, result)
        finally:
            del self._work  # it may hold a token, which must not outlive the job
            self._line.leave(self)

    def _await_turn(self) -> None:
        self._line.wait(self, self._tell)
        if self.is_stopping:
            raise CancelledError
        self._began = time.monotonic()
        self._now = JobStatus(JobState.RUNNING)

    def _tell(self, place: int) -> None:
        self._now = JobStatus(JobState.WAITING, place=place)

    def _note(self, progress: ProgressT) -> None:
        self._now = JobStatus(JobState.RUNNING, progress)

    def _end(
        self, state: JobState, result: ResultT | None = None, error: str | None = None
    ) -> None:
        self._now = JobStatus(state, self._now.progress, result, error)


def _refuse(*_: object) -> NoReturn:
    raise InputError(f"{MOST_JOBS} others are already waiting; try again later")


class JobBoard(Generic[ProgressT, ResultT]):
    """Jobs of a server by key, all in one queue.

    A job is stopped after `patience` seconds without a status request. An ended job is forgotten
    after `kept` seconds without one, or when `MOST_JOBS` others have ended since.
    """

    def __init__(self, line: Line, patience: float = PATIENCE, kept: float = KEPT) -> None:
        self._line = line
        self._patience, self._kept = patience, kept
        self._jobs: dict[Hashable, Job[ProgressT, ResultT]] = {}
        self._lock = threading.Lock()
        self._watches = False

    def begin(
        self, key: Hashable, work: Work[ProgressT, ResultT], name: str
    ) -> Job[ProgressT, ResultT]:
        """Start a job, or return the unfinished one with the same key.

        If `MOST_JOBS` are already unfinished, the new job fails at once.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not job.now().is_over:
                return job
            if sum(not job.status.is_over for job in self._jobs.values()) < MOST_JOBS:
                job = Job(work, name, self._line)
            else:
                job = Job(_refuse, name, Line(1))
            self._jobs[key] = job
            ended = [each for each, job in self._jobs.items() if job.status.is_over]
            for each in ended[:-MOST_JOBS]:
                del self._jobs[each]
            if not self._watches:
                self._watches = True
                threading.Thread(target=self._watch, name="crscore-board", daemon=True).start()
            return job

    def find(self, key: Hashable) -> Job[ProgressT, ResultT] | None:
        """Return the job of a key; None if it is unknown or was forgotten."""
        return self._jobs.get(key)

    def _watch(self) -> None:
        while self._watches:
            time.sleep(min(_BETWEEN_ROUNDS, self._patience / 2))
            with self._lock:
                for key, job in list(self._jobs.items()):
                    if job.status.is_over:
                        if job.unwanted() > self._kept:
                            del self._jobs[key]
                    elif job.unwanted() > self._patience and not job.is_stopping:
                        job.stop(" because its page was closed")
                self._watches = bool(self._jobs)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked(Generic[QuestionT, AnswerT]):
    group: Hashable
    question: QuestionT
    size: int
    answer: Future[AnswerT]


class Desk(Generic[QuestionT, AnswerT]):
    """Batches questions from many threads, in order of arrival.

    The thread whose question is served answers it together with waiting questions of the same
    group, up to a total size of `most`; at most `clerks` threads answer at a time.
    """

    def __init__(self, clerks: int, most: int) -> None:
        self._most = most
        self._line = Line(clerks)
        self._waiting: dict[_Asked[QuestionT, AnswerT], None] = {}
        self._lock = threading.Lock()

    def ask(
        self,
        group: Hashable,
        question: QuestionT,
        size: int,
        answer: Callable[[Sequence[QuestionT]], Sequence[AnswerT]],
        tell: Callable[[int], None],
    ) -> AnswerT:
        """Return the answer to a question.

        `answer` must be equivalent for all questions of a group, and must not depend on which
        questions are batched. If a batch fails, each question is asked alone. `tell` is called
        from time to time with the place in the queue, from 1; an error that it raises withdraws
        the question.

        Raises:
            Exception: any that `answer` raises for this question alone.
        """
        asked: _Asked[QuestionT, AnswerT] = _Asked(group, question, size, Future())
        self._waiting[asked] = None
        self._line.join(asked)
        try:
            self._line.wait(asked, tell)
            if together := self._taken(asked):
                _answer(together, answer)
        finally:
            self._waiting.pop(asked, None)
            self._line.leave(asked)
        return asked.answer.result()

    def _taken(self, first: _Asked[QuestionT, AnswerT]) -> list[_Asked[QuestionT, AnswerT]]:
        """Take a question and those batched with it; nothing if another thread has taken it."""
        together, size = [first], first.size
        with self._lock:
            if first not in self._waiting:
                return []
            for asked in list(self._waiting):
                if asked is not first and asked.group == first.group:
                    size += asked.size
                    together += [asked] if size <= self._most else []
            for asked in together:
                del self._waiting[asked]
        for asked in together[1:]:
            self._line.leave(asked)
        return together


def _answer(
    together: Sequence[_Asked[QuestionT, AnswerT]],
    answer: Callable[[Sequence[QuestionT]], Sequence[AnswerT]],
) -> None:
    try:
        questions = [asked.question for asked in together]
        answered = list(zip(together, answer(questions), strict=True))
    except BaseException as error:  # noqa: BLE001 - raised again in the asking thread
        if len(together) == 1:
            together[0].answer.set_exception(error)
            return
        for asked in together:
            _answer([asked], answer)
    else:
        for asked, given in answered:
            asked.answer.set_result(given)
