"""Caches of bytes on disk, and digests that identify files by content.

Cached values are small, expensive to compute, and may be lost at any time.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import diskcache
from platformdirs import user_cache_path

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout)
"""Errors of a full disk or a damaged database: work continues without the cache."""

_MOST_BYTES_OF_CHECKSUMS = 1_000_000


class ByteStore:
    """Stores bytes by key in a folder that processes and threads may share.

    Failures are never errors: a value that cannot be read is missing, and one that cannot be
    written is not stored. The oldest values are evicted once the folder reaches `most_bytes`.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._rows: diskcache.Cache | None = None
        with suppress(*_FAILURES):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._rows = diskcache.Cache(
                str(folder),
                timeout=2,
                size_limit=most_bytes,
                eviction_policy="least-recently-stored",
            )

    @property
    def is_open(self) -> bool:
        """True if the folder can be used; otherwise the store stays empty."""
        return self._rows is not None

    def known(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of `keys` that are stored."""
        known: dict[bytes, bytes] = {}
        if self._rows is not None:
            with suppress(*_FAILURES):
                for key in keys:
                    value = self._rows.get(key)
                    if isinstance(value, bytes):
                        known[key] = value
        return known

    def keep(self, values: Mapping[bytes, bytes]) -> bool:
        """Store `values`; return False on failure."""
        if self._rows is None:
            return False
        try:
            with self._rows.transact():
                for key, value in values.items():
                    self._rows.set(key, value)
        except _FAILURES:
            return False
        return True


def folder_digest(folder: Path, paths: Iterable[Path], content: Callable[[Path], str]) -> str:
    """Return a digest of files by their names in `folder` and the digests from `content`.

    Raises:
        OSError: a file cannot be read.
    """
    digest = hashlib.sha256()
    for path in paths:
        label = os.fsencode(path.relative_to(folder).as_posix())
        digest.update(label + f" {content(path)}\n".encode())
    return digest.hexdigest()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remembered_sha256(path: Path) -> str:
    """Return the SHA-256 of a large file; reread it only if its path, size or time changed.

    Checksums are remembered in this user's caches.

    Raises:
        OSError: the file cannot be read.
    """
    real = path.resolve()
    stat = real.stat()
    key = hashlib.sha256(os.fsencode(real) + f"\n{stat.st_size} {stat.st_mtime_ns}".encode())
    store = ByteStore(user_cache_path("crscore") / "checksums", _MOST_BYTES_OF_CHECKSUMS)
    known = store.known([key.digest()]).get(key.digest())
    if known is None:
        known = bytes.fromhex(sha256_of(real))
        store.keep({key.digest(): known})
    return known.hex()
