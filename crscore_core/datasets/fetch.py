"""Downloads with pooch: the human study from a pinned commit, or one file of a data set."""

import os
import re
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.caches import sha256_of
from crscore_core.datasets.manifest import ManifestFile, study_manifest
from crscore_core.datasets.study.location import check_folder
from crscore_core.errors import DatasetError, StudyError
from crscore_core.job import Job, JobBoard, Line
from crscore_core.scoring.signature import package_version

if TYPE_CHECKING:
    import pooch

_FILES_AT_ONCE, _STUDIES_AT_ONCE = 8, 2
_RETRIES = 3  # after 1, 2 and 3 seconds
_TIMEOUT = (10, 20)  # seconds to connect, and between bytes
_SECONDS_BETWEEN_LOOKS = 0.1
_SECONDS_TO_END = 1.0
_CHUNK = 8192  # bytes
_MOST_BYTES = 200_000_000
_WORK = ".download"  # how the names of hidden folders start
_WRONG_CHECKSUM = "hash of downloaded file"  # in the error of pooch
_ADDRESS = re.compile(r"https?://[^/?#@\s]+(/[^?#@\s]*)?(?P<query>\?[^#@\s]*)?")
"""Addresses without a user name, since messages show them."""


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """Files and bytes in the folder, including files that were there before, and the totals."""

    files: int
    all_files: int
    size: int
    all_size: int


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
_downloads: JobBoard[FetchProgress, FetchResult] = JobBoard(Line(_STUDIES_AT_ONCE))


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
    repository. `progress` is called at the start and after each file. Setting `cancelled` stops
    the download at once.

    Raises:
        StudyError: the folder cannot be used, a file cannot be downloaded, or the download was
            cancelled.
    """
    manifest = study_manifest()
    wanted = manifest if context_files else manifest.without_context_files()
    address = (source or os.environ.get("CRSCORE_STUDY_SOURCE") or manifest.source).strip()
    if not (match := _ADDRESS.fullmatch(address)) or match["query"]:
        raise StudyError(
            "the source of the study must be an address that starts with https:// or http://, "
            "without a user name, '?' and '#'"
        )
    place = check_folder(folder)
    fetched: list[ManifestFile] = []
    try:
        missing = [file for file in wanted.files if not file.is_in(place)]
        left = sum(file.size for file in missing)
        if missing:
            if len(missing) == len(wanted.files):
                _check_is_free(place)
            start = FetchProgress(
                len(wanted.files) - len(missing), len(wanted.files), wanted.size - left, wanted.size
            )
            progress(start)
            stop = cancelled or threading.Event()
            for file in _fetched_files(place, address.rstrip("/"), missing, stop):
                fetched.append(file)
                size = start.size + sum(file.size for file in fetched)
                progress(replace(start, files=start.files + len(fetched), size=size))
    except DatasetError as error:
        raise StudyError(
            f"{error}; {len(missing) - len(fetched)} of {len(wanted.files)} study files are "
            f"missing in {place}, and the next download resumes from there"
        ) from error
    except OSError as error:
        raise StudyError(f"cannot store the study in {place}: {error.strerror or error}") from error
    return FetchResult(place, len(wanted.files), len(missing), left)


def start_fetch(folder: Path, *, context_files: bool = True) -> FetchJob:
    """Download into `folder` in the background; join one already running there."""

    def fetch(note: Callable[[FetchProgress], None], stopping: threading.Event) -> FetchResult:
        return fetch_study(folder, context_files=context_files, progress=note, cancelled=stopping)

    return _downloads.begin(folder.absolute(), fetch, "the download")


def find_fetch(folder: Path) -> FetchJob | None:
    """Return the download into `folder` that is running or ended recently, if any."""
    return _downloads.find(folder.absolute())


def fetch_file(
    source: str,
    folder: Path,
    name: str,
    check: Callable[[Path], object],
    sha256: str | None = None,
) -> Path:
    """Download the file at `source` to `name` in `folder`, replacing an existing file.

    `check` reads the new file first, and raises an error if it is the wrong kind of file.

    Raises:
        DatasetError: the address is invalid, the download fails, the file is larger than 200 MB,
            fails `check` or has a checksum other than `sha256`, or the folder is not writable.
    """
    import pooch

    if not _ADDRESS.fullmatch(source):
        raise DatasetError(
            "--source must be the address of a file, start with https:// or http://, and have no "
            "user name"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=_WORK) as work:
            fetcher = pooch.Pooch(work, "", {name: None}, urls={name: source})
            staged = _fetched(fetcher, name, _MOST_BYTES, threading.Event())
            if sha256 and (digest := sha256_of(staged)) != sha256.strip().lower():
                raise DatasetError(
                    f"the file from {source} has the wrong checksum: its sha256 is {digest}"
                )
            check(staged)
            return staged.replace(folder / name)
    except OSError as error:
        raise DatasetError(f"cannot store {name} in {folder}: {error.strerror or error}") from error


def _fetched_files(
    place: Path, address: str, files: Iterable[ManifestFile], stop: threading.Event
) -> Iterator[ManifestFile]:
    """Download files side by side, and yield each once it is in place.

    Raises:
        DatasetError: a file cannot be downloaded, or `stop` was set.
    """
    import pooch

    place.mkdir(parents=True, exist_ok=True)
    over = threading.Event()
    with tempfile.TemporaryDirectory(dir=place, prefix=_WORK, ignore_cleanup_errors=True) as work:
        checksums = {file.path: f"sha256:{file.sha256}" for file in files}
        fetcher = pooch.Pooch(work, f"{address}/", checksums, retry_if_failed=_RETRIES)
        for path in checksums:  # here, since pooch's threads would race
            (Path(work) / path).parent.mkdir(parents=True, exist_ok=True)
        futures = {Future[Path](): file for file in files}
        waiting = deque(futures.items())

        def fetch_waiting() -> None:
            while not over.is_set():
                try:
                    future, file = waiting.popleft()
                except IndexError:
                    return
                try:
                    future.set_result(_fetched(fetcher, file.path, file.size, over))
                except Exception as error:  # noqa: BLE001 - `future.result` raises it
                    future.set_exception(error)
                    del future  # its error keeps this frame, and the connection

        threads = [  # daemons: at exit, none waits for a silent server
            threading.Thread(target=fetch_waiting, name="crscore-fetch", daemon=True)
            for _ in range(_FILES_AT_ONCE)
        ]
        try:
            for thread in threads:
                thread.start()
            left = set(futures)
            while left:
                done, left = wait(left, _SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
                for future in done:
                    target = place / futures[future].path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    future.result().replace(target)
                    yield futures[future]
                if stop.is_set():
                    raise DatasetError("stopped")
        finally:
            over.set()
            latest = time.monotonic() + _SECONDS_TO_END
            for thread in threads:  # most end at once, and write nothing more
                thread.join(max(0.0, latest - time.monotonic()))


def _fetched(fetcher: "pooch.Pooch", name: str, most: int, over: threading.Event) -> Path:
    """Download one file of at most `most` bytes, unless `over` is set.

    Raises:
        DatasetError: it cannot be downloaded, or has another checksum.
    """
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")

    def attempt(*request: Any) -> None:  # noqa: ANN401 - pooch's
        if over.is_set():
            raise DatasetError("stopped")
        pooch.HTTPDownloader(
            progressbar=_Bound(most, over),
            chunk_size=_CHUNK,
            timeout=_TIMEOUT,
            verify=os.environ.get("SSL_CERT_FILE") or True,
            headers={"User-Agent": f"crscore/{package_version()}"},
        )(*request)

    try:
        return Path(fetcher.fetch(name, downloader=attempt))
    except requests.RequestException as error:
        reason = _reason(error)
    except ValueError as error:
        is_wrong = _WRONG_CHECKSUM in str(error)
        reason = "the download has the wrong checksum" if is_wrong else _reason(error)
    except DatasetError as error:
        reason = str(error)
    except OSError as error:
        if error.errno is not None:  # of a file; requests raises others, as for SSL_CERT_FILE
            raise
        reason = _reason(error)
    # Outside of the handlers, since a future would keep their errors, and those the connection.
    raise DatasetError(f"cannot download {fetcher.get_url(name)}: {reason}")


def _reason(error: Exception) -> str:
    """Say why a request failed; the error's own words may hold the password of a proxy."""
    if (response := getattr(error, "response", None)) is not None:
        return f"the server answered {response.status_code} {response.reason}"
    return (
        f"no connection, or it broke ({type(error).__name__}); proxy and certificates are those "
        "of the environment (HTTPS_PROXY, SSL_CERT_FILE)"
    )


class _Bound:
    """A progress bar for pooch that ends a download once it is too large, or all is over."""

    def __init__(self, most: int, over: threading.Event) -> None:
        self.total = 0  # set by pooch
        self._most, self._over = most, over
        self._came = 0

    def update(self, count: int) -> None:
        self._came += count
        if self._over.is_set():
            raise DatasetError("stopped")
        if self._came > self._most + _CHUNK:  # pooch counts the last chunk as full
            raise DatasetError(f"the download exceeds the {self._most:,} bytes of the file")

    def reset(self) -> None:
        self._came = 0

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _check_is_free(folder: Path) -> None:
    there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    other = [name for name in there if not name.startswith(_WORK)]
    if other and "human_study" not in other:
        raise StudyError(
            f"{folder} is used for something else, it contains {other[0]!r}; give a new folder"
        )
