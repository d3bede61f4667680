"""Answers of language models kept on disk, so that a model is asked once and not once a run."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.claims.llm.language_model import Answer, LanguageModel, Progress
from crscore_core.claims.llm.prompt import PROMPT_VERSION
from crscore_core.errors import ClaimsError

NOT_KEPT = (
    "answers cannot be kept on this machine, so the model is asked again next time; look at the "
    "folder of this user's caches"
)
"""Warning for a person whose caches cannot be used."""

_MOST_BYTES = 200_000_000


def answers_folder() -> Path:
    """Return the folder of answers: among this user's caches, for this user alone."""
    return user_cache_path("crscore") / "answers"


class AnswerCache:
    """Answers by the name of the model and the prompt.

    A name says everything that answers depend on besides the prompt (see `LanguageModel`). The
    folder holds answers and digests: no prompt, no change, no key. Several processes may share
    it; when it is full, the oldest answers go first.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._kept = ByteStore(folder or answers_folder(), _MOST_BYTES)

    def known(self, model: str, prompt: str) -> Answer | None:
        """Return the answer of `model` to `prompt`; None where it is not known."""
        key = _key(model, prompt)
        value = self._kept.known([key]).get(key)
        if not value:
            return None
        return Answer(value[1:].decode("utf-8", "surrogatepass"), is_complete=bool(value[0]))

    @property
    def is_open(self) -> bool:
        """True if the folder can be used; if not, nothing is known and nothing kept."""
        return self._kept.is_open

    def keep(self, model: str, prompt: str, answer: Answer) -> bool:
        """Keep an answer that the model ended, or its limit of tokens; return False on failure."""
        value = bytes([answer.is_complete]) + answer.text.encode("utf-8", "surrogatepass")
        return self._kept.keep({_key(model, prompt): value})


def answered(
    prompts: Mapping[str, int],
    model: LanguageModel,
    cache: AnswerCache | None,
    is_worth_keeping: Callable[[str, Answer], bool],
    progress: Progress,
) -> tuple[dict[str, Answer | ClaimsError], bool]:
    """Return the answer to each prompt, known or asked for; and True if all can be kept.

    Each answer that is worth keeping is kept as soon as it is there, so that a run that ends early
    loses only the answers that were being written. `progress` gets the number that belongs to the
    prompt.

    Raises:
        ClaimsError: the model cannot be had or failed, or left a prompt unanswered.
    """
    name = model.name
    is_kept = cache is None or cache.is_open
    answers: dict[str, Answer | ClaimsError] = {}
    for prompt in prompts:
        known = cache.known(name, prompt) if cache else None
        if known is not None:
            answers[prompt] = known
    asked = [prompt for prompt in prompts if prompt not in answers]
    if not asked:
        return answers, is_kept

    def told(index: int, text: str) -> None:
        progress(prompts[asked[index]], text)

    for index, answer in model.answers(asked, told):
        answers[asked[index]] = answer
        if cache and isinstance(answer, Answer) and is_worth_keeping(asked[index], answer):
            is_kept = cache.keep(name, asked[index], answer) and is_kept
    missing = len(prompts) - len(answers)
    if missing:
        raise ClaimsError(f"the model left {missing} of {len(asked)} prompts unanswered; try again")
    return answers, is_kept


def _key(model: str, prompt: str) -> bytes:
    parts = (model, PROMPT_VERSION, prompt)
    digests = (hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)
    return hashlib.sha256(b"".join(digests)).digest()
