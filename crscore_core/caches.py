"""Caches of bytes on disk, and digests that identify files by content.

Cached values are small, expensive to compute, and may be lost at any time.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import diskcache

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout)
"""Errors of a full disk or a damaged database: work continues without the cache."""

_SECONDS = 2
"""Longest wait for another process that writes."""


class ByteStore:
    """Stores bytes by key in a folder that several processes and threads may share.

    Failures are never errors: a value that cannot be read is missing, and one that cannot be
    written is not stored. The oldest values are evicted once the folder reaches `most_bytes`.
    Only this user can read a folder that the store creates.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._rows: diskcache.Cache | None = None
        with suppress(*_FAILURES):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._rows = diskcache.Cache(
                str(folder),
                timeout=_SECONDS,
                size_limit=most_bytes,
                eviction_policy="least-recently-stored",
            )

    def known(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of `keys` that are stored."""
        known: dict[bytes, bytes] = {}
        if self._rows is None:
            return known
        with suppress(*_FAILURES):
            for key in keys:
                value = self._rows.get(key)
                if isinstance(value, bytes):
                    known[key] = value
        return known

    def keep(self, values: Mapping[bytes, bytes]) -> None:
        """Store all `values`; on failure, store none."""
        if self._rows is not None:
            with suppress(*_FAILURES), self._rows.transact():
                for key, value in values.items():
                    self._rows.set(key, value)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
