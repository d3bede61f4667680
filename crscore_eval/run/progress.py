"""Progress of long work."""

from typing import Protocol


class Progress(Protocol):
    """Receives the progress of the work; `step` names the current step."""

    def __call__(self, done: int, total: int | None = None, step: str = "") -> None:
        """Take the number of rows, reviews or steps `done` of `total`, None if unknown."""


def ignore_progress(done: int, total: int | None = None, step: str = "") -> None:
    """Report nothing."""
