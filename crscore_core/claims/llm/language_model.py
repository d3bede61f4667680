"""The seam of language models: prompts in, answers out, and what is told in between."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Protocol

from crscore_core.errors import ClaimsError

MAX_TOKENS = 700
"""Length of an answer by default: two lists of about ten sentences each."""

Progress = Callable[[int, str], None]
"""Callback that is told, as tokens arrive, which prompt (from 0) they answer and what they say.

An answer that broke off and is begun again is told from where it had come to. While nothing
comes the callback is told "" now and then. An exception from it ends the run and is passed on:
that is how a run is stopped.
"""


def silent(_index: int, _text: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer to one prompt.

    It is not `is_complete` where the limit of tokens cut it, or something else that `ended_by`
    names, such as a filter of contents.
    """

    text: str
    is_complete: bool = True
    ended_by: str = ""


class LanguageModel(Protocol):
    """A model that follows instructions."""

    @property
    def name(self) -> str:
        """Model, revision and whatever else its answers depend on besides the prompt."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of `text`; an upper estimate where it cannot be known."""
        ...

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | ClaimsError]]:
        """Answer every prompt; yield each answer with its prompt's index as soon as it is there.

        A prompt that cannot be answered while others can, such as one that is too long or that a
        server refuses, gets the error that says why.

        Raises:
            ClaimsError: the model cannot be had or failed; which of its kinds says the way out.
        """
        ...


class SampledModel(LanguageModel, Protocol):
    """A language model that may answer the same prompt in several ways."""

    def sampled(self, temperature: float, seed: int) -> LanguageModel:
        """Return the model with another temperature and seed; itself if it is always greedy."""
        ...


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """The text of a language model so far.

    `tokens` counts the pieces that came, which some servers make of several tokens; `seconds`
    is the time from the first piece to the last.
    """

    text: str
    tokens: int
    seconds: float


class StreamedAnswers:
    """A `Progress` that collects the answers to all prompts of a run and ends it when told to.

    Args:
        note: told the text so far, after each piece.
        stopping: once it is set, the next piece raises `CancelledError`.
    """

    def __init__(self, note: Callable[[StreamProgress], None], stopping: threading.Event) -> None:
        self._note = note
        self._stopping = stopping
        self._answers: dict[int, str] = {}
        self._tokens = 0
        self._first = 0.0

    def __call__(self, index: int, text: str) -> None:
        """Take a piece of the answer to one prompt; an empty piece says that none came yet."""
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
