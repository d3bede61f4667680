"""Cosine similarities between pseudo-references and the sentences of reviews."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from crscore_core.claims import PseudoReference
from crscore_core.errors import ModelError
from crscore_core.scoring.encoder import Encoder, embed


@dataclass(frozen=True, slots=True)
class Comparison:
    """One review compared with the pseudo-references of its change.

    similarity: float32, (n pseudo-references, n sentences), cosines in [-1, 1].
    n_truncated: how many distinct texts were truncated; other wordings are not counted.
    """

    similarity: NDArray[np.float32]
    n_truncated: int = 0


def embed_and_compare(
    encoder: Encoder, changes: Sequence[tuple[Sequence[PseudoReference], Sequence[Sequence[str]]]]
) -> list[list[Comparison] | ModelError]:
    """Compare the pseudo-references of each change with each of its reviews (paper, section 3.3).

    A review is given as its sentences. Every distinct text is embedded once. The similarity of a
    pseudo-reference is the best of its text and its other wordings. A review without sentences, or
    a change without pseudo-references, has an empty matrix. If the encoder fails for all texts, it
    gets those of one change after another, and a change that it fails for has the error.

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
