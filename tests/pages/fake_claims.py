"""A backend of claims for pages: a language model that a test leads, piece by piece."""

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
    TextCallback,
)
from crscore_core.errors import UnavailableError

_WITHIN = 240


@dataclass
class FakeModel:
    """A backend with the answer `pieces`; None ends the answer.

    An exception among the pieces is raised. `asked` has the options of each run, `warnings` come
    with the claims, and `unavailable` is raised when the availability is checked.
    """

    pieces: queue.Queue[str | Exception | None] = field(default_factory=queue.Queue)
    asked: list[ModelOptions] = field(default_factory=list)
    available: list[ModelOptions] = field(default_factory=list)
    warnings: tuple[str, ...] = ()
    unavailable: Exception | None = None

    def backend(self, name: str) -> BackendEntry:
        """Stand in for the backend `name` of `CLAIM_BACKENDS`, with its options."""
        options = CLAIM_BACKENDS[name].options
        return BackendEntry(self._make, "a test", self._check, options)

    def _make(self, options: ModelOptions, progress: TextCallback) -> ClaimBackend:
        self.asked.append(options)
        return _FakeClaims(self.pieces, progress, self.warnings)

    def _check(self, options: ModelOptions) -> str:
        self.available.append(options)
        if self.unavailable is not None:
            raise self.unavailable
        if options.base_url is None:
            raise UnavailableError("name a server in ![x](http://x)")
        return f"it is at {options.base_url}"


@dataclass
class _FakeClaims:
    pieces: queue.Queue[str | Exception | None]
    progress: TextCallback
    warnings: tuple[str, ...]
    name: str = "fake-model"

    def generate(self, _change: CodeChange) -> ClaimSet:
        said = []
        while (piece := self.pieces.get(timeout=_WITHIN)) is not None:
            if isinstance(piece, Exception):
                raise piece
            self.progress(0, piece)
            said.append(piece)
        return ClaimSet(
            (PseudoReference("".join(said), ReferenceKind.CLAIM, "endpoint"),), self.warnings
        )
