"""Which candidates become claims."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.candidate import Candidate

__all__ = ["MAX_CLAIMS", "Placed", "best_of_block", "selected"]

MAX_CLAIMS = 30
"""Claims about one change, so that the share that a review covers stays meaningful."""

MAX_FACTS_OF_BLOCK = 5
"""Low-level claims about one run of changed lines, beside what explains them."""

MAX_IMPLICATIONS_OF_BLOCK = 2
"""Implications of one run of changed lines, beside what explains them."""

CROWDING = 6
"""Weight that a candidate loses for each better one about the same lines."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate, the path it is about, and its rank among those about the same lines."""

    candidate: Candidate
    path: str | None
    rank: int

    @property
    def worth(self) -> int:
        """How much it adds to what better candidates about the same lines already say."""
        return self.candidate.weight - CROWDING * self.rank


def best_of_block(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Keep the most telling facts and implications about one place, in their order."""
    distinct = list({c.text: c for c in candidates}.values())
    room = {
        ClaimKind.CLAIM: MAX_FACTS_OF_BLOCK,
        ClaimKind.IMPLICATION: MAX_IMPLICATIONS_OF_BLOCK,
    }
    kept: set[int] = set()
    for index in sorted(range(len(distinct)), key=lambda i: (-distinct[i].weight, i)):
        kind = distinct[index].kind
        if room[kind]:
            room[kind] -= 1
            kept.add(index)
    return [c for i, c in enumerate(distinct) if i in kept]


def selected(placed: Sequence[Placed]) -> tuple[list[Placed], int]:
    """Return the most informative ones, best first, and how many were left out."""
    distinct = list({p.candidate.text: p for p in reversed(placed)}.values())[::-1]
    kept = sorted(distinct, key=lambda p: -p.worth)[:MAX_CLAIMS]
    return kept, len(distinct) - len(kept)
