"""Download one file of a data set from an address given by the user."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from crscore_core.caches import sha256_of
from crscore_core.errors import DatasetError
from crscore_core.scoring.signature import package_version

if TYPE_CHECKING:
    import requests

_TIMEOUT = (10, 20)  # seconds to connect, and between bytes
_MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A completely downloaded file: its path, size in bytes and SHA-256."""

    path: Path
    size: int
    sha256: str


def fetch_file(
    source: str,
    folder: Path,
    name: str,
    check: Callable[[Path], object],
    sha256: str | None = None,
) -> FetchedFile:
    """Download the file at `source` to `name` in `folder`, replacing an existing file.

    `check` reads the new file first, and raises an error if it is the wrong kind of file.

    Raises:
        DatasetError: the address is invalid, the download fails, the file is larger than 200 MB,
            fails `check` or has a checksum other than `sha256`, or the folder is not writable.
    """
    import requests

    _check_address(source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".download-") as work:
            staged = Path(work) / name
            headers = {"User-Agent": f"crscore/{package_version()}"}
            with requests.get(source, headers=headers, stream=True, timeout=_TIMEOUT) as answer:
                answer.raise_for_status()
                _write(answer, staged)
            digest = sha256_of(staged)
            if sha256 and digest != sha256.strip().lower():
                raise DatasetError(
                    f"the file from {source} has the wrong checksum: its sha256 is {digest}"
                )
            check(staged)
            size = staged.stat().st_size
            os.replace(staged, folder / name)  # noqa: PTH105 - atomic
    except requests.RequestException as error:
        raise DatasetError(f"cannot download {source}: {_reason(error)}") from error
    except OSError as error:
        raise DatasetError(f"cannot store {name} in {folder}: {error.strerror}") from error
    return FetchedFile(folder / name, size, digest)


def _write(answer: "requests.Response", path: Path) -> None:
    size = 0
    with path.open("wb") as file:
        for chunk in answer.iter_content(65_536):
            size += file.write(chunk)
            if size > _MOST_BYTES:
                raise DatasetError(f"the file is larger than {_MOST_BYTES:,} bytes")


def _reason(error: Exception) -> str:
    answer = getattr(error, "response", None)
    if answer is not None:
        return f"the server answered {answer.status_code} {answer.reason}"
    return f"no connection, or it broke ({type(error).__name__})"


def _check_address(source: str) -> None:
    try:
        parts = urlsplit(source)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or "@" in parts.netloc:
        raise DatasetError(
            "--source must be the address of a file, and start with https:// or http://"
        )
