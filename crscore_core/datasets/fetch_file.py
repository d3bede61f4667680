"""Download one file of a data set from an address that a person gives."""

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
    """A file that came whole: its path, size in bytes and SHA-256."""

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
    """Download the file at `source` into `folder` under `name`; a file there is replaced.

    `check` reads the new file before that, and raises an error where it is another kind of file.

    Raises:
        DatasetError: the address cannot be used, the file does not come, is larger than 200 MB, is
            not what `check` expects or has another checksum than `sha256`, or the folder cannot
            be written.
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
                    f"what came from {source} is not the file: its sha256 is {digest}"
                )
            check(staged)
            size = staged.stat().st_size
            os.replace(staged, folder / name)  # noqa: PTH105 - the usual name of the atomic operation
    except requests.RequestException as error:
        raise DatasetError(f"{source} cannot be had: {_reason(error)}") from error
    except OSError as error:
        raise DatasetError(f"cannot keep {name} in {folder}: {error.strerror}") from error
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
        return f"the server answers {answer.status_code} {answer.reason}"
    return f"there is no connection, or it broke ({type(error).__name__})"


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
