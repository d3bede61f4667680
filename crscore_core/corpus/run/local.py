"""The engine that works in this process."""

from collections.abc import Iterator, Sequence

from crscore_core.claims import Progress, silent
from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.stages import add_references, claim_block, embed_part, score_part
from crscore_core.corpus.run.table import scored_part
from crscore_core.corpus.run.units import ScoredPart
from crscore_core.corpus.run.work import Work

__all__ = ["LocalEngine"]


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
            scored = score_part(embedded, self._recipe.tau)
            yield scored_part(number, scored, self._recipe)
