"""Remove the reasoning that some models write before or between their answers."""

import re

_NAME = r"(?:\w+[:_])?(?:think|thought|reason)\w*"
_BEGIN = rf"[<\[]{_NAME}(?: [^<>\n]*)?[>\]]|◁think▷|<\|channel>thought"
_END = re.compile(
    rf"(?<!`)(?:[<\[]/{_NAME}[>\]]|◁/think▷|<channel\|>)(?!`(?!\w))", re.IGNORECASE | re.MULTILINE
)
_ANY_BEGIN = re.compile(_BEGIN, re.IGNORECASE)
_NEXT_BEGIN = re.compile(rf"\s*(?:{_BEGIN})", re.IGNORECASE)
_LONE_END = re.compile(rf"(?:^[ \t]*|(?<=[^\s(])){_END.pattern}", re.IGNORECASE | re.MULTILINE)
"""An end without a beginning counts at the start of a line, or directly after a word."""

_FOLD = (
    r"<details\b[^>\n]*>\s*<summary\b[^>\n]*>(?:[^\w<]|</?\w+>)*(?:\w+ (?:of )?){0,2}"
    r"(?:thinking|thoughts?|reasoning)(?: (?:process|for [^<\n]{1,20}))?"
    r"(?:[^\w<]|</?\w+>)*</summary>"
)
_FOLD_TAG = re.compile(r"<(/?)details\b[^>]*>", re.IGNORECASE)
_MARK = re.compile(
    rf"^[ \t]*(?:(?P<fence>```|~~~)|(?P<tag>{_BEGIN})|(?P<fold>{_FOLD}))",
    re.IGNORECASE | re.MULTILINE,
)
_CHANNELS = re.compile(
    r"\A\s*(?:<\|start\|>\w*)?<\|channel\|>|\Aanalysis(?=.*assistantfinal)", re.DOTALL
)
_FINAL = re.compile(r"(?:<\|channel\|>|assistant)final(?:<\|message\|>)?")
_LAST = re.compile(r"<\|(?:end|return)\|>")


def without_reasoning(text: str) -> str:
    """Return a text without its reasoning; "" if reasoning at its start has no end.

    Reasoning is `<think>…</think>` and its variants or a folded block titled "Thinking", at the
    start of a line and outside of code, and the channels of a chat before the final one. Everything
    above an end without a beginning is reasoning, too.
    """
    if _CHANNELS.match(text):
        *earlier, final = _FINAL.split(text)
        text = final if earlier else ""
        text = _LAST.split(text)[0]
    if not _ANY_BEGIN.search(text):
        text = _LONE_END.split(text)[-1]
    kept, position, is_code = "", 0, False
    for mark in _MARK.finditer(text):
        if mark.start() < position:
            continue
        if mark["fence"]:
            is_code = not is_code
        elif not is_code:
            above = kept + text[position : mark.start()]
            if (end := _end(text, mark)) is None:
                return text[:0] if mark["tag"] and not above.strip() else kept + text[position:]
            kept, position = above, end
    return kept + text[position:]


def _end(text: str, mark: re.Match[str]) -> int | None:
    """Return where the reasoning that starts at `mark` ends; further reasoning may follow it."""
    if mark["tag"]:
        position = mark.end()
        while end := _END.search(text, position):
            position = end.end()
            if not _NEXT_BEGIN.match(text, position):
                return position
        return None
    depth = 0
    for tag in _FOLD_TAG.finditer(text, mark.start()):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return None
