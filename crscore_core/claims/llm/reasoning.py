"""Drop the reasoning that a model writes before its answer."""

import re

_BLOCKS = re.compile(r"\A\s*(?:<think>.*?(?:</think>\s*|\Z))+", re.DOTALL)
"""Blocks at the start; one without an end is all there is."""

_END = re.compile(r"\A.*?^[ \t]*</think>[ \t]*$", re.DOTALL | re.MULTILINE)
"""End of reasoning opened by the chat template: a closing tag on its own line."""


def without_reasoning(text: str) -> str:
    """Return an answer without the reasoning at its start, with or without an opening tag."""
    return _END.sub("", _BLOCKS.sub("", text), count=1)
