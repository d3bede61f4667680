"""Many files of the study at a time: how far they are, and when going on makes no sense."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from crscore_core.datasets.download.download import (
    Download,
    DownloadError,
    DownloadLimits,
    ServerError,
)
from crscore_core.datasets.download.manifest import Manifest, ManifestFile
from crscore_core.errors import StudyError
from crscore_core.scoring.signature import package_version

__all__ = ["Downloads", "FetchProgress", "FetchResult"]

_LOOKS_FOR_A_STOP_EVERY = 0.1  # seconds
_NAMED_IN_A_MESSAGE = 3


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far it is: files and bytes that are there, of all; what was there before counts."""

    files: int
    all_files: int
    size: int
    all_size: int


@dataclass(frozen=True, slots=True)
class FetchResult:
    """What was done: `files` are in `folder`, all verified, `fetched_files` of them just now.

    `fetched_bytes` is what came over the network for them.
    """

    folder: Path
    files: int
    fetched_files: int
    fetched_bytes: int

    @property
    def kept_files(self) -> int:
        """How many were there already."""
        return self.files - self.fetched_files


@dataclass(slots=True)
class Downloads:
    """The download into `folder` of those files of `wanted` that are `missing` there.

    `source`, `limits`, `progress` and `cancelled` are those of `fetch_study`.
    """

    folder: Path
    source: str
    limits: DownloadLimits
    wanted: Manifest
    missing: tuple[ManifestFile, ...]
    progress: Callable[[FetchProgress], None]
    cancelled: threading.Event
    _waiting: Iterator[ManifestFile] = field(init=False)
    _sizes: dict[str, int] = field(init=False)
    _came: int = 0
    _bytes_came: int = 0
    _problems: list[str] = field(default_factory=list)
    _server_errors_in_a_row: int = 0
    _folder_error: OSError | None = None
    _interrupted: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._waiting = iter(self.missing)
        self._sizes = {file.path: file.size for file in self.wanted.files}
        self._sizes.update((file.path, 0) for file in self.missing)

    async def run(self) -> None:
        """Download until all is there, or going on makes no sense."""
        async with self._client() as client:
            download = Download(client, self.source, self.folder, self.limits, self._stored)
            work = asyncio.create_task(self._get_all(download))
            while not work.done():
                await asyncio.wait([work], timeout=_LOOKS_FOR_A_STOP_EVERY)
                if self._is_over():
                    work.cancel()
            if not work.cancelled():
                work.result()  # nobody expects an exception here, so none may be lost

    def interrupt(self) -> None:
        """End it soon."""
        self._interrupted.set()

    def result(self) -> FetchResult:
        """What was done.

        Raises:
            StudyError, OSError: not all of it was done.
        """
        if self._folder_error is not None:
            raise self._folder_error
        count = len(self.wanted.files)
        if self._came == len(self.missing):
            return FetchResult(self.folder, count, self._came, self._bytes_came)
        left = f"{len(self.missing) - self._came} of {count} files of the study did not come"
        kept = "what came is kept, and the next download goes on from there"
        if self._is_stopped():
            raise StudyError(f"stopped: {left}; {kept}")
        named = "; ".join(sorted(self._problems)[:_NAMED_IN_A_MESSAGE])
        more = len(self._problems) - _NAMED_IN_A_MESSAGE
        rest = f"; and {more} more" if more > 0 else ""
        raise StudyError(
            f"{left} from {self.source}: {named}{rest}. Try again later or name another source; "
            f"{kept}"
        )

    def _client(self) -> httpx2.AsyncClient:
        try:
            return httpx2.AsyncClient(
                timeout=httpx2.Timeout(self.limits.read, connect=self.limits.connect, pool=None),
                limits=httpx2.Limits(max_connections=self.limits.at_once),
                follow_redirects=True,
                headers={"User-Agent": f"crscore/{package_version()}"},
            )
        except (OSError, ValueError, ImportError, httpx2.InvalidURL):
            raise StudyError(
                "no connection can be set up; look at the settings of proxies and certificates "
                "in the environment (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE)"
            ) from None  # as the cause may show the password of a proxy

    async def _get_all(self, download: Download) -> None:
        await asyncio.gather(*(self._get_next(download) for _ in range(self.limits.at_once)))

    async def _get_next(self, download: Download) -> None:
        for file in self._waiting:  # shared: each file goes to whoever is free
            try:
                await download.get(file)
            except DownloadError as error:
                self._problems.append(f"{file.path}: {error}")
                self._server_errors_in_a_row += isinstance(error, ServerError)
            except OSError as error:
                self._folder_error = error
                return
            else:
                self._came += 1
                self._server_errors_in_a_row = 0
                self._stored(file, file.size, 0)

    def _is_over(self) -> bool:
        """Whether someone wants it to end, or the rest would fail as well."""
        return (
            self._is_stopped()
            or self._folder_error is not None
            or self._server_errors_in_a_row >= self.limits.at_once
        )

    def _is_stopped(self) -> bool:
        return self.cancelled.is_set() or self._interrupted.is_set()

    def _stored(self, file: ManifestFile, there: int, new: int) -> None:
        self._sizes[file.path] = there
        self._bytes_came += new
        files = len(self.wanted.files)
        self.progress(
            FetchProgress(
                files=files - len(self.missing) + self._came,
                all_files=files,
                size=sum(self._sizes.values()),
                all_size=self.wanted.size,
            )
        )
