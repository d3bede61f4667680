"""Who does the work of a run: this process, or many."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from crscore_core.corpus.run.change_references import ChangeReferences
from crscore_core.corpus.run.units import ScoredPart
from crscore_core.corpus.run.work import Work

__all__ = ["Engine"]


class Engine(Protocol):
    """Makes pseudo-references and scores; it writes nothing, and results come in any order."""

    def references(
        self, work: Work, blocks: Sequence[int]
    ) -> Iterator[list[tuple[int, ChangeReferences]]]:
        """The pseudo-references of the changes of each of `blocks`, by the changes' numbers.

        Raises:
            ClaimsError: the claims backend cannot be had, or fails.
        """
        ...

    def scores(self, work: Work, parts: Sequence[int]) -> Iterator[ScoredPart]:
        """Each of `parts` of reviews, scored.

        Raises:
            EncoderError: the encoder cannot be loaded.
        """
        ...
