"""A statement that could become a claim, and the scene it is set in."""

from dataclasses import dataclass

from crscore_core.claims.model import ClaimKind

__all__ = ["Candidate", "Scene", "claim", "implication"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence about the change; the greater `weight`, the more it tells."""

    text: str
    kind: ClaimKind
    weight: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a statement stands: ` in the `X` class`, or nothing where it is not known."""

    place: str
    language: str | None
    is_test: bool


def claim(text: str, weight: int, line: int | None) -> Candidate:
    """A fact of what changed."""
    return Candidate(text, ClaimKind.CLAIM, weight, line)


def implication(text: str, weight: int, line: int | None) -> Candidate:
    """What follows from the change."""
    return Candidate(text, ClaimKind.IMPLICATION, weight, line)
