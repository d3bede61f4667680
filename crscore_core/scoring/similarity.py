"""Cosine similarities between pseudo-references and the sentences of reviews."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from crscore_core.rendered import render_review
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import PseudoReference

MAX_SENTENCES = 1_000
"""Sentences of a review that count; more would take an encoder minutes."""

_BREAK = re.compile(r"\n|\. |\? ")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review compared with the pseudo-references of its change.

    similarity: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    n_truncated: number of texts longer than the encoder reads.
    """

    similarity: NDArray[np.float32]
    n_truncated: int = 0


def embed_and_compare(
    encoder: Encoder, changes: Sequence[tuple[Sequence[PseudoReference], Sequence[Sequence[str]]]]
) -> list[list[Comparison]]:
    """Compare the pseudo-references of each change with each of its reviews (paper, section 3.3).

    A review is given as its sentences. Every distinct text is embedded once. The similarity of a
    pseudo-reference is the best of its text and its other wordings. A review without sentences, or
    a change without pseudo-references, has an empty matrix.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    all_texts = [
        ([(reference.text, *reference.wordings) for reference in references], reviews)
        for references, reviews in changes
    ]
    used = (chain(*texts, *reviews) for texts, reviews in all_texts if texts and any(reviews))
    distinct = dict.fromkeys(chain.from_iterable(used))
    rows = {text: row for row, text in enumerate(distinct)}
    embeddings = encoder.encode(list(rows)) if rows else None

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
            int(embeddings.truncated[[*(rows[text] for text, *_ in texts), *columns]].sum()),
        )

    return [[compare_review(texts, review) for review in reviews] for texts, reviews in all_texts]


def split_sentences(review: str) -> tuple[str, ...]:
    """Return the sentences of a review that count: the first `MAX_SENTENCES`."""
    return all_sentences(review)[:MAX_SENTENCES]


def all_sentences(review: str) -> tuple[str, ...]:
    """Split the visible text of a review at line feeds, `. ` and `? ` (see `render_review`).

    The released CRScore code uses the same rule and also drops the mark. A piece without a letter
    or digit, such as a rule or an emoji, is a sentence only if there is no other piece.
    """
    pieces = [piece.strip() for piece in _BREAK.split(render_review(review).text)]
    with_words = [piece for piece in pieces if any(map(str.isalnum, piece))]
    return tuple(with_words or filter(None, pieces))
