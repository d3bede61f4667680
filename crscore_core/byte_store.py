"""Bytes kept on disk by key: what costs much to make, is small, and may be lost at any time."""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import diskcache

__all__ = ["ByteStore"]

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout, ValueError, TypeError)
"""What a full disk or a damaged database raises: then work goes on without it."""

_CHECKSUM_BYTES = 8
_SECONDS = 2
"""How long another process that writes is waited for: each needs milliseconds."""


class ByteStore:
    """A folder that several processes and threads may share; it is never in the way.

    What cannot be read or is damaged is not there, and what cannot be written is not kept. When
    it holds `most_bytes`, what was stored first goes first. A folder that it makes is this
    user's alone.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._rows = _open(folder, most_bytes)

    @property
    def is_open(self) -> bool:
        """Whether its folder can be used; where not, it stays empty."""
        return self._rows is not None

    def known(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is known of `keys` and undamaged."""
        known: dict[bytes, bytes] = {}
        if self._rows is not None:
            with suppress(*_FAILURES):
                for key in keys:
                    value = _checked(key, self._rows.get(key))
                    if value is not None:
                        known[key] = value
        return known

    def keep(self, values: Mapping[bytes, bytes]) -> bool:
        """Keep `values`, all or, where that fails, none; say which."""
        if self._rows is None:
            return False
        try:
            with self._rows.transact():
                for key, value in values.items():
                    self._rows.set(key, _checksum(key, value) + value)
            self._rows.cull()  # room is free only after the transaction that makes it
        except _FAILURES:
            return False
        return True


def _open(folder: Path, most_bytes: int) -> diskcache.Cache | None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return diskcache.Cache(
            str(folder),
            timeout=_SECONDS,
            size_limit=most_bytes,
            disk=_Rows,
            disk_min_file_size=most_bytes,
            eviction_policy="least-recently-stored",
            cull_limit=0,
        )
    except Exception:  # noqa: BLE001 - what it raises depends on what is wrong with the folder
        return None


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.sha256(key + value).digest()[:_CHECKSUM_BYTES]


def _checked(key: bytes, kept: Any) -> bytes | None:  # noqa: ANN401 - what a file of the cache holds
    """What was kept under `key`, None where it is not what was stored there."""
    if not isinstance(kept, bytes):
        return None
    value = kept[_CHECKSUM_BYTES:]
    return value if kept[:_CHECKSUM_BYTES] == _checksum(key, value) else None


class _Rows(diskcache.Disk):  # type: ignore[misc] # it has no types
    """Keeps bytes in rows of the database.

    Whatever stands there, nothing is unpickled, and no file is read or removed.
    """

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:  # noqa: ANN401, ARG002, FBT001 - its signature
        if mode != diskcache.core.MODE_RAW:
            raise OSError("a value that is no row")
        return value

    def remove(self, file_path: str) -> None:
        """Remove nothing: no file is ever stored."""
