"""Download the human study: whole, verified, and as far as possible only once."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from crscore_core.datasets.download.download import WORK_FOLDER, DownloadLimits, is_verified
from crscore_core.datasets.download.downloads import Downloads, FetchProgress, FetchResult
from crscore_core.datasets.download.manifest import Manifest, study_manifest
from crscore_core.datasets.download.source import check_source, default_source
from crscore_core.datasets.study.location import check_folder
from crscore_core.errors import StudyError

__all__ = ["FetchProgress", "FetchResult", "fetch_study"]

_LIMITS = DownloadLimits()


def fetch_study(  # noqa: PLR0913 - all but the folder have a good default
    folder: Path,
    *,
    context_files: bool = True,
    source: str | None = None,
    progress: Callable[[FetchProgress], None] = lambda _: None,
    cancelled: threading.Event | None = None,
    limits: DownloadLimits = _LIMITS,
    manifest: Manifest | None = None,
) -> FetchResult:
    """Download into `folder` what it does not hold yet of the study.

    At any moment the folder holds whole, verified files only, beside a hidden folder of parts.
    After an error or an interruption the next call goes on where this one stopped. A file with
    other content is replaced once its own has come.

    `context_files` says whether the whole files around the changes come too; `source` is the
    address that a file's path follows, None for `default_source`. `progress` is called often,
    from another thread. Setting `cancelled` ends the download soon.

    Raises:
        StudyError: the folder cannot be used, or another process downloads into it; some files
            could not be had, and the first of them are named; or it was cancelled.
    """
    full = manifest or study_manifest()
    wanted = full if context_files else full.without_context_files()
    address = check_source(source or default_source(full))
    stop = cancelled or threading.Event()
    place = check_folder(folder)
    try:
        missing = [file for file in wanted.files if not is_verified(place / file.path, file)]
        if missing:
            with _locked(place):
                # Someone else may have brought some of them until the lock was ours.
                missing = [file for file in missing if not is_verified(place / file.path, file)]
                downloads = Downloads(
                    place, address, limits, wanted, tuple(missing), progress, stop
                )
                _run_beside(downloads)
                return downloads.result()
    except OSError as error:
        reason = error.strerror or error
        raise StudyError(f"cannot keep the study in {place}: {reason}") from error
    return FetchResult(place, len(wanted.files), 0, 0)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Make `folder` and keep other processes from downloading into it."""
    work = folder / WORK_FOLDER
    if folder.is_dir() and not work.is_dir() and not (folder / "human_study").is_dir():
        other = next((path.name for path in folder.iterdir()), None)
        if other is not None:
            raise StudyError(f"{folder} is for something else, it holds {other!r}; name a new one")
    work.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(work / "lock", timeout=0):
            yield
    except Timeout as error:
        raise StudyError(
            f"another process is downloading into {folder}; wait for it, or end it"
        ) from error


def _run_beside(downloads: Downloads) -> None:
    """Run in another thread, as this one may have an event loop, and wait until it ends."""
    outcome: Future[None] = Future()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(downloads.run()))
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
            outcome.set_exception(error)

    thread = threading.Thread(target=run, name="crscore-study-fetch", daemon=True)
    thread.start()
    try:
        outcome.result()
    except KeyboardInterrupt:
        downloads.interrupt()
        thread.join()
        raise
