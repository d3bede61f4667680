"""Cosine similarities between pseudo-references and the sentences of reviews."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.rendered import rendered
from crscore_core.scoring.encoder import Embeddings, Encoder, Precision
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import whole_text

_NO_EMBEDDINGS = Embeddings(np.zeros((0, 0), np.float32), np.zeros(0, np.bool_))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review against the pseudo-references.

    `similarity`: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    `truncated_references`, `truncated_sentences`: indices of texts longer than the encoder reads,
    other wordings aside.
    """

    similarity: NDArray[np.float32]
    truncated_references: tuple[int, ...]
    truncated_sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TextVectors:
    """Vectors of distinct texts; `encoder` names the model that made them in `precision`.

    `rows` gives the row of each text in `embeddings`.
    """

    encoder: str
    precision: Precision
    rows: Mapping[str, int]
    embeddings: Embeddings

    def rows_of(self, texts: Sequence[str]) -> NDArray[np.intp]:
        """Return the row of each of `texts`, (n texts,)."""
        return np.array([self.rows[text] for text in texts], dtype=np.intp)


@dataclass(frozen=True, slots=True)
class SplitReviews:
    """The texts of one change that are compared: pseudo-references and the sentences of reviews.

    `reviews` are the texts of the reviews without halves of surrogate pairs; `sentences` has the
    sentences of each. `wordings` has the other wordings of each pseudo-reference, or is empty
    where none has any.
    """

    references: tuple[str, ...]
    reviews: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    wordings: tuple[tuple[str, ...], ...] = ()


def split_reviews(references: Sequence[PseudoReference], reviews: Iterable[str]) -> SplitReviews:
    """Split reviews of one change into sentences, beside the texts of its pseudo-references."""
    clean = tuple(map(whole_text, reviews))
    wordings = tuple(reference.wordings for reference in references)
    return SplitReviews(
        tuple(reference.text for reference in references),
        clean,
        tuple(map(split_sentences, clean)),
        wordings if any(wordings) else (),
    )


def distinct_texts(changes: Iterable[SplitReviews]) -> list[str]:
    """Every text that has to be embedded to compare the reviews of these changes, once.

    A change without pseudo-references or without sentences needs none.
    """
    return list(
        dict.fromkeys(
            text
            for change in changes
            if change.references and any(change.sentences)
            for group in (change.references, *change.wordings, *change.sentences)
            for text in group
        )
    )


def embed(encoder: Encoder, texts: Iterable[str]) -> TextVectors:
    """Embed each of `texts` once, however often it occurs; without texts the encoder rests.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    embeddings = encoder.encode(list(rows)) if rows else _NO_EMBEDDINGS
    return TextVectors(encoder.name, precision_of(encoder), rows, embeddings)


def compare_vectors(
    vectors: TextVectors, changes: Iterable[SplitReviews]
) -> list[list[Comparison]]:
    """Compare the pseudo-references of each change with each review (paper, section 3.3).

    The similarity of a pseudo-reference is the best over its text and its wordings. Where a change
    has no pseudo-references, or a review no sentences, a side of the matrix is 0 and no text needs
    a vector.
    """
    return [
        [_compared(vectors, change, sentences) for sentences in change.sentences]
        for change in changes
    ]


def compare_each(encoder: Encoder, changes: Sequence[SplitReviews]) -> list[list[Comparison]]:
    """Embed the texts of these changes, each once, and compare; see `compare_vectors`.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    return compare_vectors(embed(encoder, distinct_texts(changes)), changes)


def _compared(vectors: TextVectors, change: SplitReviews, sentences: Sequence[str]) -> Comparison:
    references = change.references
    if not references or not sentences:
        empty = np.zeros((len(references), len(sentences)), dtype=np.float32)
        return Comparison(empty, (), ())
    columns = vectors.rows_of(sentences)
    embeddings = vectors.embeddings
    if change.wordings:
        worded = list(zip(references, change.wordings, strict=True))
        rows = vectors.rows_of([text for first, others in worded for text in (first, *others)])
        starts = np.cumsum([0, *(1 + len(others) for _, others in worded[:-1])])
        cosine = embeddings.vectors[rows] @ embeddings.vectors[columns].T
        cosine, rows = np.maximum.reduceat(cosine, starts, axis=0), rows[starts]
    else:
        rows = vectors.rows_of(references)
        cosine = embeddings.vectors[rows] @ embeddings.vectors[columns].T
    return Comparison(
        np.clip(cosine, -1.0, 1.0).astype(np.float32),
        _indices(embeddings.truncated[rows]),
        _indices(embeddings.truncated[columns]),
    )


def _indices(is_truncated: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(map(int, np.flatnonzero(is_truncated)))


def precision_of(encoder: Encoder) -> Precision:
    """Return the precision that an encoder computes in, float32 if it does not say."""
    precision: Precision = getattr(encoder, "precision", Precision.FLOAT32)
    return precision


MOST_SENTENCES = 1_000
"""Limit of sentences of a review: more would keep an encoder busy for minutes."""

_BREAK = re.compile(r"\n|\. |\? ")


def split_sentences(review: str) -> tuple[str, ...]:
    """Split the visible text of a review at line feeds, `. ` and `? ` (see `rendered`).

    The rule is that of the released CRScore code, whose breaks swallow the mark. A piece without a
    letter or digit, such as a rule or an emoji, is a sentence only if there is no other. Sentences
    after the first `MOST_SENTENCES` are left out.
    """
    pieces = [piece.strip() for piece in _BREAK.split(rendered(review).text)]
    worded = [piece for piece in pieces if any(map(str.isalnum, piece))]
    return tuple((worded or list(filter(None, pieces)))[:MOST_SENTENCES])
