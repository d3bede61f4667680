"""Caches of bytes on disk.

Cached values are small, expensive to compute, and may be lost at any time.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path

import diskcache

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout)
"""Errors of a full disk or a damaged database: work continues without the cache."""

_MAX_SECONDS = 2
"""Longest wait for another process that writes."""


class ByteStore:
    """Stores bytes by key in a folder that several processes and threads may share.

    Failures are never errors: a value that cannot be read is missing, and one that cannot be
    written is not stored. The oldest values are evicted once the folder reaches `max_bytes`.
    Only this user can read a folder that the store creates.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._cache: diskcache.Cache | None = None
        with suppress(*_FAILURES):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._cache = diskcache.Cache(
                str(folder),
                timeout=_MAX_SECONDS,
                size_limit=max_bytes,
                eviction_policy="least-recently-stored",
            )

    def get(self, key: bytes) -> bytes | None:
        """Return the value of `key`, or None if it is not stored."""
        value = None
        if self._cache is not None:
            with suppress(*_FAILURES):
                value = self._cache.get(key)
        return value if isinstance(value, bytes) else None

    def set(self, key: bytes, value: bytes) -> None:
        """Store `value`."""
        if self._cache is not None:
            with suppress(*_FAILURES):
                self._cache.set(key, value)
