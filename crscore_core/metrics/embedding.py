"""Cosine of a whole review and its reference ("Deep Assessment ...", section 5.1)."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from crscore_core.metrics.model import Array, TextPair
from crscore_core.scoring.encoder import Encoder


def embedding_similarity(pairs: Sequence[TextPair], encoder: Encoder) -> Array:
    """Return the cosine of each pair, (n,), from -1 to 1; encode each distinct text once.

    To reproduce the source, use an encoder that pools stop words too.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(chain(*pairs)))}
    vectors = encoder.encode(list(rows)).vectors.astype(np.float64)
    reviews, references = np.array([[rows[text] for text in pair] for pair in pairs]).T
    cosines: Array = np.einsum("ij,ij->i", vectors[reviews], vectors[references])
    return cosines
