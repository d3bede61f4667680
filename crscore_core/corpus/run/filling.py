"""Cutting a stream into groups that fit into memory."""

__all__ = ["Filling"]

_MOST_CHARACTERS = 8_000_000


class Filling:
    """Numbers groups that are filled one after the other, each with at most `most` members."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._number = self._taken = self._characters = 0

    def take(self, characters: int) -> int:
        """The group that has room for one more of so many characters."""
        full = self._taken >= self._most or self._characters + characters > _MOST_CHARACTERS
        if self._taken and full:
            self._number += 1
            self._taken = self._characters = 0
        self._taken += 1
        self._characters += characters
        return self._number
