"""Remove the reasoning that some models write before their answer."""

import re

_WORD = r"(?:\w+:)?(?:think|thinking|thought|thoughts|reasoning|analysis)"
_BEGIN = re.compile(
    rf"\s*(?:<\|?(?:start_|begin_of_)?{_WORD}(?: [^<>\n]*)?\|?>|\[{_WORD}\]|◁{_WORD}▷"
    r"|<\|channel\|>(?!final))",
    re.IGNORECASE,
)
_END = re.compile(
    rf"(?<!`)(?:<\|?(?:/|end_|end_of_){_WORD}\|?>|\[/{_WORD}\]|◁/{_WORD}▷"
    r"|<\|channel\|>final(?:<\|message\|>)?)",
    re.IGNORECASE,
)
_LONE_END = re.compile(
    rf"(?:^[ \t]*|(?<=[^\s`(])){_END.pattern}(?!`)", re.MULTILINE | re.IGNORECASE
)
"""An end whose beginning the chat template wrote: at the start of a line, or after a word."""

_WRAPPER = re.compile(
    r"\A\s*<\|?\w*(?:answer|response|solution)\|?>|\s*(?:</(?:answer|response)>|<\|\w+\|>)\s*\Z",
    re.IGNORECASE,
)
"""Marks around the answer itself."""


def without_reasoning(text: str) -> str:
    """Return the part of an answer after its reasoning; "" if the reasoning has no end.

    Reasoning stands between marks such as `<think>` and `</think>`, `[THINK]` and `[/THINK]`, or
    in the channels of the Harmony format.
    """
    position = 0
    while begin := _BEGIN.match(text, position):
        end = _END.search(text, begin.end())
        if end is None:
            return ""
        position = end.end()
    for end in _LONE_END.finditer(text, position):
        position = end.end()
    return _WRAPPER.sub("", text[position:])
