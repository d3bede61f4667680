"""The protocol of language models: prompts in, answers out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from crscore_core.errors import ModelError

MAX_TOKENS = 700
"""Default limit of an answer: enough for two lists of about ten sentences each."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Options of claims backends; None means the backend's default.

    max_tokens: the maximum length of an answer, including reasoning.
    """

    model: str | None = None
    device: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    max_tokens: int = MAX_TOKENS


LENGTH_LIMIT = "the limit (max tokens)"
ONLY_REASONING = "<think></think>"
"""Text of an answer without text from a server that sends reasoning apart."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer to one prompt.

    cut_off_by: what cut the answer off, such as `LENGTH_LIMIT`; empty if it is complete.
    """

    text: str
    cut_off_by: str = ""

    @property
    def is_complete(self) -> bool:
        """False if the answer was cut off."""
        return not self.cut_off_by


class LanguageModel(Protocol):
    """A model that follows instructions."""

    @property
    def name(self) -> str:
        """Model, revision and everything else that answers depend on, except the question."""

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`, or an upper estimate if it is unknown."""

    def answer(
        self, prompts: Sequence[str], schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt, in order, as soon as it is complete.

        A model that can follow a JSON `schema` answers in JSON.
        A prompt that cannot be answered, for example because it is too long, yields the error.

        Raises:
            UnavailableError: the model, or something it needs, is missing.
            ModelError: the model failed.
        """
