"""Work that goes on by itself, whoever looks at it or stops looking."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from crscore_core.errors import InputError

__all__ = ["Job", "JobState", "JobStatus", "Work"]

ProgressT = TypeVar("ProgressT")
ResultT = TypeVar("ResultT")

Work = Callable[[Callable[[ProgressT], None], threading.Event], ResultT]
"""What a job does: it is given a function that notes how far it is, and an event that is set when
it should end soon. It then raises `CancelledError`, or an `InputError` that says what is kept."""


class JobState(Enum):
    """Where a job stands."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobStatus(Generic[ProgressT, ResultT]):
    """A job at one moment.

    `progress` is None until something was noted. `result` is there once it is done, `error` once
    it was stopped or failed.
    """

    state: JobState
    progress: ProgressT | None = None
    result: ResultT | None = None
    error: str | None = None


class Job(Generic[ProgressT, ResultT]):
    """Work in a thread of its own, from now on.

    Args:
        work: what is to be done.
        name: what people call it, such as `the download`; messages begin with it.
    """

    def __init__(self, work: Work[ProgressT, ResultT], name: str) -> None:
        self._work = work
        self._name = name
        self._stopping = threading.Event()
        self._now: JobStatus[ProgressT, ResultT] = JobStatus(JobState.RUNNING)
        self._started = time.monotonic()
        # A server that ends does not wait for it.
        self._thread = threading.Thread(target=self._run, name="crscore-job", daemon=True)
        self._thread.start()

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to end."""
        return self._stopping.is_set()

    def now(self) -> JobStatus[ProgressT, ResultT]:
        """Where it stands."""
        return self._now

    def age(self) -> float:
        """How long ago it was started, in seconds."""
        return time.monotonic() - self._started

    def stop(self) -> None:
        """End it soon."""
        self._stopping.set()

    def wait(self, seconds: float | None = None) -> JobStatus[ProgressT, ResultT]:
        """Where it stands once it has ended, or after `seconds`."""
        self._thread.join(seconds)
        return self._now

    def _run(self) -> None:
        try:
            result = self._work(self._note, self._stopping)
        except CancelledError:
            self._end(JobState.STOPPED, error=f"{self._name} was stopped")
        except InputError as error:
            state = JobState.STOPPED if self.is_stopping else JobState.FAILED
            self._end(state, error=str(error))
        except BaseException:
            self._end(JobState.FAILED, error=f"{self._name} failed; the log says why")
            raise
        else:
            self._end(JobState.DONE, result)

    def _note(self, progress: ProgressT) -> None:
        self._now = JobStatus(JobState.RUNNING, progress)

    def _end(
        self, state: JobState, result: ResultT | None = None, error: str | None = None
    ) -> None:
        self._now = JobStatus(state, self._now.progress, result, error)
