"""Ids that tell all of a kind apart."""

from collections import Counter
from collections.abc import Iterable

__all__ = ["UniqueIds"]


class UniqueIds:
    """Gives out ids, never one twice, and none of those that are `taken` already."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._uses: Counter[str] = Counter()

    def take(self, wanted: str) -> str:
        """The id that is wanted, else one with a number behind it."""
        found = wanted
        while found in self._taken:
            self._uses[wanted] += 1
            found = f"{wanted} ({self._uses[wanted] + 1})"
        self._taken.add(found)
        return found
