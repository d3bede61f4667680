"""Claims, and the protocol of their backends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from crscore_core.change import CodeChange
from crscore_core.errors import InputError, ModelError

GIVEN = "given"
"""The source of claims that come with a change."""


class ClaimKind(StrEnum):
    """The two levels of abstraction of the paper, section 3.2."""

    CLAIM = "claim"
    IMPLICATION = "implication"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about a change that a good review could address.

    source: the name of the backend.
    path, line: a line of the new file, or the line that follows removed code; None for a
        claim without a single location.
    wordings: other sentences for the same fact, which a review may match instead.
    """

    text: str
    kind: ClaimKind
    source: str
    path: str | None = None
    line: int | None = None
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims about one change, and warnings about how they were made."""

    claims: tuple[Claim, ...]
    warnings: tuple[str, ...] = ()


class ClaimBackend(Protocol):
    """A backend that turns a change into claims, without ever seeing a review."""

    @property
    def name(self) -> str:
        """The name of the backend in signatures."""

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; the same change gives the same claims."""


_GenerateEach = Callable[[Sequence[CodeChange]], list[ClaimSet | InputError]]


def claims_of_each(
    backend: ClaimBackend, changes: Sequence[CodeChange]
) -> list[ClaimSet | InputError]:
    """Return the claims about each of `changes`, in order.

    A backend that is faster with many changes has a method `generate_each` with this contract. If
    a single change fails, its error is returned in place of its claims.

    Raises:
        InputError: the backend is unavailable or failed altogether.
    """
    generate_each: _GenerateEach | None = getattr(backend, "generate_each", None)
    if generate_each:
        return generate_each(changes)
    results: list[ClaimSet | InputError] = []
    for change in changes:
        try:
            results.append(backend.generate(change))
        except ModelError as error:
            results.append(error)
    return results
