"""Remove the reasoning that some models write before or between their answers."""

import re

_NAME = r"(?:\w+[:_])?(?:think|thought|reason)\w*"
_BEGIN = rf"(?:[<\[]{_NAME}(?: [^<>\n]*)?[>\]]|◁think▷|<\|channel>thought)"
_END = rf"(?<!`)(?:[<\[]/{_NAME}[>\]]|◁/think▷|<channel\|>)(?!`(?!\w))"
# An end tag without a start tag counts at the start of a line or directly after a word.
_LONE_END = re.compile(rf"(?:^[ \t]*|(?<=[^\s(])){_END}", re.IGNORECASE | re.MULTILINE)
# A code block, or reasoning, which may be unclosed.
_PART = re.compile(
    r"(?:\A\s*|^[ \t]*)(?:(?P<code>```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)"
    rf"|{_BEGIN}(?:.*?{_END}(?:\s*{_BEGIN}(?:.*?{_END}|.*))*|(?P<rest>.*)))",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_CHANNELS = re.compile(
    r"\A\s*(?:<\|start\|>\w*)?<\|channel\|>|\Aanalysis(?=.*assistantfinal)", re.DOTALL
)
_FINAL = re.compile(r"(?:<\|channel\|>|assistant)final(?:<\|message\|>)?")
_LAST = re.compile(r"<\|(?:end|return)\|>")


def without_reasoning(text: str) -> str:
    """Return text without its reasoning; "" if reasoning at the start never ends.

    Reasoning is `<think>…</think>`, or a variant of it, at the start of a line and outside code.
    Chat channels before the final one are reasoning too, as is everything above an end tag without
    a start tag.
    """
    if _CHANNELS.match(text):
        *earlier, final = _FINAL.split(text)
        text = final if earlier else ""
        text = _LAST.split(text)[0]
    if not re.search(_BEGIN, text, re.IGNORECASE):
        text = _LONE_END.split(text)[-1]
    return _PART.sub(_code_or_rest, text)


def _code_or_rest(part: re.Match[str]) -> str:
    is_kept = part["code"] or (part["rest"] is not None and part.string[: part.start()].strip())
    return part[0] if is_kept else ""
