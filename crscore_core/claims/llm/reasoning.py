"""Drop the reasoning that a model writes before its answer."""

import re
from enum import Enum, auto

_OPEN, _CLOSE = "<think>", "</think>"
_END = re.compile(rf"\A.*?^[ \t]*{_CLOSE}[ \t]*$", re.DOTALL | re.MULTILINE)
"""End of reasoning opened by the chat template: a closing tag on its own line."""


class _Place(Enum):
    BEGINNING = auto()
    REASONING = auto()
    ANSWER = auto()


class WithoutReasoning:
    """Strips `<think>…</think>` blocks from the start of a text that arrives in pieces.

    Later tags belong to the answer. White space around the dropped blocks is dropped too.
    """

    def __init__(self) -> None:
        self._place = _Place.BEGINNING
        self._held = ""

    def add(self, piece: str) -> str:
        """Return the text of the answer that `piece` adds."""
        self._held += piece
        while self._place is not _Place.ANSWER:
            if self._place is _Place.BEGINNING:
                self._held = self._held.lstrip()
                if not self._held.startswith(_OPEN):
                    if _OPEN.startswith(self._held):
                        return ""  # it may become the tag
                    self._place = _Place.ANSWER
                    break
                self._place = _Place.REASONING
            _, end, rest = self._held.partition(_CLOSE)
            if not end:
                self._held = _OPEN + self._held[len(_OPEN) :][1 - len(_CLOSE) :]
                return ""
            self._place, self._held = _Place.BEGINNING, rest
        said, self._held = self._held, ""
        return said

    def end(self) -> str:
        """Return the rest of the answer after the last piece; unclosed reasoning is dropped."""
        return self._held if self._place is _Place.BEGINNING else ""


def without_reasoning(text: str) -> str:
    """Return an answer without the reasoning at its start, with or without an opening tag."""
    visible = WithoutReasoning()
    said = visible.add(text) + visible.end()
    return _END.sub("", said, count=1)
