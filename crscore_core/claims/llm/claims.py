"""Claims by a language model: the prompt in, its answer out, read as claims."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from crscore_core.change import CodeChange
from crscore_core.claims.llm.cache import NOT_KEPT, AnswerCache, answered
from crscore_core.claims.llm.language_model import Answer, LanguageModel, Progress, silent
from crscore_core.claims.llm.prompt import PROMPT_VERSION, Prompt, prompt_of
from crscore_core.claims.llm.reasoning import without_reasoning
from crscore_core.claims.model import ClaimSet
from crscore_core.claims.response import MAX_CLAIMS_OF_RESPONSE, ReadResponse, read_response
from crscore_core.errors import ClaimsError


class LanguageModelClaims:
    """A backend that asks a language model, and remembers its answers.

    Args:
        model: the model.
        cache: where answers are kept; None to ask every time.
        progress: told which change, from 0, the model is writing about, and what.
        source: the short name of the backend, for its claims.
        counts_are_estimates: whether the model only estimates how many tokens a text has.
    """

    def __init__(
        self,
        model: LanguageModel,
        cache: AnswerCache | None = None,
        progress: Progress = silent,
        *,
        source: str,
        counts_are_estimates: bool = False,
    ) -> None:
        self._model = model
        self._cache = cache
        self._progress = progress
        self._source = source
        self._counts_are_estimates = counts_are_estimates

    @property
    def name(self) -> str:
        """The model and all that its claims depend on."""
        return f"{self._model.name} prompt-{PROMPT_VERSION}"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; see `generate_each`.

        Raises:
            ClaimsError: the model cannot be had or failed, or refuses this change.
        """
        (made,) = self.generate_each([change])
        if isinstance(made, ClaimsError):
            raise made
        return made

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | ClaimsError]:
        """Return the claims about each of `changes`.

        The model is asked once for changes that look alike to it, and not for known answers. Each
        answer is kept as soon as it is there, so that a run that ends early loses only the
        answers that were being written.

        A change that the model alone refuses has the error that says why. Answers without
        claims, and those that something other than the limit of tokens cut, are not kept: the
        model is asked again. Where answers cannot be kept, the first claims say so.

        Raises:
            ClaimsError: the model cannot be had or failed.
        """
        prompts = [
            prompt_of(
                change, self._model.count_tokens, counts_are_estimates=self._counts_are_estimates
            )
            for change in changes
        ]
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

    def _read(self, answer: Answer) -> ReadResponse:
        text = without_reasoning(answer.text)
        return read_response(text, self._source, is_complete=answer.is_complete)

    def _is_worth_keeping(self, _prompt: str, answer: Answer) -> bool:
        return not answer.ended_by and bool(self._read(answer).claims)

    def _claims(self, prompt: Prompt, answer: Answer | ClaimsError) -> ClaimSet | ClaimsError:
        if isinstance(answer, ClaimsError):
            return answer
        read = self._read(answer)
        return ClaimSet(read.claims, (*prompt.warnings, *_warnings(answer, read)))


def _warnings(answer: Answer, read: ReadResponse) -> Iterator[str]:
    """Yield what a person should know of an answer that was read."""
    left_out = "; what it had begun to say last is left out"
    if answer.ended_by:
        yield f"the model's answer was ended by {answer.ended_by!r}{left_out}"
    elif not answer.is_complete and read.claims:
        yield f"the model's answer was cut by its limit of tokens{left_out}"
    elif not answer.is_complete:
        yield (
            "the model used up its limit of tokens without a claim, perhaps in reasoning; allow it "
            "more (max tokens)"
        )
    if not read.claims:
        yield "the model's answer holds no claims"
    if read.left_out:
        yield (
            f"of the model's answer no more than {MAX_CLAIMS_OF_RESPONSE} claims are taken; "
            f"{read.left_out} are left out"
        )
