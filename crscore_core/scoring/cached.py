"""Embeddings on disk: a text is encoded once, not once a run."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.scoring.encoder import Embeddings, Encoder
from crscore_core.scoring.registry import (
    DEFAULT_ENCODER,
    canonical_name,
    encoder_digest,
    load_encoder,
)

_MAX_BYTES = 1_000_000_000
_VERSION = 3
"""Version of tokenization and pooling; a change needs a new number."""


class CachedEncoder:
    """An encoder that keeps vectors on disk and loads its model for the first new text.

    The folder holds vectors and digests, no text. Processes may share it; the oldest vectors are
    evicted when it is full.
    """

    def __init__(self, name: str = DEFAULT_ENCODER, folder: Path | None = None) -> None:
        """Take an encoder's name or folder, as `load_encoder` does.

        Raises:
            UnavailableError: there is no such encoder.
        """
        self.name = canonical_name(name)
        self._prefix = f"{encoder_digest(name)} {_VERSION}\n".encode()
        self._store = ByteStore(folder or user_cache_path("crscore") / "embeddings", _MAX_BYTES)

    @cached_property
    def _encoder(self) -> Encoder:
        return load_encoder(self.name)

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, new ones with the model; see `Encoder.encode`.

        Raises:
            UnavailableError: the model cannot be loaded.
        """
        if not texts:
            return Embeddings(np.zeros((0, 0), np.float32), np.zeros(0, np.bool_))
        keys = [hashlib.sha256(self._prefix + text.encode()).digest() for text in texts]
        stored = self._store.get(dict.fromkeys(keys))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in stored}
        if missing:
            new = self._encoder.encode(list(missing.values()))
            encoded = {
                key: bytes([int(truncated)]) + vector.tobytes()
                for key, vector, truncated in zip(missing, new.vectors, new.truncated, strict=True)
            }
            self._store.set(encoded)
            stored |= encoded
        values = [stored[key] for key in keys]
        vectors = np.array([np.frombuffer(value, np.float32, offset=1) for value in values])
        return Embeddings(vectors, np.array([value[0] for value in values], np.bool_))
