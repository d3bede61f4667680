"""Claims, and the one method that makes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from crscore_core.change import CodeChange
from crscore_core.errors import ClaimsError


class ClaimKind(StrEnum):
    """The two levels of abstraction of the paper, section 3.2."""

    CLAIM = "claim"
    IMPLICATION = "implication"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about a change that a good review could address.

    `source` names the backend that made it. `path` and `line` say where: the line is one of
    the new file; for removed code it is the line that now stands at its place. Both are None
    for a claim about no one place. `wordings` are other sentences for the same fact, which a
    review may match as well.
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


class ClaimGenerator(Protocol):
    """A backend that turns a change into claims, without ever seeing a review."""

    @property
    def name(self) -> str:
        """The name of the backend in signatures."""
        ...

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; the same change gives the same claims."""
        ...


@runtime_checkable
class _ForMany(Protocol):
    """A backend that works faster through many changes than through one after the other."""

    def generate_each(self, changes: Sequence[CodeChange]) -> list[ClaimSet | ClaimsError]: ...


def claims_of_each(
    generator: ClaimGenerator, changes: Sequence[CodeChange]
) -> list[ClaimSet | ClaimsError]:
    """Return the claims about each of `changes`, in their order; asked for at once if that helps.

    A change that fails while others do not has the error that says why.

    Raises:
        ClaimsError: the backend cannot be had or failed altogether.
    """
    if isinstance(generator, _ForMany):
        return generator.generate_each(changes)
    return [generator.generate(change) for change in changes]
