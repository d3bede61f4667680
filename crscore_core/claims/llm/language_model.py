"""The protocol of language models: prompts in, answers out, progress in between."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Protocol

from crscore_core.errors import InputError

_REASONING = re.compile(r"\A\s*(?:<think>.*?(?:</think>\s*|\Z))+", re.DOTALL)
"""Blocks at the start; one without an end is all there is."""

_REASONING_END = re.compile(r"\A.*?^[ \t]*</think>[ \t]*$", re.DOTALL | re.MULTILINE)
"""End of reasoning opened by the chat template: a closing tag on its own line."""

MAX_TOKENS = 700
"""Default answer length in tokens: two lists of about ten sentences each."""

Progress = Callable[[int, str], None]
"""Callback for arriving text, with the index of its prompt (from 0) and the text.

While nothing arrives, it gets "" from time to time. An exception from it ends the run and
propagates: this is how to stop a run.
"""


def silent(_index: int, _text: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer to one prompt.

    It is not `is_complete` if it was cut off at the token limit, or by something else that
    `ended_by` names, such as a content filter.
    """

    text: str
    is_complete: bool = True
    ended_by: str = ""

    @property
    def without_reasoning(self) -> str:
        """The text after the reasoning at its start, which may lack its opening tag."""
        return _REASONING_END.sub("", _REASONING.sub("", self.text), count=1)


class LanguageModel(Protocol):
    """A model that follows instructions."""

    @property
    def name(self) -> str:
        """Model, revision and everything else that answers depend on except the prompt."""
        ...

    def sampled(
        self, temperature: float, seed: int, schema: Mapping[str, Any] | None = None
    ) -> "LanguageModel":
        """Return the model with another temperature and seed; itself if it is always greedy.

        A model that can keep to a JSON schema answers in that of `schema`; others ignore it.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`, or an upper estimate if it is unknown."""
        ...

    def answers(
        self, prompts: Sequence[str], progress: Progress = silent
    ) -> Iterator[tuple[int, Answer | InputError]]:
        """Answer every prompt; yield each answer with its prompt's index once it is complete.

        If a single prompt cannot be answered, for example because it is too long, yield the error.

        Raises:
            InputError: the model is unavailable or failed; the subclass tells why.
        """
        ...


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """The text so far, its pieces (about a token each), and the time from the first to the last."""

    text: str
    tokens: int
    seconds: float


class StreamedAnswers:
    """A `Progress` that tells `note` the answers of a run so far.

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
