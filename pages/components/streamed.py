"""The answers of a language model so far, for pages that show them while they arrive."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """The text so far, its pieces (about a token each), and the time from the first to the last."""

    text: str
    tokens: int
    seconds: float


class StreamedAnswers:
    """A `Progress` that reports to `note` the answers of a run so far.

    Once `stopping` is set, the next piece raises `CancelledError`.
    """

    def __init__(self, note: Callable[[StreamProgress], None], stopping: threading.Event) -> None:
        self._note = note
        self._stopping = stopping
        self._answers: dict[int, str] = {}
        self._tokens, self._first = 0, 0.0

    def __call__(self, index: int, text: str) -> None:
        """Add a piece of the answer to one prompt; an empty piece means that none arrived."""
        if self._stopping.is_set():
            raise CancelledError
        if not text:
            return
        self._first = self._first or time.monotonic()
        self._tokens += 1
        self._answers[index] = self._answers.get(index, "") + text
        said = "\n\n".join(self._answers[prompt] for prompt in sorted(self._answers))
        self._note(StreamProgress(said, self._tokens, time.monotonic() - self._first))
