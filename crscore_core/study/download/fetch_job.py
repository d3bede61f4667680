"""Downloads of the study that go on by themselves, whoever looks at them or stops looking."""

import threading
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from crscore_core.errors import StudyError
from crscore_core.study.download.fetch import FetchProgress, FetchResult, fetch_study

__all__ = ["FetchJob", "FetchState", "JobState", "find_fetch", "start_fetch"]


class FetchState(Enum):
    """Where a download stands."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobState:
    """A download at one moment.

    `progress` is None until the first bytes came. `result` is there once it is done, `error`
    once it was stopped or failed.
    """

    state: FetchState
    progress: FetchProgress | None = None
    result: FetchResult | None = None
    error: str | None = None


class FetchJob:
    """A download in a thread of its own; `start_fetch` makes them."""

    def __init__(self, folder: Path, *, context_files: bool) -> None:
        self._folder = folder
        self._context_files = context_files
        self._cancelled = threading.Event()
        self._now = JobState(FetchState.RUNNING)
        # A server that ends does not wait for it: what came is kept at any moment.
        self._thread = threading.Thread(target=self._run, name="crscore-fetch-job", daemon=True)
        self._thread.start()

    def now(self) -> JobState:
        """Where it stands."""
        return self._now

    def stop(self) -> None:
        """End it soon; what came is kept."""
        self._cancelled.set()

    def wait(self, seconds: float | None = None) -> JobState:
        """Where it stands once it has ended, or after `seconds`."""
        self._thread.join(seconds)
        return self._now

    def _run(self) -> None:
        try:
            result = fetch_study(
                self._folder,
                context_files=self._context_files,
                progress=self._note,
                cancelled=self._cancelled,
            )
        except StudyError as error:
            is_stopped = self._cancelled.is_set()
            self._end(FetchState.STOPPED if is_stopped else FetchState.FAILED, error=str(error))
        except BaseException:
            self._end(FetchState.FAILED, error="the download failed; the log says why")
            raise
        else:
            self._end(FetchState.DONE, result)

    def _note(self, progress: FetchProgress) -> None:
        self._now = JobState(FetchState.RUNNING, progress)

    def _end(
        self, state: FetchState, result: FetchResult | None = None, error: str | None = None
    ) -> None:
        self._now = JobState(state, self._now.progress, result, error)


_MAX_REMEMBERED = 16
_jobs: dict[Path, FetchJob] = {}
_changing = threading.Lock()


def start_fetch(folder: Path, *, context_files: bool = True) -> FetchJob:
    """Download into `folder` in the background; one that already runs there is joined."""
    with _changing:
        key = folder.absolute()
        job = _jobs.get(key)
        if job is None or job.now().state is not FetchState.RUNNING:
            _forget_old_ones()
            job = FetchJob(folder, context_files=context_files)
            _jobs.pop(key, None)  # so that the newest are the last
            _jobs[key] = job
        return job


def find_fetch(folder: Path) -> FetchJob | None:
    """The download into `folder` that runs or was the last, None where there was none lately."""
    return _jobs.get(folder.absolute())


def _forget_old_ones() -> None:
    ended = [key for key, job in _jobs.items() if job.now().state is not FetchState.RUNNING]
    for key in ended[: max(0, len(_jobs) - _MAX_REMEMBERED + 1)]:
        del _jobs[key]
