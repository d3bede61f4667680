"""Embeddings kept on disk, so that a text is encoded once and not once a run."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import diskcache
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from crscore_core.sts.encoder import POOLING, Embeddings, Encoder
from crscore_core.sts.registry import DEFAULT_ENCODER, canonical_name, encoder_digest, load_encoder

__all__ = ["CachedEncoder", "cache_folder"]

_MOST_BYTES = 1_000_000_000
_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout)
"""What a full disk, a strange folder or a damaged file raises: then work goes on without it."""


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
        self._space = f"{encoder_digest(self.name)} {POOLING}\n".encode()
        self._kept = _open(folder or cache_folder())

    @cached_property
    def _encoder(self) -> Encoder:
        return load_encoder(self.name)

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, those that are new with the model; see `Encoder.encode`."""
        keys = [self._key(text) for text in texts]
        kept = self._remembered(dict.fromkeys(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if not _is_sound(kept[key])}
        if new:
            embeddings = self._encoder.encode(list(new.values()))
            rows = zip(embeddings.vectors, embeddings.truncated, strict=True)
            fresh = {
                key: bytes([int(truncated)]) + vector.astype("<f4").tobytes()
                for key, (vector, truncated) in zip(new, rows, strict=True)
            }
            self._keep(fresh.items())
            kept |= fresh
        values = [kept[key] for key in keys]
        return Embeddings(_vectors(values), np.array([value[0] for value in values], np.bool_))

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._space + text.encode("utf-8", "surrogatepass")).digest()

    def _remembered(self, keys: Iterable[bytes]) -> dict[bytes, Any]:
        if self._kept is None:
            return dict.fromkeys(keys)
        with suppress(*_FAILURES):
            return {key: self._kept.get(key) for key in keys}
        return dict.fromkeys(keys)

    def _keep(self, items: Iterable[tuple[bytes, bytes]]) -> None:
        if self._kept is None:
            return
        with suppress(*_FAILURES), self._kept.transact():
            for key, value in items:
                self._kept.set(key, value)


def _open(folder: Path) -> diskcache.Cache | None:
    with suppress(*_FAILURES):
        return diskcache.Cache(str(folder), size_limit=_MOST_BYTES, disk=_Bytes)
    return None


def _is_sound(value: Any) -> bool:  # noqa: ANN401 - what a file of the cache holds
    return isinstance(value, bytes) and len(value) % 4 == 1 and len(value) > 1


def _vectors(values: Sequence[bytes]) -> NDArray[np.float32]:
    return np.array([np.frombuffer(value, "<f4", offset=1) for value in values], np.float32)


class _Bytes(diskcache.Disk):  # type: ignore[misc] # it has no types
    """Keeps bytes under bytes, and unpickles nothing, whatever stands in the files."""

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:  # noqa: ANN401, FBT001 - its signature
        if mode == diskcache.core.MODE_PICKLE:
            raise OSError("a value that is no bytes")
        return super().fetch(mode, filename, value, read)
