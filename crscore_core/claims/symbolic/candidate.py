"""A statement that could become a claim, and the scene it is set in."""

from dataclasses import dataclass, replace

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
    """Where a statement stands, both ` in the `X` class` or nothing where it is not known.

    `place` is the function, test or value that encloses it, `owner` the type or the former: only
    a member of a type is said to be in it, as statements are told by the function they are in.
    `called_before` and `called_now` are the short names of all calls that the two sides of the
    hunk show, `in_loop` says that a jump here surely leaves a loop, and
    `text_now` is the code that the change brought to the hunk.
    """

    place: str
    owner: str
    language: str | None
    is_test: bool
    called_before: frozenset[str] = frozenset()
    called_now: frozenset[str] = frozenset()
    in_loop: bool = False
    text_now: str = ""

    @property
    def elsewhere(self) -> "Scene":
        """The same scene with the place already named."""
        return replace(self, place="", owner="")


def claim(text: str, weight: int, line: int | None) -> Candidate:
    """A fact of what changed."""
    return Candidate(text, ClaimKind.CLAIM, weight, line)


def implication(text: str, weight: int, line: int | None) -> Candidate:
    """What follows from the change."""
    return Candidate(text, ClaimKind.IMPLICATION, weight, line)
