"""Engines take the parts of a run through `score_part`: this process does, or Ray's workers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from crscore_core.claims import Progress, silent
from crscore_core.corpus.part import Part, ScoredPart, score_part
from crscore_core.corpus.run.recipe import Recipe

Note = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class PartScorer:
    """The recipe by which every part of a run is scored; it can be sent to another process.

    `digest` is the encoder's where the run was begun: another machine may have another. `labels`
    names those of the whole run.
    """

    recipe: Recipe
    digest: str
    labels: Sequence[str] = ()

    def ready(self, progress: Progress = silent) -> Callable[[Part, Note], ScoredPart]:
        """Make the claims backend, the analyzers and the encoder, and return what uses them.

        Raises:
            ClaimsError, AnalyzerError, EncoderError: one of them cannot be had, or the encoder is
                another than `digest` says.
        """
        tools = self.recipe.tools(self.digest, progress)
        return lambda part, note: score_part(part, tools, self.labels, note)


class Engine(Protocol):
    """Scores parts."""

    def results(
        self, scorer: PartScorer, read: Callable[[int], Part], numbers: Sequence[int], note: Note
    ) -> Iterator[ScoredPart]:
        """Yield the result of each part, in any order; write nothing.

        `read` gives the part of a number. `note` is told which share of a part is done, where one
        part at a time is at work.

        Raises:
            CRScoreError: any that scoring raises.
        """


class LocalEngine:
    """Does one part after the other in this process; `progress` hears what a model writes."""

    def __init__(self, progress: Progress = silent) -> None:
        self._progress = progress

    def results(
        self, scorer: PartScorer, read: Callable[[int], Part], numbers: Sequence[int], note: Note
    ) -> Iterator[ScoredPart]:
        """See `Engine.results`."""
        if not numbers:
            return
        score = scorer.ready(self._progress)
        for number in numbers:
            yield score(read(number), note)
