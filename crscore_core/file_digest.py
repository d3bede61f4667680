"""What identifies files by what they hold, not by their names."""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from platformdirs import user_cache_path

from crscore_core.byte_store import ByteStore

__all__ = ["folder_digest", "remembered_sha256", "sha256_of"]

_MOST_BYTES = 1_000_000


def folder_digest(folder: Path, paths: Iterable[Path], content: Callable[[Path], str]) -> str:
    """Digest of files of a folder, by their names in it and the digests that `content` gives.

    Raises:
        OSError: a file cannot be read.
    """
    digest = hashlib.sha256()
    for path in paths:
        label = os.fsencode(path.relative_to(folder).as_posix())
        digest.update(label + f" {content(path)}\n".encode())
    return digest.hexdigest()


def sha256_of(path: Path) -> str:
    """Checksum of a file, in hexadecimal digits.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path) -> str:
    """Checksum of a file, read again only where its path, size or time is new.

    For files that take long to read. What is remembered is kept among this user's caches.

    Raises:
        OSError: it cannot be read.
    """
    real = path.resolve()
    stat = real.stat()
    key = hashlib.sha256(os.fsencode(real) + f"\n{stat.st_size} {stat.st_mtime_ns}".encode())
    store = ByteStore(user_cache_path("crscore") / "checksums", _MOST_BYTES)
    known = store.known([key.digest()]).get(key.digest())
    if known is None:
        known = bytes.fromhex(sha256_of(real))
        store.keep({key.digest(): known})
    return known.hex()
