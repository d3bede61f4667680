"""Engines make pseudo-references and scores of a run: this process, or many (`ray_engine`)."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from analyzers import AnalyzerResult, Status
from crscore_core.claims import Progress, silent
from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.stages import (
    ScoredReview,
    add_references,
    claim_block,
    embed_part,
    score_part,
)
from crscore_core.corpus.run.table import RunReview, reviews_part
from crscore_core.corpus.run.units import ScoredPart
from crscore_core.corpus.run.work import Work
from crscore_core.scoring import split_sentences

__all__ = ["Engine", "LocalEngine", "scored_part"]


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
            claimed = claim_block(work.block(number), generator)
            yield add_references(claimed, analyzers)

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """See `Engine.scores`."""
        encoder = self._recipe.cached_encoder()
        for number in parts:
            embedded = embed_part(work.part(number), encoder)
            yield scored_part(number, score_part(embedded, self._recipe.tau), self._recipe.tau)


def scored_part(number: int, reviews: Sequence[ScoredReview], tau: float) -> ScoredPart:
    """Write scored reviews as a part of a run; the same reviews give the same bytes."""
    return reviews_part(number, [_run_review(scored) for scored in reviews], tau)


def _run_review(scored: ScoredReview) -> RunReview:
    review, score = scored.review, scored.score
    of_review = (
        review.row, review.change, review.id, review.system, scored.language, review.text,
        review.ratings,
    )  # fmt: skip
    if score is None:
        sentences = split_sentences(review.text)
        nothing = np.zeros((0, len(sentences)), dtype=np.float32)
        warnings = [f"cannot be scored: {scored.left_out}"]
        return RunReview(*of_review, sentences, nothing, warnings)
    return RunReview(
        *of_review,
        score.sentence_texts,
        score.similarity,
        [*score.warnings, *_unseen(score.references.analyzers)],
        score.calibrated_relevance,
        str(score.signature),
    )


def _unseen(results: Sequence[AnalyzerResult]) -> list[str]:
    """Name what no analyzer looked at: smells may be missing among the pseudo-references."""
    return [
        f"{result.path or 'a hunk'} was not analysed ({result.name}: {result.reason})"
        for result in results
        if result.status is Status.NOT_ANALYSED
    ]
