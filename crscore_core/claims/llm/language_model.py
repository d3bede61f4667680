"""What a language model is to this package: prompts in, answers out, one seam."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from crscore_core.errors import ClaimsError

__all__ = ["MAX_TOKENS", "Answer", "LanguageModel", "Progress", "silent"]

MAX_TOKENS = 700
"""How long an answer may get by default: two lists of about ten sentences each."""

Progress = Callable[[int, str], None]
"""Told, as tokens arrive, which prompt (from 0) they answer and what they say.

An answer that broke off and is begun again is told from where it had come to. While nothing
comes it is told "" now and then. What it raises ends the run and is passed on: that is how a run
is stopped.
"""


def silent(_index: int, _text: str) -> None:
    """A progress callback for those who need not know."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered to one prompt.

    It is not `is_complete` where the limit of tokens cut it, or what `ended_by` names where that
    was something else, such as a filter of contents.
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
        """How many tokens `text` has for this model; an upper estimate where it cannot be known."""
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
