"""Generate claims with a language model: send a prompt, parse the answer."""

from collections.abc import Sequence

from crscore_core.change import CodeChange
from crscore_core.claims.claim import ClaimSet
from crscore_core.claims.llm.language_model import Answer, LanguageModel
from crscore_core.claims.llm.prompt import PROMPT_VERSION, Excerpt, build_prompt, shown_change
from crscore_core.claims.response import parse_response
from crscore_core.errors import InputError, ModelError
from crscore_core.reasoning import without_reasoning
from crscore_core.text import shorten

_SHOWN = 100
"""Maximum number of characters that a message shows of an answer."""


class LanguageModelClaims:
    """A backend that asks a language model; `source` is the name of the backend in its claims."""

    def __init__(self, model: LanguageModel, source: str) -> None:
        self._model = model
        self._source = source

    @property
    def name(self) -> str:
        """The model and everything else that its claims depend on."""
        return f"{self._model.name} prompt-{PROMPT_VERSION}"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`.

        Raises:
            InputError: the model is unavailable or failed, or refused this change.
        """
        (claims,) = self.generate_many([change])
        if isinstance(claims, InputError):
            raise claims
        return claims

    def generate_many(self, changes: Sequence[CodeChange]) -> list[ClaimSet | InputError]:
        """Return the claims about each of `changes`, or the error if the model refuses it.

        Raises:
            InputError: the model is unavailable or failed altogether.
        """
        excerpts = [shown_change(change, self._model.count_tokens) for change in changes]
        answers = self._model.answer(list(map(build_prompt, excerpts)))
        return [
            self._claims(excerpt, answer) if isinstance(answer, Answer) else answer
            for excerpt, answer in zip(excerpts, answers, strict=True)
        ]

    def _claims(self, excerpt: Excerpt, answer: Answer) -> ClaimSet | ModelError:
        text = without_reasoning(answer.text)
        parsed = parse_response(text, self._source, is_complete=answer.is_complete)
        cut_off = "" if answer.is_complete else f"was cut off by {answer.cut_off_by}"
        if not parsed.claims:
            return ModelError(f"{_fault(answer.text, text)}{cut_off and f'; it {cut_off}'}")
        warnings = [*excerpt.warnings, *parsed.warnings]
        if cut_off:
            warnings.append(f"the model's answer {cut_off}")
        return ClaimSet(parsed.claims, tuple(warnings))


def _fault(answer: str, text: str) -> str:
    """Return what is wrong with an answer whose text, without reasoning, has no claims."""
    if not answer.strip():
        return "the model's answer is empty"
    if not text.strip():
        return "the model's answer is reasoning alone"
    return f"the model's answer contains no claims: {shorten(text, _SHOWN)}"
