"""Work in a thread of its own that goes on whether or not somebody watches."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from crscore_core.errors import InputError

ProgressT = TypeVar("ProgressT")
ResultT = TypeVar("ResultT")

Work = Callable[[Callable[[ProgressT], None], threading.Event], ResultT]
"""Work of a job: called with a function that notes progress, and an event that tells it to end
soon. Told to end, it raises `CancelledError`, or an `InputError` that says what is kept."""


class JobState(Enum):
    """State of a job."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobStatus(Generic[ProgressT, ResultT]):
    """A job at one moment.

    `progress` is None until something is noted; `result` is None until the job is done, `error`
    until it is stopped or has failed.
    """

    state: JobState
    progress: ProgressT | None = None
    result: ResultT | None = None
    error: str | None = None


class Job(Generic[ProgressT, ResultT]):
    """Work that starts when the job is made.

    `name` is what people call it, such as `the download`; messages begin with it.
    """

    def __init__(self, work: Work[ProgressT, ResultT], name: str) -> None:
        self._work = work
        self._name = name
        self._stopping = threading.Event()
        self._now: JobStatus[ProgressT, ResultT] = JobStatus(JobState.RUNNING)
        self._started = time.monotonic()
        # A daemon: a server that ends does not wait for the job.
        self._thread = threading.Thread(target=self._run, name="crscore-job", daemon=True)
        self._thread.start()

    @property
    def is_stopping(self) -> bool:
        """True if the job was told to end."""
        return self._stopping.is_set()

    def now(self) -> JobStatus[ProgressT, ResultT]:
        """Return the present status."""
        return self._now

    def age(self) -> float:
        """Seconds since the job was started."""
        return time.monotonic() - self._started

    def stop(self) -> None:
        """Tell the job to end soon."""
        self._stopping.set()

    def wait(self, seconds: float | None = None) -> JobStatus[ProgressT, ResultT]:
        """Return the status at the end of the job, or after `seconds`."""
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
