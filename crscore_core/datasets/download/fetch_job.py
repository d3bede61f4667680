"""Downloads of the study that go on by themselves, one a folder."""

import threading
from collections.abc import Callable
from pathlib import Path

from crscore_core.datasets.download.fetch import FetchProgress, FetchResult, fetch_study
from crscore_core.job import Job, JobState

__all__ = ["FetchJob", "find_fetch", "start_fetch"]

FetchJob = Job[FetchProgress, FetchResult]

_MAX_REMEMBERED = 16
_jobs: dict[Path, FetchJob] = {}
_changing = threading.Lock()


def start_fetch(folder: Path, *, context_files: bool = True) -> FetchJob:
    """Download into `folder` in the background; one that already runs there is joined."""

    def fetch(note: Callable[[FetchProgress], None], stopping: threading.Event) -> FetchResult:
        return fetch_study(folder, context_files=context_files, progress=note, cancelled=stopping)

    with _changing:
        key = folder.absolute()
        job = _jobs.get(key)
        if job is None or job.now().state is not JobState.RUNNING:
            _forget_old_ones()
            job = Job(fetch, "the download")
            _jobs.pop(key, None)  # so that the newest are the last
            _jobs[key] = job
        return job


def find_fetch(folder: Path) -> FetchJob | None:
    """The download into `folder` that runs or was the last, None where there was none lately."""
    return _jobs.get(folder.absolute())


def _forget_old_ones() -> None:
    ended = [key for key, job in _jobs.items() if job.now().state is not JobState.RUNNING]
    for key in ended[: max(0, len(_jobs) - _MAX_REMEMBERED + 1)]:
        del _jobs[key]
