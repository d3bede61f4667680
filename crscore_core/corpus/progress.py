"""Progress of scoring a corpus."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CorpusProgress", "CorpusStage", "Note", "silent_note"]


class CorpusStage(StrEnum):
    """The steps of scoring a corpus, in order, as a person may read them."""

    REFERENCES = "Making pseudo-references"
    SIMILARITY = "Comparing sentences"


@dataclass(frozen=True, slots=True)
class CorpusProgress:
    """Amount of a step that is done: changes of the first, texts of the second."""

    stage: CorpusStage
    done: int
    total: int


Note = Callable[[CorpusProgress], None]
"""A function that takes progress; it may raise `CancelledError` to end the work."""


def silent_note(_: CorpusProgress) -> None:
    """Ignore progress."""
