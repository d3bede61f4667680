"""The stages of a run, each a function of its input: claims, analyzers, embeddings, scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzers import Analyzer
from crscore_core.claims import ClaimGenerator, ClaimSet
from crscore_core.corpus.reading.review_row import read_change
from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.units import Block, Part, StoredReview
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.pipeline import (
    ChangeInput,
    ClaimedChange,
    Unusable,
    add_smells,
    claim_changes,
    score_reviews,
)
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.similarity import (
    SplitReviews,
    TextVectors,
    distinct_texts,
    embed,
    split_reviews,
)

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
    changes: tuple[tuple[int, ClaimedChange | Unusable], ...]


@dataclass(frozen=True, slots=True)
class EmbeddedPart:
    """A part with the vectors of its texts.

    `split` are the reviews of each change that has pseudo-references, by the change's number.
    """

    part: Part
    split: Mapping[int, tuple[ReferenceSet, SplitReviews]]
    vectors: TextVectors


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
    inputs = []
    for _, cells in block.changes:
        content = read_change(cells)
        claims = None if content.claims is None else ClaimSet(content.claims)
        inputs.append(ChangeInput(content.diff, content.language, claims, content.new_file))
    claimed = claim_changes(inputs, generator, is_first=block.number == 0)
    numbers = (number for number, _ in block.changes)
    return ClaimedBlock(block.number, tuple(zip(numbers, claimed, strict=True)))


def add_references(
    block: ClaimedBlock, analyzers: Mapping[str, Sequence[Analyzer]]
) -> list[tuple[int, ChangeReferences]]:
    """Ask the analyzers about all changes at once: the pseudo-references, by change number."""
    sets = add_smells([change for _, change in block.changes], analyzers)
    numbered = []
    for (number, change), references in zip(block.changes, sets, strict=True):
        if isinstance(references, Unusable):
            numbered.append((number, ChangeReferences("", None, references.reason)))
        elif isinstance(change, ClaimedChange):
            numbered.append((number, ChangeReferences(change.language, references)))
    return numbered


def embed_part(part: Part, encoder: CachedEncoder) -> EmbeddedPart:
    """Embed every text of a part, each once.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    texts: dict[int, list[str]] = {}
    for review in part.reviews:
        texts.setdefault(review.change, []).append(review.text)
    split = {}
    for number, reviews in texts.items():
        references = part.references[number].references
        if references:
            rows = (reference.text for reference in references.pseudo_references)
            split[number] = (references, split_reviews(rows, reviews))
    return EmbeddedPart(
        part, split, embed(encoder, distinct_texts(reviews for _, reviews in split.values()))
    )


def score_part(embedded: EmbeddedPart, tau: float) -> list[ScoredReview]:
    """Score the reviews of a part, in their order."""
    scores = score_reviews(list(embedded.split.values()), embedded.vectors, tau)
    of_change = {
        number: iter(scored) for number, scored in zip(embedded.split, scores, strict=True)
    }
    scored_reviews = []
    for review in embedded.part.reviews:
        change = embedded.part.references[review.change]
        score = next(of_change[review.change]) if review.change in of_change else None
        scored_reviews.append(ScoredReview(review, change.language, score, change.left_out))
    return scored_reviews
