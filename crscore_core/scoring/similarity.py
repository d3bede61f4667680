"""Cosine similarities between pseudo-references and the sentences of reviews."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.scoring.encoder import Embeddings, Encoder

__all__ = ["Comparison", "compare", "compare_each"]

_NO_EMBEDDINGS = Embeddings(np.zeros((0, 0), np.float32), np.zeros(0, np.bool_))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review against the pseudo-references.

    `similarity`: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    `truncated_references`, `truncated_sentences`: indices of texts longer than the encoder reads.
    """

    similarity: NDArray[np.float32]
    truncated_references: tuple[int, ...]
    truncated_sentences: tuple[int, ...]

    @classmethod
    def nothing(cls, references: int, sentences: int) -> "Comparison":
        """Where one of the two is 0, so that nothing can be similar."""
        return cls(np.zeros((references, sentences), dtype=np.float32), (), ())


def compare(
    encoder: Encoder, references: Sequence[str], reviews: Sequence[Sequence[str]]
) -> list[Comparison]:
    """Compare pseudo-references with the sentences of each review (paper, section 3.3).

    Every distinct text is encoded once, however often it occurs.
    """
    return compare_each(encoder, [(references, reviews)])[0]


def compare_each(
    encoder: Encoder, changes: Sequence[tuple[Sequence[str], Sequence[Sequence[str]]]]
) -> list[list[Comparison]]:
    """As `compare`, for the pseudo-references and reviews of many changes at once."""
    texts = [
        text
        for references, reviews in changes
        for group in (references, *reviews)
        for text in group
    ]
    row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    embeddings = encoder.encode(list(row_of)) if row_of else _NO_EMBEDDINGS

    def rows(group: Sequence[str]) -> NDArray[np.intp]:
        return np.array([row_of[text] for text in group], dtype=np.intp)

    return [
        [_compared(embeddings, rows(references), rows(review)) for review in reviews]
        for references, reviews in changes
    ]


def _compared(
    embeddings: Embeddings, references: NDArray[np.intp], sentences: NDArray[np.intp]
) -> Comparison:
    def truncated(rows: NDArray[np.intp]) -> tuple[int, ...]:
        return tuple(int(index) for index in np.flatnonzero(embeddings.truncated[rows]))

    cosine = embeddings.vectors[references] @ embeddings.vectors[sentences].T
    return Comparison(
        np.clip(cosine, -1.0, 1.0).astype(np.float32), truncated(references), truncated(sentences)
    )
