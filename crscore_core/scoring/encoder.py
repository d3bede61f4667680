"""Embed texts with any encoder, and compare references and sentences by cosine similarity."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.claims import PseudoReference
from crscore_core.errors import InputError, ModelError, failure, quoted
from crscore_core.text import counted


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts.

    vectors: float32, (n texts, n dimensions).
    truncated: bool, (n texts,), True if the text exceeds the encoder's limit.
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
    """Embed `texts` with any encoder as vectors of length 1; zero vectors are kept.

    Raises:
        ModelError: the encoder failed, or did not return a vector of finite length for each text.
    """
    try:
        returned = encoder.encode([*texts])
        if not isinstance(returned, Embeddings):
            returned = Embeddings(np.asarray(returned), np.zeros(len(texts), np.bool_))
        truncated = np.asarray(returned.truncated)
        vectors = np.array(returned.vectors).astype(np.float64, casting="same_kind")
    except (InputError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise failure(f"encoder {quoted(encoder.name)}", error) from error
    is_complete = vectors.ndim == 2 and len(vectors) == len(texts) and vectors.size > 0
    is_complete &= truncated.shape == (len(texts),) and truncated.dtype == np.bool_
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(vectors, axis=1, keepdims=True) if is_complete else np.inf
    if not np.isfinite(norms).all():
        n = counted(len(texts), "text")
        raise ModelError(f"encoder {quoted(encoder.name)} did not return a finite vector for {n}")
    vectors = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return Embeddings(vectors.astype(np.float32), truncated)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review compared with the pseudo-references of its change.

    similarity: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    n_truncated: the number of distinct texts truncated, not counting other wordings.
    """

    similarity: NDArray[np.float32]
    n_truncated: int = 0


def embed_and_compare(
    encoder: Encoder, changes: Sequence[tuple[Sequence[PseudoReference], Sequence[Sequence[str]]]]
) -> list[list[Comparison] | ModelError]:
    """Compare the pseudo-references of each change with each of its reviews (paper, section 3.3).

    A review is a sequence of sentences. Each distinct text is embedded once. The similarity of a
    pseudo-reference is that of its most similar wording. A review without sentences, or a change
    without pseudo-references, has an empty matrix. If the encoder fails, it is called again for
    each change, and each change for which it fails again gets the error.
    """
    all_texts = [
        ([reference.wordings or (reference.text,) for reference in references], reviews)
        for references, reviews in changes
    ]
    used = (chain(*texts, *reviews) for texts, reviews in all_texts if texts and any(reviews))
    distinct = dict.fromkeys(chain.from_iterable(used))
    rows = {text: row for row, text in enumerate(distinct)}
    try:
        embeddings = embed(encoder, list(rows)) if rows else None
    except ModelError as error:
        alone = (embed_and_compare(encoder, [change]) for change in changes)
        return [error] if len(changes) == 1 else [*chain.from_iterable(alone)]

    def compare_review(texts: Sequence[Sequence[str]], sentences: Sequence[str]) -> Comparison:
        if embeddings is None or not texts or not sentences:
            return Comparison(np.zeros((len(texts), len(sentences)), np.float32))
        wordings = [rows[wording] for wording in chain.from_iterable(texts)]
        columns = [rows[sentence] for sentence in sentences]
        cosine = embeddings.vectors[wordings] @ embeddings.vectors[columns].T
        starts = np.cumsum([0, *map(len, texts[:-1])])
        best = np.maximum.reduceat(cosine, starts, axis=0)
        return Comparison(
            np.clip(best, -1.0, 1.0).astype(np.float32),
            int(embeddings.truncated[[*{*(rows[text] for text, *_ in texts), *columns}]].sum()),
        )

    return [[compare_review(texts, review) for review in reviews] for texts, reviews in all_texts]
