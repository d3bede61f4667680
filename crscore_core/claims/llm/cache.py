"""Answers of language models kept on disk, so that a model is asked once and not once a run."""

import hashlib
from pathlib import Path

from platformdirs import user_cache_path

from crscore_core.caches import ByteStore
from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.llm.prompt import PROMPT_VERSION

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


def _key(model: str, prompt: str) -> bytes:
    parts = (model, PROMPT_VERSION, prompt)
    digests = (hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)
    return hashlib.sha256(b"".join(digests)).digest()
