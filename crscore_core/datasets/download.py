"""Download the study's files with pooch: several at a time, verified, then moved into place."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crscore_core.datasets.manifest import Manifest, ManifestFile
from crscore_core.errors import StudyError
from crscore_core.scoring.signature import package_version

if TYPE_CHECKING:
    import pooch

WORK_FOLDER = ".download"
"""Folder, inside the study's, for the lock and for incomplete files."""

_AT_ONCE = 8
_RETRIES = 3  # after 1, 2 and 3 seconds
_TIMEOUT = (10, 20)  # seconds to connect, and between bytes
_CHUNK = 8192  # bytes
_STOP_CHECK_SECONDS = 0.1  # seconds
_NAMED_IN_A_MESSAGE = 3
_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
_SETTINGS = (
    "cannot connect; check the proxy and certificate settings in the environment (HTTPS_PROXY, "
    "ALL_PROXY, SSL_CERT_FILE)"
)


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """Files and bytes in the folder, including files that were there before, and the totals."""

    files: int
    all_files: int
    size: int
    all_size: int


class _FileError(StudyError):
    """Reason why one file failed; `by_server` if other files may fail as well."""

    def __init__(self, reason: str, *, by_server: bool = False) -> None:
        self.by_server = by_server
        super().__init__(reason)


@dataclass(slots=True)
class Download:
    """A download of the `missing` files of `wanted` from the address `source` into `folder`.

    `progress` is called at the start and after each file, from several threads but never
    concurrently. Setting `cancelled` stops the download at once.
    """

    folder: Path
    source: str
    wanted: Manifest
    missing: tuple[ManifestFile, ...]
    progress: Callable[[FetchProgress], None]
    cancelled: threading.Event
    _left: dict[str, ManifestFile] = field(init=False)
    _problems: list[str] = field(default_factory=list)
    _server_errors_in_a_row: int = 0
    _failure: Exception | None = None
    _is_over: bool = False
    _changing: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._left = {file.path: file for file in self.missing}

    def run(self) -> None:
        """Download until all files are there, or there is no point in continuing.

        Raises:
            StudyError, OSError: some files are missing.
        """
        import pooch

        pooch.get_logger().setLevel("ERROR")
        staging = self.folder / WORK_FOLDER / "new"
        fetcher = pooch.Pooch(
            staging,
            f"{self.source}/",
            {file.path: f"sha256:{file.sha256}" for file in self.missing},
            retry_if_failed=_RETRIES,
        )
        for file in self.missing:  # here, since pooch's threads would race
            (staging / file.path).parent.mkdir(parents=True, exist_ok=True)
        waiting = iter(self.missing)  # shared: a file goes to the next free thread
        # Daemons, so that a silent server delays neither a stop nor an exit.
        threads = [
            threading.Thread(target=self._work, args=(fetcher, waiting), daemon=True)
            for _ in range(min(_AT_ONCE, len(self.missing)))
        ]
        self._tell()
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive() and not self._should_end():
                    thread.join(_STOP_CHECK_SECONDS)
        finally:
            with self._changing:
                self._is_over = True  # from now on no file is moved into place
            shutil.rmtree(staging, ignore_errors=True)
        if self._failure is not None:
            raise self._failure
        if self._left:
            raise StudyError(self._message())

    def _should_end(self) -> bool:
        """Return True if the download was cancelled, or the remaining files would fail as well."""
        return (
            self.cancelled.is_set()
            or self._failure is not None
            or self._server_errors_in_a_row >= _AT_ONCE
        )

    def _work(self, fetcher: "pooch.Pooch", waiting: Iterator[ManifestFile]) -> None:
        for file in waiting:
            try:
                self._get(fetcher, file)
            except _FileError as error:
                with self._changing:
                    self._problems.append(f"{file.path}: {error}")
                    self._server_errors_in_a_row += error.by_server
            except Exception as error:  # noqa: BLE001 - `run` raises it
                with self._changing:
                    if not self._is_over:  # later errors are due to the removed folder
                        self._failure = error
            if self._is_over or self._failure is not None:
                return

    def _get(self, fetcher: "pooch.Pooch", file: ManifestFile) -> None:
        """Download one file, and move it into place once verified."""
        import requests

        try:
            staged = fetcher.fetch(file.path, downloader=self._downloader(file))
        except requests.RequestException as error:
            raise _FileError(_diagnosis(error)[0], by_server=True) from error
        except ValueError as error:  # pooch's error for a wrong checksum
            raise _FileError("the download has the wrong checksum") from error
        target = self.folder / file.path
        with self._changing:
            if self._is_over:
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, target)  # noqa: PTH105 - atomic
            del self._left[file.path]
            self._server_errors_in_a_row = 0
            self._tell()

    def _downloader(self, file: ManifestFile) -> Callable[[str, Any, Any], None]:
        """Return pooch's downloader, made to fail for good if a retry cannot help."""
        import pooch

        def download(url: str, output_file: Any, fetcher: Any) -> None:  # noqa: ANN401 - pooch's
            if self._is_over:
                raise _FileError("stopped")
            get = pooch.HTTPDownloader(
                progressbar=_Bound(file.size),
                chunk_size=_CHUNK,
                timeout=_TIMEOUT,
                verify=os.environ.get("SSL_CERT_FILE") or True,
                headers={"User-Agent": f"crscore/{package_version()}"},
            )
            try:
                get(url, output_file, fetcher)
            except (ValueError, OSError) as error:  # includes errors of requests
                reason, may_pass = _diagnosis(error)
                if may_pass:
                    raise
                raise _FileError(reason) from None  # the cause may show a proxy password

        return download

    def _tell(self) -> None:
        self.progress(
            FetchProgress(
                files=len(self.wanted.files) - len(self._left),
                all_files=len(self.wanted.files),
                size=self.wanted.size - sum(file.size for file in self._left.values()),
                all_size=self.wanted.size,
            )
        )

    def _message(self) -> str:
        left = f"study files not downloaded: {len(self._left)} of {len(self.wanted.files)}"
        kept = "the rest is saved, and the next download resumes from there"
        if self.cancelled.is_set():
            return f"stopped: {left}; {kept}"
        named = "; ".join(sorted(self._problems)[:_NAMED_IN_A_MESSAGE])
        more = len(self._problems) - _NAMED_IN_A_MESSAGE
        rest = f"; and {more} more" if more > 0 else ""
        return (
            f"{left} (from {self.source}): {named}{rest}. Try again later or give another source; "
            f"{kept}"
        )


class _Bound:
    """A progress bar for pooch that stops a download larger than the file."""

    def __init__(self, size: int) -> None:
        self.total = 0  # set by pooch
        self._size = size
        self._came = 0

    def update(self, count: int) -> None:
        self._came += count
        if self._came > self._size + _CHUNK:  # pooch counts the last chunk as full
            raise _FileError(f"the download exceeds the {self._size} bytes of the file")

    def reset(self) -> None:
        self._came = 0

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _diagnosis(error: Exception) -> tuple[str, bool]:
    """Return why an attempt failed, without possible secrets, and whether a retry may succeed."""
    from requests import exceptions

    match error:
        case exceptions.HTTPError(response=response) if response is not None:
            code = response.status_code
            may_pass = code in _BUSY or code >= HTTPStatus.INTERNAL_SERVER_ERROR
            return f"the server answered {code} {response.reason}".rstrip(), may_pass
        case exceptions.ProxyError():
            reason = "the proxy set in the environment (HTTPS_PROXY, ALL_PROXY) failed"
        case exceptions.SSLError():
            reason = "the server's certificate is not trusted (SSL_CERT_FILE)"
        case exceptions.ConnectionError() | exceptions.Timeout():
            reason = "no connection, a broken connection, or no response in time"
        case exceptions.ChunkedEncodingError() | exceptions.TooManyRedirects():
            reason = f"the connection broke: {type(error).__name__}"
        case ValueError() | OSError(errno=None):  # such as an invalid address
            return _SETTINGS, False
        case _:  # such as a full disk
            reason = type(error).__name__
    return reason, True
