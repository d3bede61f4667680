"""Cache answers of language models on disk, so that a prompt is sent only once."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.claims.llm.language_model import Answer, LanguageModel, Progress
from crscore_core.claims.llm.prompt import PROMPT_VERSION
from crscore_core.errors import InputError

NOT_KEPT = (
    "answers cannot be cached on this machine, so the model will be asked again next time; check "
    "this user's cache folder"
)
"""Warning if the user's cache folder cannot be used."""

_MOST_BYTES = 200_000_000


class AnswerCache:
    """Answers by model name and prompt, by default in this user's cache folder.

    The folder contains answers and digests: no prompt, no change, no key. Several processes may
    share it; when it is full, the oldest answers are evicted.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._kept = ByteStore(folder or user_cache_path("crscore") / "answers", _MOST_BYTES)
        self.is_open = self._kept.is_open
        """True if the folder can be used; if not, the cache stays empty."""

    def known(self, model: str, prompt: str) -> Answer | None:
        """Return the cached answer of `model` to `prompt`, if any."""
        key = _key(model, prompt)
        value = self._kept.known([key]).get(key)
        if not value:
            return None
        return Answer(value[1:].decode("utf-8", "surrogatepass"), is_complete=bool(value[0]))

    def keep(self, model: str, prompt: str, answer: Answer) -> bool:
        """Store an answer that ended normally or at the token limit; return False on failure."""
        value = bytes([answer.is_complete]) + answer.text.encode("utf-8", "surrogatepass")
        return self._kept.keep({_key(model, prompt): value})


def answered(
    prompts: Mapping[str, int],
    model: LanguageModel,
    cache: AnswerCache | None,
    is_worth_keeping: Callable[[str, Answer], bool],
    progress: Progress,
) -> tuple[dict[str, Answer | InputError], bool]:
    """Return the answer to each prompt, cached or new, and True if all could be cached.

    An answer worth keeping is stored as soon as it is complete, so that an interrupted run loses
    only unfinished ones. `progress` gets the number that `prompts` has for the prompt.

    Raises:
        InputError: the model is unavailable or failed, or left a prompt unanswered.
    """
    name = model.name
    is_kept = cache is None or cache.is_open
    answers: dict[str, Answer | InputError] = {}
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
        raise InputError(f"the model left {missing} of {len(asked)} prompts unanswered; try again")
    return answers, is_kept


def _key(model: str, prompt: str) -> bytes:
    parts = (model, PROMPT_VERSION, prompt)
    digests = (hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)
    return hashlib.sha256(b"".join(digests)).digest()
