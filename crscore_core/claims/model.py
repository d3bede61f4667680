"""What a claim is, and the one method that makes claims."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from crscore_core.change import CodeChange

__all__ = ["Claim", "ClaimGenerator", "ClaimKind", "ClaimSet"]


class ClaimKind(StrEnum):
    """The two levels of abstraction of the paper, section 3.2."""

    CLAIM = "claim"
    IMPLICATION = "implication"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about a change that a good review could address.

    `source` names the backend that made it. `path` and `line` say where: the line is one of
    the new file; for removed code it is the line that now stands at its place. Both are None
    where the claim is about no one place.
    """

    text: str
    kind: ClaimKind
    source: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims about one change, and what a person should know about how they were made."""

    claims: tuple[Claim, ...]
    warnings: tuple[str, ...] = ()


class ClaimGenerator(Protocol):
    """A backend that turns a change into claims, without ever seeing a review."""

    @property
    def name(self) -> str:
        """What identifies the backend in signatures."""
        ...

    def generate(self, change: CodeChange) -> ClaimSet:
        """Return the claims about `change`; the same change gives the same claims."""
        ...
