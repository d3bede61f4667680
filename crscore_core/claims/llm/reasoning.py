"""Remove the reasoning that some models write before their answer.

Every family of models spells it differently, so it is recognised by its shape. A marker is a word
in brackets, such as `<think>`, `[THINK]`, `◁think▷` or `<|channel|>`. Text that begins with a
marker, or that contains the end of a marker that never began, begins with reasoning. Only words
for the answer itself, such as `final`, are known by name.
"""

import re

_OPEN = r"(?:<\|?|\[(?=/?[A-Z_]+\])|[^\x00-\x7f\w\s“”‘’])"
_CLOSE = r"(?:\|?>|\]|[^\x00-\x7f\w\s“”‘’])"
_BEGIN = re.compile(rf"\s*(?P<mark>{_OPEN}(?P<name>[A-Za-z][\w:.-]*)(?: [^<>\n]*)?{_CLOSE})")
_LONE_END = re.compile(
    rf"(?:^[ \t]*|(?<=[^\s`(])){_OPEN}/(?P<name>[A-Za-z][\w:.-]*){_CLOSE}(?!`)", re.MULTILINE
)
"""An end at the start of a line, or directly after a word."""

_ANSWER = re.compile(
    r"\s*(?:answer|assistant|final|output|response|result|solution)", re.IGNORECASE
)
_CONTROL = re.compile(r"\s*(<\|\w+\|>)(?!\w+<\|)")
"""A control token, unless a word and another control token follow: those begin a part."""

_LAST_MARKERS = re.compile(rf"(?:\s*(?:{_OPEN}/[A-Za-z][\w:.-]*{_CLOSE}|<\|\w+\|>))+\s*\Z")


def without_reasoning(text: str) -> str:
    """Return the part of an answer after its reasoning; "" if the reasoning has no end."""
    position, seen_marks = 0, set()
    while begin := _BEGIN.match(text, position):
        mark, name = begin["mark"], begin["name"]
        word = _ANSWER.match(text, begin.end()) if "|" in mark else None
        seen_marks.add(mark)
        if _names_answer(name):  # such as <answer> or <|START_RESPONSE|>
            position = begin.end()
        elif word:  # such as <|channel|>final<|message|>
            position = word.end()
            while (token := _CONTROL.match(text, position)) and token[1] not in seen_marks:
                position = token.end()
        else:
            name = re.escape(name)
            end = re.compile(
                rf"(?<!`){_OPEN}(?:/?{name}|/?end\w*){_CLOSE}(?!`)", re.IGNORECASE
            ).search(text, begin.end())
            if end is None:
                return ""
            # The same marker again begins another part, of reasoning or of the answer.
            position = end.start() if end[0] == mark else end.end()
    answer = _after_lone_end(text[position:])
    return _LAST_MARKERS.sub("", answer, count=1) if position else answer


def _names_answer(name: str) -> bool:
    return any(_ANSWER.match(part) for part in re.split(r"[_:.-]", name))


def _after_lone_end(text: str) -> str:
    """Return the part after the last end marker that has no beginning in the text."""
    position, begun_names = 0, set(re.findall(rf"{_OPEN}([A-Za-z][\w:.-]*)", text))
    for end in _LONE_END.finditer(text):
        if end["name"] not in begun_names and not _names_answer(end["name"]):
            position = end.end()
    return text[position:]
