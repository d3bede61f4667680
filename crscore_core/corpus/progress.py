"""Progress of scoring a corpus."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class CorpusStage(StrEnum):
    """Steps of scoring a corpus, in order, as a person may read them."""

    INTAKE = "Reading the corpus"
    SCORES = "Scoring reviews"


@dataclass(frozen=True, slots=True)
class CorpusProgress:
    """Amount of a step that is done: bytes, then reviews.

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
