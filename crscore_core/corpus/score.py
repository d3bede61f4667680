"""A corpus -> pseudo-references of every change, and their similarity to every review."""

import hashlib
import json
from collections.abc import Sequence

import numpy as np

from crscore_core.claims import ClaimGenerator, ClaimSet
from crscore_core.corpus.comparison import (
    ComparedChange,
    CorpusComparison,
    LeftOut,
    compare_corpus,
)
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.progress import CorpusProgress, CorpusStage, Note, silent_note
from crscore_core.scoring import Embeddings, Encoder
from crscore_core.scoring.pipeline import (
    ChangeInput,
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
)
from crscore_core.scoring.similarity import precision_of

CHANGES_AT_ONCE = 100
"""Changes that the analyzers see together: each tool starts once for them."""

_TEXTS_AT_ONCE = 512


def score_corpus(
    corpus: Corpus, generator: ClaimGenerator, encoder: Encoder, note: Note = silent_note
) -> CorpusComparison:
    """Make pseudo-references of every change and compare its reviews with them.

    Claims are a change's own or a backend's. A diff that cannot be read, or a change that the
    backend has no claims about, is left out. The result names the source of the claims: the
    backend, claims that came with the changes (as `given-` and the beginning of their digest), or
    both. `note` is told of progress, and ends the work by raising `CancelledError`.

    Raises:
        ClaimsError: the claims backend cannot be had, or fails; see `claim_changes`.
        EncoderError: the encoder cannot be loaded.
    """
    changes = corpus.changes
    compared: list[tuple[ComparedChange, Sequence[CorpusReview]]] = []
    left_out: list[LeftOut] = []
    warnings: list[str] = []
    for start in range(0, len(changes), CHANGES_AT_ONCE):
        note(CorpusProgress(CorpusStage.REFERENCES, start, len(changes)))
        part = changes[start : start + CHANGES_AT_ONCE]
        claimed = claim_changes(list(map(change_input, part)), generator, is_first=start == 0)
        for change, read, references in zip(part, claimed, add_smells(claimed), strict=True):
            if isinstance(references, Unusable):
                left_out.append(LeftOut(change.id, references.reason))
            elif isinstance(read, ClaimedChange):
                warnings += (f"{change.id}: {warning}" for warning in references.warnings)
                pseudo_references = references.pseudo_references
                of_change = ComparedChange(
                    change.id, read.language, change.diff, pseudo_references, change.title
                )
                compared.append((of_change, change.reviews))
    note(CorpusProgress(CorpusStage.REFERENCES, len(changes), len(changes)))
    claims = _claims_name(changes, generator)
    return compare_corpus(claims, compared, NotedEncoder(encoder, note), left_out, warnings)


def change_input(change: CorpusChange) -> ChangeInput:
    """A change of a corpus as the pipeline takes it."""
    claims = None if change.claims is None else ClaimSet(change.claims)
    return ChangeInput(change.diff, change.language, claims, change.new_file)


def _claims_name(changes: Sequence[CorpusChange], generator: ClaimGenerator) -> str:
    """Name the source of the claims, so that other given claims have another name."""
    given = [change.claims for change in changes if change.claims is not None]
    if not given:
        return generator.name
    texts = json.dumps(
        [[(claim.kind, claim.text, *claim.wordings) for claim in claims] for claims in given]
    )
    name = f"given-{hashlib.sha256(texts.encode()).hexdigest()[:12]}"
    return name if len(given) == len(changes) else f"{name} and {generator.name}"


class NotedEncoder:
    """An encoder that tells its progress."""

    def __init__(self, encoder: Encoder, note: Note) -> None:
        self.name = encoder.name
        self.precision = precision_of(encoder)
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
