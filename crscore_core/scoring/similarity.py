"""Cosine similarities between pseudo-references and the sentences of reviews."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.rendered import rendered
from crscore_core.scoring.encoder import Encoder
from crscore_core.scoring.references import PseudoReference

MOST_SENTENCES = 1_000
"""Limit of sentences of a review: more would keep an encoder busy for minutes."""

_BREAK = re.compile(r"\n|\. |\? ")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review compared with the pseudo-references of its change.

    `similarity`: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    `truncated_references`, `truncated_sentences`: indices of texts longer than the encoder reads.
    """

    similarity: NDArray[np.float32]
    truncated_references: tuple[int, ...] = ()
    truncated_sentences: tuple[int, ...] = ()


References = Sequence[PseudoReference]
Sentences = Sequence[str]


def compare(
    encoder: Encoder, changes: Sequence[tuple[References, Sequence[Sentences]]]
) -> list[list[Comparison]]:
    """Compare the pseudo-references of each change with each of its reviews (paper, section 3.3).

    A review is given as its sentences. Every distinct text is embedded once. The similarity of a
    pseudo-reference is the best of its text and its other wordings. A review without sentences, or
    a change without pseudo-references, has an empty matrix.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    rows: dict[str, int] = {}
    for references, reviews in changes:
        if references and any(reviews):
            worded = [text for one in references for text in (one.text, *one.wordings)]
            for text in (*worded, *(sentence for review in reviews for sentence in review)):
                rows.setdefault(text, len(rows))
    embeddings = encoder.encode(list(rows)) if rows else None

    def compared(references: References, sentences: Sentences) -> Comparison:
        if embeddings is None or not references or not sentences:
            return Comparison(np.zeros((len(references), len(sentences)), np.float32))
        worded = [rows[text] for one in references for text in (one.text, *one.wordings)]
        counts = [1 + len(one.wordings) for one in references]
        firsts = np.cumsum([0, *counts[:-1]])
        columns = [rows[sentence] for sentence in sentences]
        cosine = embeddings.vectors[worded] @ embeddings.vectors[columns].T
        best = np.maximum.reduceat(cosine, firsts, axis=0)
        return Comparison(
            np.clip(best, -1.0, 1.0).astype(np.float32),
            _indices(embeddings.truncated[worded][firsts]),
            _indices(embeddings.truncated[columns]),
        )

    return [[compared(references, review) for review in reviews] for references, reviews in changes]


def _indices(is_truncated: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(map(int, np.flatnonzero(is_truncated)))


def split_sentences(review: str) -> tuple[str, ...]:
    """Split the visible text of a review at line feeds, `. ` and `? ` (see `rendered`).

    The rule is that of the released CRScore code, whose breaks swallow the mark. A piece without a
    letter or digit, such as a rule or an emoji, is a sentence only if there is no other. Sentences
    after the first `MOST_SENTENCES` are left out.
    """
    pieces = [piece.strip() for piece in _BREAK.split(rendered(review).text)]
    worded = [piece for piece in pieces if any(map(str.isalnum, piece))]
    return tuple((worded or list(filter(None, pieces)))[:MOST_SENTENCES])
