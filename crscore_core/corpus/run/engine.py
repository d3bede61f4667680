"""Engines make pseudo-references and scores of a run, by stages that are functions of their input.

This process is one; `ray_engine` spreads the same stages over many.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from analyzers import Analyzer, AnalyzerResult, Status
from crscore_core.claims import ClaimGenerator, Progress, silent
from crscore_core.corpus.reading.review_row import read_change
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.table import RunReview, reviews_part
from crscore_core.corpus.run.units import Block, ChangeReferences, Part, ScoredPart, StoredReview
from crscore_core.corpus.run.work import Work
from crscore_core.corpus.score import change_input
from crscore_core.scoring import CachedEncoder, split_sentences
from crscore_core.scoring.pipeline import (
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


class Engine(Protocol):
    """Makes pseudo-references and scores; it writes nothing, and results come in any order."""

    def references(
        self, work: Work, blocks: Sequence[int]
    ) -> Iterator[list[tuple[int, ChangeReferences]]]:
        """Make the pseudo-references of the changes of each block, by the changes' numbers.

        Raises:
            ClaimsError: the claims backend cannot be had, or fails.
        """
        ...

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """Score the reviews of each part.

        Raises:
            EncoderError: the encoder cannot be loaded.
        """
        ...


class LocalEngine:
    """Does one block and one part after the other; `progress` is told what a model writes."""

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        self._recipe = recipe
        self._progress = progress

    def references(
        self, work: Work, blocks: Sequence[int]
    ) -> Iterator[list[tuple[int, ChangeReferences]]]:
        """See `Engine.references`."""
        generator = self._recipe.claim_generator(self._progress)
        analyzers = self._recipe.chosen_analyzers()
        for number in blocks:
            yield add_references(claim_block(work.block(number), generator), analyzers)

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """See `Engine.scores`."""
        encoder = self._recipe.cached_encoder()
        for number in parts:
            yield score_part(embed_part(work.part(number), encoder), self._recipe.tau)


ClaimedBlock = list[tuple[int, ClaimedChange | Unusable]]
"""The changes of a block by number, with their claims, or why there are none."""


@dataclass(frozen=True, slots=True)
class EmbeddedPart:
    """A part with the vectors of its texts.

    `split` are the reviews of each change that has pseudo-references, by the change's number.
    """

    part: Part
    split: Mapping[int, tuple[ReferenceSet, SplitReviews]]
    vectors: TextVectors


def claim_block(block: Block, generator: ClaimGenerator) -> ClaimedBlock:
    """Take the claims that changes bring, and have the backend make the others.

    With the first block of a run nobody saw the backend work yet.

    Raises:
        ClaimsError: the backend cannot be had; see `claim_changes`.
    """
    inputs = [change_input(read_change(cells)) for _, cells in block.changes]
    claimed = claim_changes(inputs, generator, is_first=block.number == 0)
    return list(zip((number for number, _ in block.changes), claimed, strict=True))


def add_references(
    block: ClaimedBlock, analyzers: Mapping[str, Sequence[Analyzer]]
) -> list[tuple[int, ChangeReferences]]:
    """Ask the analyzers about all changes at once: the pseudo-references, by change number."""
    sets = add_smells([change for _, change in block], analyzers)
    numbered = []
    for (number, change), references in zip(block, sets, strict=True):
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


def score_part(embedded: EmbeddedPart, tau: float) -> ScoredPart:
    """Score the reviews of a part, in their order; the same reviews give the same bytes."""
    scores = score_reviews(list(embedded.split.values()), embedded.vectors, tau)
    of_change = {
        number: iter(scored) for number, scored in zip(embedded.split, scores, strict=True)
    }
    rows = []
    for review in embedded.part.reviews:
        change = embedded.part.references[review.change]
        score = next(of_change[review.change]) if review.change in of_change else None
        rows.append(_row(review, change, score))
    return reviews_part(embedded.part.number, rows, tau)


def _row(review: StoredReview, change: ChangeReferences, score: ReviewScore | None) -> RunReview:
    if score is None:
        sentences: Sequence[str] = split_sentences(review.text)
        similarity = np.zeros((0, len(sentences)), dtype=np.float32)
        warnings = [f"cannot be scored: {change.left_out}"]
    else:
        sentences, similarity = score.sentence_texts, score.similarity
        warnings = [*score.warnings, *_unseen(score.references.analyzers)]
    return RunReview(
        review.row,
        review.change,
        review.id,
        review.system,
        change.language,
        review.text,
        review.ratings,
        sentences,
        similarity,
        warnings,
        score.calibrated_relevance if score else None,
        str(score.signature) if score else None,
    )


def _unseen(results: Sequence[AnalyzerResult]) -> list[str]:
    """Name what no analyzer looked at: smells may be missing among the pseudo-references."""
    return [
        f"{result.path or 'a hunk'} was not analysed ({result.name}: {result.reason})"
        for result in results
        if result.status is Status.NOT_ANALYSED
    ]
