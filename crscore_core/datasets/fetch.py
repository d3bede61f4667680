"""The human study's files as published, each with its checksum, and their download with pooch."""

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from crscore_core.caches import sha256_of
from crscore_core.datasets.study.location import CONTEXT_FOLDER, check_folder
from crscore_core.errors import InputError
from crscore_core.scoring.signature import package_version

if TYPE_CHECKING:
    import pooch

STUDY_LICENSE = "MIT"
STUDY_PAGE = "https://github.com/atharva-naik/CRScore"
STUDY_SOURCE = (
    "https://raw.githubusercontent.com/atharva-naik/CRScore/"
    "a5c843fafa79c1dd11cbcaf572c9ccc3bfce8ee8"
)
"""Address of the pinned commit, to which the path of a file is appended."""

_AT_ONCE = 8
_RETRIES = 3  # after 1, 2 and 3 seconds
_TIMEOUT = (10, 20)  # seconds to connect, and between bytes
_MOST_BYTES = 20_000_000
_WORK = ".download"  # how the names of hidden folders start
_ADDRESS = re.compile(r"https?://[^/?#@\s]+(/[^?#@\s]*)?")
"""Addresses without a user name or a query, since messages show them."""


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """Number of verified files in the folder, of those wanted, and of those just downloaded."""

    files: int
    all_files: int
    fetched: int = 0


@cache
def study_files() -> dict[str, str]:
    """Read the registry of pooch that comes with this package: checksums by path."""
    lines = Path(__file__).with_name("manifest.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines)


def is_context(path: str) -> bool:
    """Return True for a whole file before or after a change; these are most of the bytes."""
    return path.startswith(f"{CONTEXT_FOLDER}/")


def is_whole(path: Path, checksum: str) -> bool:
    """Return True if this is a file with this checksum."""
    return path.is_file() and f"sha256:{sha256_of(path)}" == checksum


def fetch_study(
    folder: Path,
    *,
    context_files: bool = True,
    source: str | None = None,
    progress: Callable[[FetchProgress], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> FetchProgress:
    """Download the files of the study that `folder` lacks or has with other content.

    Files appear in the folder whole and verified; after an error or once `stop` is set, the next
    call resumes. `context_files` includes the whole files around the changes. `source` is the
    address to which paths are appended, by default the mirror in `CRSCORE_STUDY_SOURCE` or the
    authors' repository. `progress` is called at the start and after each file.

    Raises:
        InputError: the folder cannot be used, or a file was not downloaded.
    """
    source = (source or os.environ.get("CRSCORE_STUDY_SOURCE") or STUDY_SOURCE).strip()
    if not _ADDRESS.fullmatch(source):
        raise InputError(
            "the source of the study must be an address that starts with https:// or http://, "
            "without a user name, '?' and '#'"
        )
    place = check_folder(folder)
    files = {
        path: checksum
        for path, checksum in study_files().items()
        if context_files or not is_context(path)
    }
    try:
        missing = {path: of for path, of in files.items() if not is_whole(place / path, of)}
        now = FetchProgress(len(files) - len(missing), len(files))
        if not now.files:
            _check_is_free(place)
        progress(now)
        if missing:
            for _ in _fetched_files(place, source, missing, stop or threading.Event()):
                now = replace(now, files=now.files + 1, fetched=now.fetched + 1)
                progress(now)
    except InputError as error:
        raise InputError(
            f"{error}; {now.all_files - now.files} of {now.all_files} study files are missing in "
            f"{place}, and the next download resumes from there"
        ) from error
    except OSError as error:
        raise InputError(f"cannot store the study in {place}: {error.strerror or error}") from error
    return now


def _fetched_files(
    place: Path, source: str, checksums: Mapping[str, str], stop: threading.Event
) -> Iterator[Path]:
    """Download files side by side, and yield each once it is in place."""
    import pooch

    pooch.get_logger().setLevel("ERROR")
    place.mkdir(parents=True, exist_ok=True)
    over, waiting = threading.Event(), iter(checksums)
    ended: SimpleQueue[tuple[str, Path | Exception]] = SimpleQueue()
    with tempfile.TemporaryDirectory(dir=place, prefix=_WORK, ignore_cleanup_errors=True) as work:
        address = f"{source.rstrip('/')}/"
        fetcher = pooch.Pooch(work, address, checksums, retry_if_failed=_RETRIES)
        for path in checksums:  # here, since pooch's threads would race
            Path(work, path).parent.mkdir(parents=True, exist_ok=True)

        def fetch_waiting() -> None:
            for path in waiting:
                if over.is_set():
                    return
                try:
                    ended.put((path, _fetched(fetcher, path, over)))
                except Exception as error:  # noqa: BLE001 - raised below
                    ended.put((path, error))

        # Daemons: at exit, none waits for a silent server.
        threads = [threading.Thread(target=fetch_waiting, daemon=True) for _ in range(_AT_ONCE)]
        try:
            for thread in threads:
                thread.start()
            left = len(checksums)
            while left:
                if stop.is_set():
                    raise InputError("stopped")
                with suppress(Empty):
                    path, staged = ended.get(timeout=0.1)
                    if isinstance(staged, Exception):
                        raise staged
                    (place / path).parent.mkdir(parents=True, exist_ok=True)
                    left -= 1
                    yield staged.replace(place / path)
        finally:
            over.set()
            for thread in threads:  # most end at once, and write nothing more
                thread.join(1 / _AT_ONCE)


def _fetched(fetcher: "pooch.Pooch", path: str, over: threading.Event) -> Path:
    """Download one file, unless `over` is set.

    Raises:
        InputError: it cannot be downloaded, is too large, or has another checksum.
    """
    import requests

    def check() -> None:
        if over.is_set():
            raise InputError("stopped")

    def stream(url: str, part: str, _: object) -> None:
        check()  # this may be a retry
        headers = {"User-Agent": f"crscore/{package_version()}"}
        verify = os.environ.get("SSL_CERT_FILE") or True
        with (
            requests.get(url, stream=True, timeout=_TIMEOUT, verify=verify, headers=headers) as got,
            Path(part).open("wb") as file,
        ):
            got.raise_for_status()
            for chunk in got.iter_content(65_536):
                check()
                if file.tell() + len(chunk) > _MOST_BYTES:
                    raise InputError(f"cannot download {url}: it exceeds {_MOST_BYTES:,} bytes")
                file.write(chunk)

    try:
        return Path(fetcher.fetch(path, downloader=stream))
    except (requests.RequestException, ValueError) as error:
        reason = _reason(error)
    except OSError as error:
        if error.errno is not None:  # of a file; requests raises others, as for SSL_CERT_FILE
            raise
        reason = _reason(error)
    raise InputError(f"cannot download {fetcher.get_url(path)}: {reason}")


def _reason(error: Exception) -> str:
    """Say why a request failed; the error's own words may hold the password of a proxy."""
    if "hash of downloaded file" in str(error):  # words of pooch
        return "the download has the wrong checksum"
    if (response := getattr(error, "response", None)) is not None:
        return f"the server answered {response.status_code} {response.reason}"
    return (
        f"no connection, or it broke ({type(error).__name__}); proxy and certificates are those "
        "of the environment (HTTPS_PROXY, SSL_CERT_FILE)"
    )


def _check_is_free(folder: Path) -> None:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    other = [name for name in names if not name.startswith(_WORK)]
    if other and "human_study" not in other:
        raise InputError(
            f"{folder} is used for something else, it contains {other[0]!r}; give a new folder"
        )
