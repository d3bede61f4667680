"""Texts -> unit vectors, by any encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError, ModelError, failure
from crscore_core.text import counted


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts.

    vectors: float32, (n texts, n dimensions).
    truncated: bool, (n texts,), True if the text is longer than the encoder reads.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]


class Encoder(Protocol):
    """An embedding model; `name` identifies it in signatures and picks its tau preset."""

    @property
    def name(self) -> str:
        """Name of the model."""

    def encode(self, texts: Sequence[str]) -> Embeddings | ArrayLike:
        """Embed each of `texts`; a plain array of vectors means that no text was truncated."""


def embed(encoder: Encoder, texts: Sequence[str]) -> Embeddings:
    """Embed `texts` with any encoder, as vectors of length 1; a vector of zeros stays.

    Raises:
        ModelError: the encoder failed, or did not return a vector of finite numbers for each text.
    """
    try:
        returned = encoder.encode(texts)
        if not isinstance(returned, Embeddings):
            returned = Embeddings(np.asarray(returned), np.zeros(len(texts), np.bool_))
        vectors, truncated = returned.vectors.astype(np.float64), returned.truncated
    except (InputError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise failure(f"encoder {encoder.name[:80]!r}", error) from error
    is_complete = vectors.ndim == 2 and len(vectors) == len(truncated) == len(texts)
    if not is_complete or not np.isfinite(vectors).all():
        raise ModelError(
            f"encoder {encoder.name[:80]!r} did not return a vector of finite numbers for each of "
            f"{counted(len(texts), 'text')}"
        )
    # First by the largest number, whose square may be infinite or 0.
    for order in (np.inf, 2):
        norms = np.linalg.norm(vectors, order, axis=1, keepdims=True)
        vectors = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return Embeddings(vectors.astype(np.float32), np.asarray(truncated, np.bool_))
