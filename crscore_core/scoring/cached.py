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

_MOST_BYTES = 1_000_000_000
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
        self.space = f"{encoder_digest(name)} {_VERSION}\n".encode()
        """Everything that a text's vector depends on."""
        self._store = ByteStore(folder or user_cache_path("crscore") / "embeddings", _MOST_BYTES)

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
        keys = [hashlib.sha256(self.space + text.encode()).digest() for text in texts]
        known = self._store.known(dict.fromkeys(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            made = self._encoder.encode(list(new.values()))
            fresh = {
                key: bytes([int(truncated)]) + vector.tobytes()
                for key, vector, truncated in zip(new, made.vectors, made.truncated, strict=True)
            }
            self._store.keep(fresh)
            known |= fresh
        values = [known[key] for key in keys]
        vectors = np.array([np.frombuffer(value, np.float32, offset=1) for value in values])
        return Embeddings(vectors, np.array([value[0] for value in values], np.bool_))
