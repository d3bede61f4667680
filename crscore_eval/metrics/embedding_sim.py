"""embeddingSim: the cosine of whole texts ("Deep Assessment of Code Review Generation", 5.1)."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from crscore_core.scoring.encoder import PooledEncoder
from crscore_eval.statistics import Array


def embedding_similarity(
    reviews: Sequence[str], references: Sequence[str], encoder: PooledEncoder
) -> Array:
    """Return the cosine of each review and its reference, (n,), from -1 to 1.

    As in the source, stop words are pooled too.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(chain(reviews, references)))}
    vectors = encoder.encode(list(rows), with_stop_words=True).vectors.astype(np.float64)
    pairs = (vectors[[rows[text] for text in texts]] for texts in (reviews, references))
    return np.asarray(np.einsum("ij,ij->i", *pairs))
