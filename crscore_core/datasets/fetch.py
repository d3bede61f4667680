"""Download the human study: a pinned commit, verified, in the foreground or as a job."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from crscore_core.datasets.download import WORK_FOLDER, Download, FetchProgress
from crscore_core.datasets.manifest import ManifestFile, study_manifest
from crscore_core.datasets.study.location import check_folder
from crscore_core.errors import StudyError
from crscore_core.job import Job, JobBoard, Line


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The outcome of a download: `files` are in `folder`, all verified.

    Of these, `fetched_files` with `fetched_bytes` were just downloaded.
    """

    folder: Path
    files: int
    fetched_files: int
    fetched_bytes: int

    @property
    def kept_files(self) -> int:
        """Number of files that were already there."""
        return self.files - self.fetched_files


FetchJob = Job[FetchProgress, FetchResult]


def fetch_study(
    folder: Path,
    *,
    context_files: bool = True,
    source: str | None = None,
    progress: Callable[[FetchProgress], None] = lambda _: None,
    cancelled: threading.Event | None = None,
) -> FetchResult:
    """Download the missing files of the study into `folder`.

    At any time the folder contains only whole, verified files, apart from a hidden folder. After
    an error or interruption, the next call downloads the files still missing. A file with wrong
    content is replaced once the right one is downloaded.

    `context_files` includes the whole files around the changes. `source` is the base address to
    which file paths are appended; None means the mirror in `CRSCORE_STUDY_SOURCE`, or the authors'
    repository. `progress` is called after each file, from another thread. Setting `cancelled`
    stops the download at once.

    Raises:
        StudyError: the folder cannot be used, another process is downloading into it, some files
            could not be downloaded (the first are named), or the download was cancelled.
    """
    manifest = study_manifest()
    wanted = manifest if context_files else manifest.without_context_files()
    address = _checked(source or os.environ.get("CRSCORE_STUDY_SOURCE") or manifest.source)
    place = check_folder(folder)
    stop = cancelled or threading.Event()
    missing: tuple[ManifestFile, ...] = ()
    try:
        if not all(file.is_in(place) for file in wanted.files):
            with _locked(place):
                missing = tuple(file for file in wanted.files if not file.is_in(place))
                Download(place, address, wanted, missing, progress, stop).run()
    except OSError as error:
        reason = error.strerror or error
        raise StudyError(f"cannot store the study in {place}: {reason}") from error
    return FetchResult(place, len(wanted.files), len(missing), sum(file.size for file in missing))


_AT_ONCE = 2
_downloads: JobBoard[FetchProgress, FetchResult] = JobBoard(Line(_AT_ONCE))


def start_fetch(folder: Path, *, context_files: bool = True) -> FetchJob:
    """Download into `folder` in the background; join one already running there."""

    def fetch(note: Callable[[FetchProgress], None], stopping: threading.Event) -> FetchResult:
        return fetch_study(folder, context_files=context_files, progress=note, cancelled=stopping)

    return _downloads.begin(folder.absolute(), fetch, "the download")


def find_fetch(folder: Path) -> FetchJob | None:
    """Return the download into `folder` that is running or ended recently, if any."""
    return _downloads.find(folder.absolute())


def _checked(source: str) -> str:
    """Return a source without its trailing slash, so that a path can be appended.

    Raises:
        StudyError: it is not an http or https address, or has a user name, query or fragment.
    """
    try:
        parts = urlsplit(source.strip())
        is_address = parts.scheme in {"http", "https"} and parts.port != 0 and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise StudyError("the source of the study must be an address that starts with https://")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # A possible secret is never sent, logged or shown.
        raise StudyError("the source of the study must not contain a user name, '?' or '#'")
    return source.strip().rstrip("/")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Create `folder` and keep other processes from downloading into it."""
    work = folder / WORK_FOLDER
    if folder.is_dir() and not work.is_dir() and not (folder / "human_study").is_dir():
        other = next((path.name for path in folder.iterdir()), None)
        if other is not None:
            raise StudyError(
                f"{folder} is used for something else, it contains {other!r}; give a new folder"
            )
    work.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(work / "lock", timeout=0):
            yield
    except Timeout as error:
        raise StudyError(
            f"another process is downloading into {folder}; wait for it, or stop it"
        ) from error
