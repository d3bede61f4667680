"""The protocol for language models, and the backend that asks one for claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from crscore_core.change import CodeChange
from crscore_core.claims.claim import ClaimSet
from crscore_core.claims.llm.prompt import build_prompt, shown_change
from crscore_core.claims.response import parse_response
from crscore_core.errors import InputError, ModelError
from crscore_core.reasoning import without_reasoning
from crscore_core.text import shorten
from crscore_core.version import PROMPT_VERSION

MAX_TOKENS = 700  # default limit of an answer: enough for two lists of about ten sentences each
_SHOWN = 100  # maximum number of characters of an answer that a message shows


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
"""Stands for an empty answer from a server that sends reasoning separately."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer to one prompt.

    cut_off_by: what cut the answer off, such as `LENGTH_LIMIT`; empty if it is complete.
    """

    text: str
    cut_off_by: str = ""


class LanguageModel(Protocol):
    """A model that follows instructions."""

    @property
    def name(self) -> str:
        """Model, revision and everything else that answers depend on, except the prompt."""

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in `text`, or an overestimate if it is unknown."""

    def answer(
        self, prompts: Sequence[str], schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt, in order, as soon as it is complete.

        A model that can follow a JSON `schema` answers in JSON.
        A prompt that cannot be answered, for example because it is too long, yields an error.

        Raises:
            UnavailableError: the model, or something it needs, is missing.
            ModelError: the model failed.
        """


class LanguageModelClaims:
    """A backend that asks a language model; `source` becomes the source of its claims."""

    def __init__(self, model: LanguageModel, source: str) -> None:
        self._model = model
        self._source = source

    @property
    def name(self) -> str:
        """The model and everything else that its claims depend on."""
        return f"{self._model.name} prompt-{PROMPT_VERSION}"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`, or raise the error from `generate_many`."""
        (claims,) = self.generate_many([change])
        if isinstance(claims, InputError):
            raise claims
        return claims

    def generate_many(self, changes: Sequence[CodeChange]) -> Iterator[ClaimSet | InputError]:
        """Yield the claims about each of `changes`; see `crscore_core.claims.generate_many`."""
        excerpts = [shown_change(change, self._model.count_tokens) for change in changes]
        answers = self._model.answer([build_prompt(shown) for shown, _ in excerpts])
        for (_, warnings), answer in zip(excerpts, answers, strict=True):
            yield self._claims(warnings, answer) if isinstance(answer, Answer) else answer

    def _claims(self, excerpt_warnings: Sequence[str], answer: Answer) -> ClaimSet | ModelError:
        text = without_reasoning(answer.text)
        parsed = parse_response(text, self._source, is_complete=not answer.cut_off_by)
        warnings = [*excerpt_warnings, *parsed.warnings]
        if answer.cut_off_by:
            warnings.append(f"the model's answer was cut off: {answer.cut_off_by}")
        if parsed.claims:
            return ClaimSet(parsed.claims, tuple(warnings))
        fault = f"contains no claims: {shorten(text, _SHOWN)}"
        if not text.strip():
            fault = "contains only reasoning" if answer.text.strip() else "is empty"
        return ModelError("; ".join([f"the model's answer {fault}", *warnings]))
