"""Caches of bytes on disk, and digests that identify files by content.

Cached values are small, expensive to compute, and may be lost at any time.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import diskcache
from platformdirs import user_cache_path

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout, ValueError, TypeError)
"""Errors of a full disk or a damaged database: work continues without the cache."""

_CHECKSUM_BYTES = 8
_SECONDS_FOR_OTHERS = 2
"""Longest wait for another process to finish writing, which takes milliseconds."""

_MOST_BYTES_OF_CHECKSUMS = 1_000_000


class ByteStore:
    """Stores bytes by key in a folder that several processes and threads may share.

    Failures are never errors: a damaged or unreadable value counts as missing, and one that
    cannot be written is not stored. The oldest values are evicted once the folder reaches
    `most_bytes`. Only this user can read a folder that the store creates.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._rows = _open(folder, most_bytes)

    @property
    def is_open(self) -> bool:
        """True if the folder can be used; otherwise the store stays empty."""
        return self._rows is not None

    def known(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of `keys` that are stored and undamaged."""
        known: dict[bytes, bytes] = {}
        if self._rows is not None:
            with suppress(*_FAILURES):
                for key in keys:
                    value = _checked(key, self._rows.get(key))
                    if value is not None:
                        known[key] = value
        return known

    def keep(self, values: Mapping[bytes, bytes]) -> bool:
        """Store all `values`; on failure, store none and return False."""
        if self._rows is None:
            return False
        try:
            with self._rows.transact():
                for key, value in values.items():
                    self._rows.set(key, _checksum(key, value) + value)
            self._rows.cull()  # space is only freed after the transaction
        except _FAILURES:
            return False
        return True


def _open(folder: Path, most_bytes: int) -> diskcache.Cache | None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _wait_for_others(folder / diskcache.core.DBNAME)
        return diskcache.Cache(
            str(folder),
            timeout=_SECONDS_FOR_OTHERS,
            size_limit=most_bytes,
            disk=_Rows,
            disk_min_file_size=most_bytes,
            eviction_policy="least-recently-stored",
            cull_limit=0,
        )
    except Exception:  # noqa: BLE001 - the error depends on what is wrong with the folder
        return None


def _wait_for_others(database: Path) -> None:
    """Raise an error if a process locks the database: opening it would take a minute."""
    with closing(sqlite3.connect(database, timeout=_SECONDS_FOR_OTHERS)) as connection:
        connection.execute("BEGIN IMMEDIATE")


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.sha256(key + value).digest()[:_CHECKSUM_BYTES]


def _checked(key: bytes, kept: Any) -> bytes | None:  # noqa: ANN401 - any content of the database
    """Return the value stored under `key`, or None if it is missing or damaged."""
    if not isinstance(kept, bytes):
        return None
    value = kept[_CHECKSUM_BYTES:]
    return value if kept[:_CHECKSUM_BYTES] == _checksum(key, value) else None


class _Rows(diskcache.Disk):  # type: ignore[misc] # untyped
    """Keeps bytes in database rows; never unpickles, and never reads or removes a file."""

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:  # noqa: ANN401, ARG002, FBT001 - diskcache's signature
        return value

    def remove(self, file_path: str) -> None:
        """Remove nothing: no file is ever stored."""


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
