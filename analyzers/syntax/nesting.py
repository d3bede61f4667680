"""How deep a text may be nested: the parser takes minutes where that is thousands of levels.

It cannot be stopped there, as it looks up from its work too rarely.
"""

import re

__all__ = ["is_too_deep"]

_MOST_LEVELS = 5_000
# No shorter text is deep enough.
_HARMLESS = 10_000
_BOUNDARY = re.compile(r"[;,{}]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_STEPS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_STEP = re.compile(r"[(\[{<>)\]};]")


def is_too_deep(text: str) -> bool:
    """Whether `text` may be nested deeper than code ever is, by brackets or by operators."""
    return len(text) > _HARMLESS and (_has_deep_brackets(text) or _has_long_statements(text))


def _has_deep_brackets(text: str) -> bool:
    depth = angles = 0
    for found in _STEP.finditer(text):
        step = found.group()
        if step in "<>":
            angles = max(0, angles + (1 if step == "<" else -1))
        else:
            depth = max(0, depth + _STEPS.get(step, 0))
            angles = angles if step in "()[]" else 0
        if depth > _MOST_LEVELS or angles > _MOST_LEVELS:
            return True
    return False


def _has_long_statements(text: str) -> bool:
    """Whether there is a stretch in which each token could be nested in the one before."""
    return any(
        len(stretch) > _MOST_LEVELS and len(_TOKEN.findall(stretch)) > _MOST_LEVELS
        for stretch in _BOUNDARY.split(text)
    )
