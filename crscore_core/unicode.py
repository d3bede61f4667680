"""Text that every encoder, file and terminal can take."""

import re

__all__ = ["SURROGATE", "whole_text"]

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no UTF-8 can hold."""


def whole_text(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair."""
    return SURROGATE.sub("\ufffd", text)
