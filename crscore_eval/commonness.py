"""How common a sentence is: how many other changes of the human study it would match.

A sentence that matches many changes says little about any of them. The changes are the 183 shipped
ones, with the study's own pseudo-references. Sentences are compared with them at the score's tau,
and only if the default encoder embedded them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crscore_core.scoring import DEFAULT_ENCODER, load_encoder
from crscore_core.scoring.review_score import ReviewScore

STUDY_CLAIMS = "study"
"""Name of the claims and smells that the annotators of the study edited."""

VECTORS = Path(__file__).parent / "data" / "sample_data" / "human_study" / "vectors.npz"
"""Embeddings by the default encoder, which `benchmarks.study` writes as float16.

vectors: a row for each pseudo-reference, grouped by change.
starts: the first row of each change.
sentences, sentence_vectors: the examples' sentences, which are shown before the encoder loads.
"""


def study_maxima(sentences: Sequence[str]) -> NDArray[np.float32]:
    """Return each sentence's highest similarity to any pseudo-reference of each change.

    The result is float32, (n changes, n sentences).

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    with np.load(VECTORS) as file:
        references, starts = file["vectors"].astype(np.float32), file["starts"]
        known = dict(zip(file["sentences"].tolist(), file["sentence_vectors"], strict=True))
    if not known.keys() >= {*sentences}:
        known = dict(zip(sentences, load_encoder().encode(sentences).vectors, strict=True))
    vectors = [known[sentence].astype(np.float32) for sentence in sentences]
    similarity = references @ np.reshape(vectors, (-1, references.shape[1])).T
    return np.maximum.reduceat(similarity, starts, axis=0)


def counted_sentences(score: ReviewScore) -> tuple[str, ...]:
    """Return the sentences that `count_matches` counts; none if another encoder was used."""
    is_default = score.signature.encoder == DEFAULT_ENCODER and score.similarity.size
    return score.sentence_texts if is_default else ()


def count_matches(score: ReviewScore, maxima: NDArray[np.float32]) -> tuple[list[int | None], int]:
    """Return how many other changes each counted sentence matches, and the number of changes.

    The count is None if the sentence matches nothing in its own change, which is not one of the
    others. `maxima` is the result of `study_maxima` for `counted_sentences`.
    """
    is_of_study = score.signature.claims == STUDY_CLAIMS
    counts = np.maximum((maxima > score.tau).sum(axis=0) - is_of_study, 0).tolist()
    sentences = zip(score.sentences, counts, strict=False)
    n_matches = [n if sentence.on_topic else None for sentence, n in sentences]
    return n_matches, len(maxima) - is_of_study
