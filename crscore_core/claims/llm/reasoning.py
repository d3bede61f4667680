"""Remove the reasoning that some models write before their answer, as in `<think>…</think>`."""

import re

_NAME = r"(?:\w+:)?(?:think|thought|reason)\w*"
_BEGIN = re.compile(rf"[<\[]{_NAME}(?: [^<>\n]*)?[>\]]", re.IGNORECASE)
_END = re.compile(rf"(?<!`)[<\[]/{_NAME}[>\]](?!`)", re.IGNORECASE)
_LONE_END = re.compile(rf"(?:^[ \t]*|(?<=[^\s(])){_END.pattern}", re.IGNORECASE | re.MULTILINE)
"""An end without a beginning counts at the start of a line, or directly after a word."""


def without_reasoning(text: str) -> str:
    """Return the part of an answer after its reasoning; "" if the reasoning has no end."""
    answer = text.lstrip()
    if not _BEGIN.search(text):
        return _LONE_END.split(text)[-1]
    while begin := _BEGIN.match(answer):
        end = _END.search(answer, begin.end())
        if end is None:
            return ""
        text, answer = answer[end.end() :], answer[end.end() :].lstrip()
    return text
