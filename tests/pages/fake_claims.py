"""A language model for pages, with answers planned by a test."""

import queue
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crscore_core.claims import (
    CLAIM_BACKENDS,
    Answer,
    BackendEntry,
    LanguageModel,
    ModelOptions,
)
from crscore_core.errors import UnavailableError

_WITHIN = 240


@dataclass
class FakeModel:
    """A model that gives the next of its planned `answers`, or raises it.

    `asked` has the options of each run. `unavailable` is raised when the availability is checked.
    """

    answers: queue.Queue[Answer | Exception] = field(default_factory=queue.Queue)
    asked: list[ModelOptions] = field(default_factory=list)
    available: list[ModelOptions] = field(default_factory=list)
    unavailable: Exception | None = None
    name: str = field(default_factory=lambda: f"fake-{secrets.token_hex(8)}")

    def backend(self, name: str) -> BackendEntry:
        """Stand in for the backend `name` of `CLAIM_BACKENDS`, with its options."""
        return BackendEntry("a test", self._check, CLAIM_BACKENDS[name].options, self._make)

    def _make(self, options: ModelOptions) -> LanguageModel:
        self.asked.append(options)
        return self

    def _check(self, options: ModelOptions) -> str:
        self.available.append(options)
        if self.unavailable is not None:
            raise self.unavailable
        if options.base_url is None:
            raise UnavailableError("name a server in ![x](http://x)")
        return f"it is at {options.base_url}"

    def count_tokens(self, text: str) -> int:
        """Count words."""
        return len(text.split())

    def answer(
        self, prompts: Sequence[str], _schema: Mapping[str, Any] | None = None
    ) -> Iterator[Answer]:
        """Yield the next answers."""
        for _ in prompts:
            answer = self.answers.get(timeout=_WITHIN)
            if isinstance(answer, Exception):
                raise answer
            yield answer
