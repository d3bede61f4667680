"""Remove the reasoning that some models write before or between their answers."""

import re

_NAME = r"(?:\w+[:_])?(?:think|thought|reason)\w*"
_BEGIN = rf"(?:[<\[]{_NAME}(?: [^<>\n]*)?[>\]]|◁think▷|<\|channel>thought)"
_END = rf"(?<!`)(?:[<\[]/{_NAME}[>\]]|◁/think▷|<channel\|>)(?!`(?!\w))"
# An end tag without a start tag counts at the start of a line or directly after a word.
_LONE_END = re.compile(rf"(?:^[ \t]*|(?<=[^\s(])){_END}", re.IGNORECASE | re.MULTILINE)
_FOLD = (
    r"<details\b[^>\n]*>\s*<summary\b[^>\n]*>(?:[^\w<]|</?\w+>)*(?:\w+ (?:of )?){0,2}"
    r"(?:thinking|thoughts?|reasoning)(?: (?:process|for [^<\n]{1,20}))?"
    r"(?:[^\w<]|</?\w+>)*</summary>"
)
_IN_FOLD = r"(?:(?!</?details\b).)*"
# A code block, or reasoning, which may be unclosed or contain folded blocks.
_PART = re.compile(
    r"(?:\A\s*|^[ \t]*)(?:(?P<code>```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)"
    rf"|{_BEGIN}(?:.*?{_END}(?:\s*{_BEGIN}(?:.*?{_END}|.*))*|(?P<rest>.*))"
    rf"|{_FOLD}{_IN_FOLD}(?:<details\b{_IN_FOLD}</details\s*>{_IN_FOLD})*</details\s*>)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_CHANNELS = re.compile(
    r"\A\s*(?:<\|start\|>\w*)?<\|channel\|>|\Aanalysis(?=.*assistantfinal)", re.DOTALL
)
_FINAL = re.compile(r"(?:<\|channel\|>|assistant)final(?:<\|message\|>)?")
_LAST = re.compile(r"<\|(?:end|return)\|>")


def without_reasoning(text: str) -> str:
    """Return text without its reasoning; "" if reasoning at the start never ends.

    Reasoning is `<think>…</think>`, a variant of it, or a folded block titled "Thinking", at the
    start of a line and outside code. Chat channels before the final one are reasoning too, as is
    everything above an end tag without a start tag.
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
