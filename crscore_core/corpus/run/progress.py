"""How far a run is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["BatchNote", "BatchProgress", "BatchStage", "silent_note"]


class BatchStage(StrEnum):
    """The steps of a run, in order, as a person may read them."""

    INTAKE = "Reading the corpus"
    REFERENCES = "Making pseudo-references"
    SCORES = "Scoring reviews"


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How much of a step is done: bytes of the first, changes of the second, reviews of the third.

    `before` is how much was done when this program began on it.
    """

    stage: BatchStage
    done: int
    total: int
    before: int = 0


BatchNote = Callable[[BatchProgress], None]
"""Told of progress."""


def silent_note(_: BatchProgress) -> None:
    """Where nobody looks."""
