"""Claims by a language model: the prompt in, its answer out, read as claims."""

from collections.abc import Sequence

from crscore_core.change import CodeChange
from crscore_core.claims.llm.cache import AnswerCache
from crscore_core.claims.llm.language_model import Answer, LanguageModel, Progress, silent
from crscore_core.claims.llm.prompt import PROMPT_VERSION, Prompt, prompt_of
from crscore_core.claims.model import ClaimSet
from crscore_core.claims.response import MAX_CLAIMS_OF_RESPONSE, claims_of_response
from crscore_core.errors import ClaimsError

__all__ = ["LanguageModelClaims"]


class LanguageModelClaims:
    """A backend that asks a language model, and remembers what it answered.

    Args:
        model: who is asked.
        cache: where answers are kept; None to ask every time.
        progress: told which change, from 0, the model is writing about, and what.
        source: the short name of the backend, for its claims.
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
        """The model and all that its claims depend on."""
        return f"{self._model.name} prompt-{PROMPT_VERSION}"

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return what the model says about `change`; see `generate_each`."""
        return self.generate_each([change])[0]

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet]:
        """Return what the model says about each of `changes`.

        It is asked once for changes that look alike to it, and not for what is known. Each
        answer is kept as soon as it is there, so that a run that ends early loses only the
        answers that were being written.

        Raises:
            ClaimsError: the model cannot be had or failed.
        """
        prompts = [prompt_of(change, self._model.count_tokens) for change in changes]
        answers = self._answers([prompt.text for prompt in prompts])
        return [self._claims(prompt, answers[prompt.text]) for prompt in prompts]

    def _answers(self, prompts: Sequence[str]) -> dict[str, Answer]:
        """The answer to each prompt: the known one, or the model's."""
        model = self._model.name
        answers: dict[str, Answer] = {}
        new: dict[str, int] = {}
        for number, prompt in enumerate(prompts):
            if prompt in answers or prompt in new:
                continue
            known = self._cache.known(model, prompt) if self._cache else None
            if known is None:
                new[prompt] = number
            else:
                answers[prompt] = known
        if not new:
            return answers
        asked, numbers = list(new), list(new.values())

        def progress(index: int, text: str) -> None:
            self._progress(numbers[index], text)

        for index, answer in self._model.answers(asked, progress):
            answers[asked[index]] = answer
            if self._cache:
                self._cache.keep(model, asked[index], answer)
        missing = sum(prompt not in answers for prompt in asked)
        if missing:
            raise ClaimsError(
                f"{self._source} left {missing} of {len(asked)} prompts unanswered; try again"
            )
        return answers

    def _claims(self, prompt: Prompt, answer: Answer) -> ClaimSet:
        claims = claims_of_response(answer.text, self._source, is_complete=answer.is_complete)
        warnings = list(prompt.warnings)
        if not answer.is_complete:
            warnings.append(
                "the model's answer was cut by its limit of tokens; what it had begun to say last "
                "is left out"
            )
        if not claims:
            warnings.append("the model's answer holds no claims")
        if len(claims) == MAX_CLAIMS_OF_RESPONSE:
            warnings.append(
                f"of the model's answer no more than {MAX_CLAIMS_OF_RESPONSE} claims are taken"
            )
        return ClaimSet(claims, tuple(warnings))
