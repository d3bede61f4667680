"""A language model with its answers on disk."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

import diskcache
from platformdirs import user_cache_path

from crscore_core.claims.llm.language_model import (
    LENGTH_LIMIT,
    Answer,
    LanguageModel,
)
from crscore_core.errors import ModelError

_MAX_BYTES = 200_000_000
_MAX_SECONDS = 2
"""Maximum wait for another process that writes, in seconds."""

_FAILURES = (OSError, ValueError, sqlite3.Error, diskcache.Timeout)
"""Errors of a full disk or a damaged database: work continues without the cache."""


class CachedModel:
    """A language model with its answers on disk; only new prompts are sent to it.

    The folder, by default in this user's caches, contains answers and digests: no prompt, no
    change, no key. Answers that are empty, or cut off by anything except the token limit, are not
    kept. Several processes and threads may share the folder, which only this user can read. The
    oldest answers are evicted once it reaches 200 MB.
    """

    def __init__(self, model: LanguageModel, folder: Path | None = None) -> None:
        self.count_tokens = model.count_tokens
        self._model = model
        self._cache: diskcache.Cache | None = None
        folder = folder or user_cache_path("crscore") / "answers"
        with suppress(*_FAILURES):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._cache = diskcache.Cache(str(folder), timeout=_MAX_SECONDS, size_limit=_MAX_BYTES)

    @property
    def name(self) -> str:
        """See `LanguageModel.name`."""
        return self._model.name

    def answer(
        self, prompts: Sequence[str], schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer | ModelError]:
        """Yield the answer to each prompt; equal prompts are asked once. See `LanguageModel`."""
        prefix = json.dumps([self.name, schema])
        texts = [f"{prefix}\n{prompt}".encode("utf-8", "replace") for prompt in prompts]
        keys = [hashlib.sha256(text).digest() for text in texts]
        answers: dict[bytes, Answer | ModelError] = {}
        for key in keys:
            with suppress(*_FAILURES):
                if self._cache is not None and (stored := self._cache.get(key)):
                    answers[key] = Answer(*json.loads(stored))
        missing = {
            key: prompt for key, prompt in zip(keys, prompts, strict=True) if key not in answers
        }
        generated = self._model.answer(list(missing.values()), schema)
        new = zip(missing, generated, strict=True)
        for key in keys:
            while key not in answers:
                answered, answer = next(new)
                answers[answered] = answer
                self._store(answered, answer)
            yield answers[key]

    def _store(self, key: bytes, answer: Answer | ModelError) -> None:
        if self._cache is None or not isinstance(answer, Answer) or not answer.text.strip():
            return
        if answer.cut_off_by in {"", LENGTH_LIMIT}:
            with suppress(*_FAILURES):
                self._cache.set(key, json.dumps(astuple(answer)))
