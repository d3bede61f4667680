"""How common a sentence is: how many changes of the human study it would match as well.

A sentence that matches many changes says little about any of them. The changes are the 183 shipped
ones, with the study's own pseudo-references, compared at the tau of the score. Only sentences that
were embedded by the default encoder are counted.
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
"""Vectors of the default encoder, which `benchmarks.study` writes as float16.

vectors: of all pseudo-references, those of a change one after another.
starts: the first row of each change.
sentences, sentence_vectors: the sentences of the examples, shown before the encoder is loaded.
"""

MAX_SENTENCES = 200
"""Sentences of a review that are counted; later ones are not."""


def study_maxima(sentences: Sequence[str]) -> NDArray[np.float32]:
    """Return the highest similarity of each sentence to a pseudo-reference of each change.

    float32, (n changes, n sentences).

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
    """Return the sentences whose matches `count_matches` counts; none with another encoder."""
    is_default = score.signature.encoder == DEFAULT_ENCODER and score.similarity.size
    return score.sentence_texts[:MAX_SENTENCES] if is_default else ()


def count_matches(score: ReviewScore, maxima: NDArray[np.float32]) -> tuple[list[int | None], int]:
    """Return how many other changes each counted sentence matches, and the number of changes.

    None if the sentence matches nothing in its own change, which is not among the others. `maxima`
    are those of `counted_sentences`.
    """
    is_of_study = score.signature.claims == STUDY_CLAIMS
    counts = np.maximum((maxima > score.tau).sum(axis=0) - is_of_study, 0).tolist()
    sentences = zip(score.sentences, counts, strict=False)
    n_matches = [n if sentence.on_topic else None for sentence, n in sentences]
    return n_matches, len(maxima) - is_of_study
