"""One file of the study, over HTTP: resumed, retried, checked, and put in place whole."""

import asyncio
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import responses
from pathlib import Path

import httpx2

from crscore_core.datasets.download.manifest import ManifestFile
from crscore_core.errors import StudyError
from crscore_core.retry_after import seconds_asked_for

__all__ = [
    "WORK_FOLDER",
    "Download",
    "DownloadError",
    "DownloadLimits",
    "ServerError",
    "is_verified",
]

WORK_FOLDER = ".download"
"""Where parts lie until they are whole, inside the study's folder."""

_WRONG_CONTENT_TWICE = 2
_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}


@dataclass(frozen=True, slots=True)
class DownloadLimits:
    """How long to wait, in seconds, and how often to try.

    `connect` and `read` are the longest waits for a connection and for the next bytes, `file`
    for one try of one file. `pause` comes before the second try and doubles for each further
    one; no pause exceeds `longest_pause`, whatever the server asks for. `at_once` is how many
    files are downloaded at the same time.
    """

    at_once: int = 8
    tries: int = 4
    connect: float = 10
    read: float = 20
    file: float = 300
    pause: float = 0.5
    longest_pause: float = 30


class DownloadError(StudyError):
    """Why one file did not come."""


class ServerError(DownloadError):
    """The server does not answer, or not as it should; other files may fare no better.

    `wait` is how long it asks to be left alone, in seconds.
    """

    def __init__(self, reason: str, wait: float = 0) -> None:
        self.wait = wait
        super().__init__(reason)


class _WrongContentError(DownloadError):
    """What came is not the file."""


@dataclass(frozen=True, slots=True)
class Download:
    """Downloads files from `source`, an address, into `folder`.

    `stored` is called with a file, how many of its bytes are there, and how many just came.
    """

    client: httpx2.AsyncClient
    source: str
    folder: Path
    limits: DownloadLimits
    stored: Callable[[ManifestFile, int, int], None]

    async def get(self, file: ManifestFile) -> None:
        """Download `file`; what lies in its place is replaced once its content is verified.

        Raises:
            DownloadError: it could not be had; what came of it is kept for the next time.
            OSError: the folder cannot be written to.
        """
        part = self.folder / WORK_FOLDER / f"{file.path.replace('/', '+')}.part"
        wrong = 0
        failures = 0
        while True:
            try:
                await self._try(file, part)
                break
            except _WrongContentError:
                self._discard(file, part)
                wrong += 1
                if wrong == _WRONG_CONTENT_TWICE:
                    raise
            except ServerError as error:
                failures += 1
                if failures == self.limits.tries:
                    raise
                pause = max(self.limits.pause * 2 ** (failures - 1), error.wait)
                await asyncio.sleep(min(pause, self.limits.longest_pause))
        target = self.folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(part, target)  # noqa: PTH105 - the word for what is atomic

    async def _try(self, file: ManifestFile, part: Path) -> None:
        try:
            async with asyncio.timeout(self.limits.file):
                await self._receive(file, part)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ServerError("the server is too slow") from error
        except httpx2.ConnectError as error:
            raise ServerError(f"no connection: {error}") from error
        except httpx2.RequestError as error:
            raise ServerError(f"the connection broke: {type(error).__name__}") from error
        size = part.stat().st_size
        if size < file.size:
            raise ServerError(f"only {size} of {file.size} bytes came")
        if not is_verified(part, file):
            raise _WrongContentError("what came is not the file: its checksum is another")

    async def _receive(self, file: ManifestFile, part: Path) -> None:
        """Add to `part` what is missing of it; a part that is whole asks for nothing."""
        offset = part.stat().st_size if part.exists() else 0
        self.stored(file, offset, 0)
        if 0 < offset == file.size:
            return
        if offset > file.size:
            self._discard(file, part)
            offset = 0
        # What is stored is what the checksum is of, so no compression on the way.
        headers = {"Accept-Encoding": "identity"} | (
            {"Range": f"bytes={offset}-"} if offset else {}
        )
        address = f"{self.source}/{file.path}"
        async with self.client.stream("GET", address, headers=headers) as response:
            if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and offset:
                self._discard(file, part)
                raise ServerError(f"the server has no more than {offset} of {file.size} bytes")
            _check_status(response)
            continues = response.headers.get("Content-Range", "").startswith(f"bytes {offset}-")
            is_part = response.status_code == HTTPStatus.PARTIAL_CONTENT
            if is_part and not continues:
                self._discard(file, part)
                raise ServerError("the server sends another part than asked for")
            if not is_part:
                self._discard(file, part)
                offset = 0
            with part.open("ab") as stream:
                async for piece in response.aiter_raw():
                    offset += len(piece)
                    if offset > file.size:
                        raise _WrongContentError(f"more than its {file.size} bytes came")
                    stream.write(piece)
                    self.stored(file, offset, len(piece))

    def _discard(self, file: ManifestFile, part: Path) -> None:
        part.unlink(missing_ok=True)
        self.stored(file, 0, 0)


def is_verified(path: Path, file: ManifestFile) -> bool:
    """Whether `path` has the size and the checksum of `file`."""
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256


def _check_status(response: httpx2.Response) -> None:
    code = response.status_code
    if code in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}:
        return
    reason = f"the server answers {code} {responses.get(code, '')}".rstrip()
    if code in _BUSY or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise ServerError(reason, wait=seconds_asked_for(response.headers.get("Retry-After", "")))
    raise DownloadError(reason)
