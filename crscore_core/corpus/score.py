"""A corpus -> the similarity of every review and the pseudo-references of its change."""

from collections.abc import Sequence

import numpy as np

from crscore_core.claims import ClaimGenerator
from crscore_core.corpus.comparison import (
    ComparedChange,
    CorpusComparison,
    LeftOut,
    compare_corpus,
)
from crscore_core.corpus.model import Corpus
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.corpus.pseudo_references import corpus_references
from crscore_core.scoring import Embeddings, Encoder

__all__ = ["NotedEncoder", "score_corpus"]

_TEXTS_AT_ONCE = 512


def score_corpus(
    corpus: Corpus, generator: ClaimGenerator, encoder: Encoder, note: Note = silent_note
) -> CorpusComparison:
    """Make pseudo-references of every change and compare its reviews with them.

    `note` is told of progress, and ends the work by raising `CancelledError`.

    Raises:
        ClaimsError: the claims backend cannot be had, or fails.
        EncoderError: the encoder cannot be loaded.
    """
    references = corpus_references(corpus.changes, generator, note)
    pairs = list(zip(corpus.changes, references.changes, strict=True))
    return compare_corpus(
        references.claims,
        [(made, given.reviews) for given, made in pairs if isinstance(made, ComparedChange)],
        NotedEncoder(encoder, note),
        left_out=[made for _, made in pairs if isinstance(made, LeftOut)],
        warnings=references.warnings,
    )


class NotedEncoder:
    """An encoder that tells how far it is."""

    def __init__(self, encoder: Encoder, note: Note) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._note = note

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed `texts`, some at once; see `Encoder.encode`."""
        parts = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            self._note(CorpusProgress(CorpusStage.SIMILARITY, start, len(texts)))
            parts.append(self._encoder.encode(texts[start : start + _TEXTS_AT_ONCE]))
        self._note(CorpusProgress(CorpusStage.SIMILARITY, len(texts), len(texts)))
        return Embeddings(
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([part.truncated for part in parts]),
        )
