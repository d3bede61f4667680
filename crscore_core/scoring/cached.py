"""Embeddings kept on disk, so that a text is encoded once and not once a run."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.errors import UnavailableError
from crscore_core.scoring.encoder import (
    POOLING,
    UNFILTERED_POOLING,
    Embeddings,
    PooledEncoder,
    Precision,
    TokenEmbeddings,
)
from crscore_core.scoring.registry import (
    DEFAULT_ENCODER,
    canonical_name,
    encoder_digest,
    load_encoder,
)

_MOST_BYTES = 1_000_000_000


class CachedEncoder:
    """An encoder that keeps vectors on disk and loads the model when a text is new to it.

    A vector belongs to the weights (not to their name), the way of pooling and the precision. The
    folder holds vectors and digests, no text. Several processes may share a
    folder; when it is full, the oldest vectors go first.
    """

    def __init__(
        self,
        name: str = DEFAULT_ENCODER,
        folder: Path | None = None,
        *,
        drop_stop_words: bool = True,
        precision: Precision = Precision.FLOAT32,
    ) -> None:
        """Take an encoder's name or folder and its precision, as `load_encoder` does.

        Without `drop_stop_words` it is the encoder's `unfiltered` one.

        Raises:
            UnavailableError: there is no such encoder.
        """
        self.name = canonical_name(name)
        self.precision = precision
        self._digest = encoder_digest(self.name)
        self._drop_stop_words = drop_stop_words
        pooling = POOLING if drop_stop_words else UNFILTERED_POOLING
        numbers = "" if precision is Precision.FLOAT32 else f" {precision}"
        # Digest of the weights, way of pooling and precision: all that its numbers depend on.
        self.space = f"{self._digest} {pooling}{numbers}\n".encode()
        self._kept = ByteStore(folder or user_cache_path("crscore") / "embeddings", _MOST_BYTES)

    @cached_property
    def _encoder(self) -> PooledEncoder:
        encoder = load_encoder(self.name)
        if encoder_digest(self.name) != self._digest:
            raise UnavailableError(
                f"the files of encoder {self.name[:80]!r} changed while it was in use; start again"
            )
        return encoder if self._drop_stop_words else encoder.unfiltered()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, those that are new with the model; see `Encoder.encode`.

        Raises:
            UnavailableError: the model cannot be loaded, or is another one by now.
        """
        if not texts:
            return Embeddings(np.zeros((0, 0), np.float32), np.zeros(0, np.bool_))
        keys = [self._key(text) for text in texts]
        known = self._kept.known(dict.fromkeys(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            embeddings = self._encoder.encode(list(new.values()))
            rows = zip(embeddings.vectors, embeddings.truncated, strict=True)
            fresh = {
                key: bytes([int(truncated)]) + vector.astype("<f4").tobytes()
                for key, (vector, truncated) in zip(new, rows, strict=True)
            }
            self._kept.keep(fresh)
            known |= fresh
        values = [known[key] for key in keys]
        vectors = np.array([np.frombuffer(value, "<f4", offset=1) for value in values], np.float32)
        return Embeddings(vectors, np.array([value[0] for value in values], np.bool_))

    def tokens(self, texts: Sequence[str]) -> list[TokenEmbeddings]:
        """The tokens of `texts`, always by the model; see `PooledEncoder.tokens`.

        Raises:
            UnavailableError: the model cannot be loaded, or is another one by now.
        """
        return self._encoder.tokens(texts)

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self.space + text.encode("utf-8", "surrogatepass")).digest()
