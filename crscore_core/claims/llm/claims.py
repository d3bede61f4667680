"""Generate claims with a language model: send a prompt, parse the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from crscore_core.change import CodeChange
from crscore_core.claims.llm.cache import NOT_KEPT, AnswerCache, answered
from crscore_core.claims.llm.language_model import Answer, LanguageModel, Progress, silent
from crscore_core.claims.llm.prompt import PROMPT_VERSION, Prompt, prompt_of
from crscore_core.claims.model import Claim, ClaimSet
from crscore_core.claims.response import claims_of_response
from crscore_core.errors import InputError


class LanguageModelClaims:
    """A backend that asks a language model and caches its answers.

    Without a `cache`, the model is asked every time. `progress` gets the index of the change, and
    `source` is the name of the backend, for its claims.
    """

    def __init__(
        self,
        model: LanguageModel,
        cache: AnswerCache | None = None,
        progress: Progress = silent,
        *,
        source: str,
    ) -> None:
        self._model = model
        self._cache = cache
        self._progress = progress
        self._source = source

    @property
    def name(self) -> str:
        """The model and everything else that its claims depend on."""
        return f"{self._model.name} prompt-{PROMPT_VERSION}"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; see `generate_each`.

        Raises:
            InputError: the model is unavailable or failed, or refused this change.
        """
        (made,) = self.generate_each([change])
        if isinstance(made, InputError):
            raise made
        return made

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | InputError]:
        """Return the claims about each of `changes`; the error if the model refuses a single one.

        Changes with the same prompt are sent once, cached answers not at all. Answers without
        claims, and answers cut off by anything except the token limit, are not cached. If answers
        cannot be cached, the first claims carry a warning.

        Raises:
            InputError: the model is unavailable or failed.
        """
        prompts = [prompt_of(change, self._model.count_tokens) for change in changes]
        numbers: dict[str, int] = {}
        for number, prompt in enumerate(prompts):
            numbers.setdefault(prompt.text, number)
        answers, is_kept = answered(
            numbers, self._model, self._cache, self._is_worth_keeping, self._progress
        )
        made = [self._claims(prompt, answers[prompt.text]) for prompt in prompts]
        if not is_kept:
            for index, claims in enumerate(made):
                if isinstance(claims, ClaimSet):
                    made[index] = replace(claims, warnings=(*claims.warnings, NOT_KEPT))
                    break
        return made

    def _read(self, answer: Answer) -> ClaimSet:
        return claims_of_response(
            answer.without_reasoning, self._source, is_complete=answer.is_complete
        )

    def _is_worth_keeping(self, _prompt: str, answer: Answer) -> bool:
        return not answer.ended_by and bool(self._read(answer).claims)

    def _claims(self, prompt: Prompt, answer: Answer | InputError) -> ClaimSet | InputError:
        if isinstance(answer, InputError):
            return answer
        read = self._read(answer)
        return ClaimSet(
            read.claims, (*prompt.warnings, *_warnings(answer, read.claims), *read.warnings)
        )


def _warnings(answer: Answer, claims: Sequence[Claim]) -> Iterator[str]:
    """Yield warnings about an answer."""
    left_out = "; its unfinished last sentence was dropped"
    if answer.ended_by:
        yield f"the model's answer was ended by {answer.ended_by!r}{left_out}"
    elif not answer.is_complete and claims:
        yield f"the model's answer was cut off at the token limit{left_out}"
    elif not answer.is_complete:
        yield (
            "the model reached the token limit without a claim, perhaps while reasoning; raise "
            "the limit (max tokens)"
        )
    if not claims:
        yield "the model's answer contains no claims"
