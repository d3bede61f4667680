"""A fast, deterministic stand-in for an embedding model."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from crscore_core.scoring import Embeddings


class WordEncoder:
    """Bag of words: each word adds a fixed pseudo-random vector; shared words raise the cosine."""

    name = "words"
    dimensions = 64

    def __init__(self, longest: int = 1000) -> None:
        self.calls: list[tuple[str, ...]] = []
        self._longest = longest

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append(tuple(texts))
        vectors = np.array([self._vector(text) for text in texts], dtype=np.float32)
        return Embeddings(vectors, np.array([len(text) > self._longest for text in texts]))

    def _vector(self, text: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        total = np.zeros(self.dimensions)
        for word in re.findall(r"\w+", text.lower()) or [text]:
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
            total += np.random.default_rng(seed).standard_normal(self.dimensions)
        return np.asarray(total / np.linalg.norm(total))
