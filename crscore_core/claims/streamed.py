"""What a language model says while it says it, for whoever looks on and may stop it."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

__all__ = ["StreamProgress", "StreamedAnswers"]


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """What a language model has said so far.

    `tokens` counts the pieces that came, which some servers make of several tokens; `seconds`
    is the time from the first to the last of them.
    """

    text: str
    tokens: int
    seconds: float


class StreamedAnswers:
    """A `Progress` that collects the answers to all prompts of a run and ends it when told to.

    Args:
        note: told what has been said, after each piece.
        stopping: once it is set, the next piece raises `CancelledError`.
    """

    def __init__(self, note: Callable[[StreamProgress], None], stopping: threading.Event) -> None:
        self._note = note
        self._stopping = stopping
        self._answers: dict[int, str] = {}
        self._tokens = 0
        self._first = 0.0

    def __call__(self, index: int, text: str) -> None:
        """Take a piece of the answer to one prompt; an empty one says that there is none yet."""
        if self._stopping.is_set():
            raise CancelledError
        if not text:
            return
        if not self._tokens:
            self._first = time.monotonic()
        self._tokens += 1
        self._answers[index] = self._answers.get(index, "") + text
        said = "\n\n".join(self._answers[prompt] for prompt in sorted(self._answers))
        self._note(StreamProgress(said, self._tokens, time.monotonic() - self._first))
