"""Embeddings kept on disk, so that a text is encoded once and not once a run."""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import diskcache
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from crscore_core.errors import EncoderError
from crscore_core.sts.encoder import POOLING, Embeddings, Encoder
from crscore_core.sts.registry import DEFAULT_ENCODER, canonical_name, encoder_digest, load_encoder

__all__ = ["CachedEncoder", "cache_folder"]

_MOST_BYTES = 1_000_000_000
_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout, ValueError, TypeError)
"""What a full disk or a damaged database raises: then work goes on without it."""

_CHECKSUM_BYTES = 8


def cache_folder() -> Path:
    """Where embeddings are kept: among this user's caches."""
    return user_cache_path("crscore") / "embeddings"


class CachedEncoder:
    """An encoder that remembers; the model is loaded when a text is new to it.

    What is remembered belongs to the weights, not to their name, and to the way of pooling. It
    holds vectors and digests, no text. Several processes may share a folder; when it is full,
    what was stored first goes first.
    """

    def __init__(self, name: str = DEFAULT_ENCODER, folder: Path | None = None) -> None:
        """Take an encoder's name or folder, as `load_encoder` does.

        Raises:
            EncoderError: there is no such encoder.
        """
        self.name = canonical_name(name)
        self._digest = encoder_digest(self.name)
        self._space = f"{self._digest} {POOLING}\n".encode()
        self._kept = _open(folder or cache_folder())

    @cached_property
    def _encoder(self) -> Encoder:
        encoder = load_encoder(self.name)
        if encoder_digest(self.name) != self._digest:
            raise EncoderError(
                f"the files of encoder {self.name[:80]!r} changed while it was in use; start again"
            )
        return encoder

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, those that are new with the model; see `Encoder.encode`.

        Raises:
            EncoderError: the model cannot be loaded, or is another one by now.
        """
        if not texts:
            return Embeddings(np.zeros((0, 0), np.float32), np.zeros(0, np.bool_))
        keys = [self._key(text) for text in texts]
        known = self._remembered(dict.fromkeys(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            embeddings = self._encoder.encode(list(new.values()))
            rows = zip(embeddings.vectors, embeddings.truncated, strict=True)
            fresh = {
                key: bytes([int(truncated)]) + vector.astype("<f4").tobytes()
                for key, (vector, truncated) in zip(new, rows, strict=True)
            }
            self._keep(fresh)
            known |= fresh
        values = [known[key] for key in keys]
        return Embeddings(_vectors(values), np.array([value[0] for value in values], np.bool_))

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._space + text.encode("utf-8", "surrogatepass")).digest()

    def _remembered(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is known of `keys` and undamaged."""
        known: dict[bytes, bytes] = {}
        if self._kept is not None:
            with suppress(*_FAILURES):
                for key in keys:
                    value = _checked(key, self._kept.get(key))
                    if value is not None:
                        known[key] = value
        return known

    def _keep(self, values: Mapping[bytes, bytes]) -> None:
        if self._kept is None:
            return
        with suppress(*_FAILURES):
            with self._kept.transact():
                for key, value in values.items():
                    self._kept.set(key, _checksum(key, value) + value)
            self._kept.cull()  # room is free only after the transaction that makes it


def _open(folder: Path) -> diskcache.Cache | None:
    try:
        return diskcache.Cache(
            str(folder),
            size_limit=_MOST_BYTES,
            disk=_Rows,
            disk_min_file_size=_MOST_BYTES,
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
    is_whole = len(value) > 1 and kept[:_CHECKSUM_BYTES] == _checksum(key, value)
    return value if is_whole else None


def _vectors(values: Sequence[bytes]) -> NDArray[np.float32]:
    return np.array([np.frombuffer(value, "<f4", offset=1) for value in values], np.float32)


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
