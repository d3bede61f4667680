"""What a language model is to this package: prompts in, answers out, one seam."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Answer", "LanguageModel", "Progress", "silent"]

Progress = Callable[[int, str], None]
"""Told, as tokens arrive, which prompt (from 0) they answer and what they say.

What it raises ends the run and is passed on: that is how a run is stopped.
"""


def silent(_index: int, _text: str) -> None:
    """A progress callback for those who need not know."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered to one prompt; not `is_complete` where the limit of tokens cut it."""

    text: str
    is_complete: bool = True


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
    ) -> Iterator[tuple[int, Answer]]:
        """Answer every prompt; yield each answer with its prompt's index as soon as it is there.

        Raises:
            ClaimsError: the model cannot be had or failed; which of its kinds says the way out.
        """
        ...
