"""Progress of scoring a corpus."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class CorpusStage(StrEnum):
    """Steps of scoring a corpus, in order, as a person may read them.

    A run of `crscore batch` has all but `SIMILARITY`; a corpus that is scored in memory has that
    and `REFERENCES`.
    """

    INTAKE = "Reading the corpus"
    REFERENCES = "Making pseudo-references"
    SIMILARITY = "Comparing sentences"
    SCORES = "Scoring reviews"


@dataclass(frozen=True, slots=True)
class CorpusProgress:
    """Amount of a step that is done: bytes, changes, texts and reviews, in the order of the steps.

    `before` is how much was done when this program began on it.
    """

    stage: CorpusStage
    done: int
    total: int
    before: int = 0


Note = Callable[[CorpusProgress], None]
"""A function that takes progress; it may raise `CancelledError` to end the work."""


def silent_note(_: CorpusProgress) -> None:
    """Ignore progress."""
