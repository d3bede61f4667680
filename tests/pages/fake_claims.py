"""A backend of claims for pages: a language model with answers planned by a test."""

import queue
from dataclasses import dataclass, field

from crscore_core.change import CodeChange
from crscore_core.claims import (
    CLAIM_BACKENDS,
    BackendEntry,
    ClaimBackend,
    ClaimSet,
    ModelOptions,
    PseudoReference,
    ReferenceKind,
)
from crscore_core.errors import UnavailableError

_WITHIN = 240


@dataclass
class FakeModel:
    """A backend that answers with the next of its planned `answers`, or raises it.

    `asked` has the options of each run, `warnings` come with the claims, and `unavailable` is
    raised when the availability is checked.
    """

    answers: queue.Queue[str | Exception] = field(default_factory=queue.Queue)
    asked: list[ModelOptions] = field(default_factory=list)
    available: list[ModelOptions] = field(default_factory=list)
    warnings: tuple[str, ...] = ()
    unavailable: Exception | None = None
    name: str = "fake-model"

    def backend(self, name: str) -> BackendEntry:
        """Stand in for the backend `name` of `CLAIM_BACKENDS`, with its options."""
        options = CLAIM_BACKENDS[name].options
        return BackendEntry(self._make, "a test", self._check, options)

    def _make(self, options: ModelOptions) -> ClaimBackend:
        self.asked.append(options)
        return self

    def _check(self, options: ModelOptions) -> str:
        self.available.append(options)
        if self.unavailable is not None:
            raise self.unavailable
        if options.base_url is None:
            raise UnavailableError("name a server in ![x](http://x)")
        return f"it is at {options.base_url}"

    def generate(self, _change: CodeChange) -> ClaimSet:
        """Return the next answer as a claim."""
        answer = self.answers.get(timeout=_WITHIN)
        if isinstance(answer, Exception):
            raise answer
        return ClaimSet((PseudoReference(answer, ReferenceKind.CLAIM, "endpoint"),), self.warnings)
