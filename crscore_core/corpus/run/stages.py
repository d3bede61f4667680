"""The stages of a run, each a function of its input: claims, analyzers, embeddings, scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analyzers import Analyzer
from crscore_core.claims import ClaimGenerator
from crscore_core.corpus.comparison import LeftOut
from crscore_core.corpus.model import CorpusChange
from crscore_core.corpus.pseudo_references import ClaimedChange, add_smells, claim_changes
from crscore_core.corpus.reading.imported_change import read_change
from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.units import Block, Part, StoredReview
from crscore_core.scoring import CachedEncoder, Embeddings, Precision, split_sentences
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer
from crscore_core.text import whole_text

__all__ = [
    "ClaimedBlock",
    "EmbeddedPart",
    "ScoredReview",
    "add_references",
    "claim_block",
    "embed_part",
    "score_part",
]


@dataclass(frozen=True, slots=True)
class ClaimedBlock:
    """The changes of a block with their claims, or why there are none, by number."""

    number: int
    changes: tuple[tuple[int, ClaimedChange | LeftOut], ...]


@dataclass(frozen=True, slots=True)
class EmbeddedPart:
    """A part, and the vectors of every text in it, each text once.

    As an encoder it knows those texts alone, and bears the name of the one that made the vectors.
    """

    part: Part
    name: str
    precision: Precision
    rows: Mapping[str, int]
    embeddings: Embeddings

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """The vectors of texts of the part; see `Encoder.encode`."""
        rows = np.array([self.rows[text] for text in texts], dtype=np.intp)
        return Embeddings(self.embeddings.vectors[rows], self.embeddings.truncated[rows])


@dataclass(frozen=True, slots=True)
class ScoredReview:
    """A review with the language of its change and its score, or why its change has none."""

    review: StoredReview
    language: str
    score: ReviewScore | None
    left_out: str | None = None


def claim_block(block: Block, generator: ClaimGenerator) -> ClaimedBlock:
    """Take the claims that changes bring, and have the backend make the others.

    With the first block of a run the backend is not seen to work yet.

    Raises:
        ClaimsError: the backend cannot be had; see `claim_changes`.
    """
    changes = []
    for number, cells in block.changes:
        content = read_change(cells)
        changes.append(
            CorpusChange(
                str(number),
                content.language,
                content.diff,
                (),
                claims=content.claims,
                new_file=content.new_file,
            )
        )
    claimed = claim_changes(changes, generator, is_first=block.number == 0)
    numbers = (number for number, _ in block.changes)
    return ClaimedBlock(block.number, tuple(zip(numbers, claimed, strict=True)))


def add_references(
    block: ClaimedBlock, analyzers: Mapping[str, Sequence[Analyzer]]
) -> list[tuple[int, ChangeReferences]]:
    """Ask the analyzers about all changes at once: the pseudo-references, by change number."""
    claimed = [change for _, change in block.changes]
    made = add_smells(claimed, analyzers)
    found = []
    for (number, change), references in zip(block.changes, made, strict=True):
        if isinstance(references, LeftOut):
            found.append((number, ChangeReferences("", None, references.reason)))
        elif isinstance(change, ClaimedChange):
            found.append((number, ChangeReferences(change.language, references)))
    return found


def embed_part(part: Part, encoder: CachedEncoder) -> EmbeddedPart:
    """Encode every text of a part, each once.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    texts = dict.fromkeys(
        one.text
        for change in part.references.values()
        if change.references
        for one in change.references.pseudo_references
    ) | dict.fromkeys(
        sentence
        for review in part.reviews
        if part.references[review.change].references
        for sentence in split_sentences(whole_text(review.text))
    )
    rows = {text: row for row, text in enumerate(texts)}
    return EmbeddedPart(part, encoder.name, encoder.precision, rows, encoder.encode(list(texts)))


def score_part(embedded: EmbeddedPart, tau: float) -> list[ScoredReview]:
    """Score the reviews of a part, in their order."""
    part = embedded.part
    by_change: dict[int, list[StoredReview]] = {}
    for review in part.reviews:
        by_change.setdefault(review.change, []).append(review)
    whole = [
        (references, reviews)
        for change, reviews in by_change.items()
        if (references := part.references[change].references)
    ]
    scores = CRScorer(encoder=embedded, tau=tau).score_each(
        [(references, [review.text for review in reviews]) for references, reviews in whole]
    )
    score_of = {
        review.row: score
        for (_, reviews), of_change in zip(whole, scores, strict=True)
        for review, score in zip(reviews, of_change, strict=True)
    }
    return [
        ScoredReview(
            review,
            part.references[review.change].language,
            score_of.get(review.row),
            part.references[review.change].left_out,
        )
        for review in part.reviews
    ]
