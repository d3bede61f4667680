"""Progress of long work."""

from typing import Protocol


class Progress(Protocol):
    """A function that receives progress; `step` names the current step, if there are several."""

    def __call__(self, done: int, total: int | None = None, step: str = "") -> None:
        """Receive the number of rows, reviews or steps `done`, and their `total` if it is known."""


def ignore_progress(done: int, total: int | None = None, step: str = "") -> None:
    """Report nothing."""
