"""Parse a language model's answer into claims and implications (paper, section 3.2)."""

import re

from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.text import whole_text

MOST_CLAIMS_OF_A_KIND = 32
"""Maximum number of claims of each kind; a model that lists more is going round in circles."""

_LONGEST_CLAIM = 1000
_SUMMARY_WORDS = {"summary", "overview", "changes", "changed"}
_IMPLICATION_WORDS = {
    "implication", "implications", "impact", "impacts", "consequence", "consequences", "effect",
    "effects",
}  # fmt: skip
_OTHER_WORDS = {
    "a", "all", "an", "and", "are", "as", "below", "brief", "change", "code", "commit", "detailed",
    "diff", "following", "follows", "for", "here", "high", "high-level", "in", "is", "key",
    "level", "likely", "list", "low", "low-level", "made", "main", "of", "overall", "patch",
    "possible", "potential", "short", "the", "their", "these", "this", "to", "what",
}  # fmt: skip
_MARKS = "*_#: \t"
_TITLE = re.compile(r"[A-Za-z][A-Za-z '’&/-]{0,78}")
_START = re.compile(
    r"^[^\w\n]*(?:\d[^\w\n]+)?summary of changes[^\w\n]*$", re.MULTILINE | re.IGNORECASE
)
_ITEM = re.compile(
    r"\s*(?:(?:\#{1,6}\s+)?(?P<strong>\*\*|__)?\(?\d{1,3}[.)](?P<end>\*\*|__)?|[-*+•–—▪◦‣])"
    r"\s+(?P<text>\S.*)"
)
_BLANK = re.compile(r"(?:\d{1,3}[.)]?|[-*_=]{3,})?")
"""A line that ends an item: blank, a rule, or a number left where an answer was cut off."""

_FENCE = re.compile(r"\s*`{3,}[^`]*")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_EMPHASIS = re.compile(
    r"(?P<code>`[^`]*`)"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=[\w\"'`“(])(?P<text>[^*]+)(?<=[\w.,;:!?\"'`”’)\]])(?P=stars)(?![\w*])"
)
_SENTENCE = re.compile(r"(?<=[.!?]) (?=\S)")
_ENDED = re.compile(r"""[.!?…]["'`”’*_)\]]*\s*\Z""")


def claims_of_response(response: str, source: str, *, is_complete: bool = True) -> ClaimSet:
    """Return the items of the two lists that the prompt asks for, in order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above. Items
    below the heading "Implications" are implications, all others claims. What stands above the
    last "Summary of changes" is ignored, and so are titles of nested lists, which end in a colon.
    Emphasis marks are stripped, and repeated items dropped. `source` is the name of the model;
    unless the answer `is_complete`, its unfinished last sentence is dropped.

    There are at most `MOST_CLAIMS_OF_A_KIND` claims of each kind, each of at most 1,000 characters.
    Warnings report drafts and claims that were left out.
    """
    text = _CONTROL.sub("", whole_text(response))
    text = text if is_complete else _whole_sentences(text)
    starts = [start.start() for start in _START.finditer(text)]
    warnings = []
    if len(starts) > 1:
        warnings.append("the model's answer has the same heading twice; only the last was read")
    claims: list[Claim] = []
    for kind, items in _items(text[max(starts, default=0) :]).items():
        distinct: dict[str, str] = {}
        for plain in map(_plain, items):
            if any(map(str.isalnum, plain)) and not plain.endswith(":"):
                distinct.setdefault(plain.casefold(), plain)
        taken = list(distinct.values())[:MOST_CLAIMS_OF_A_KIND]
        claims += [Claim(one, kind, source) for one in taken]
        if left_out := len(distinct) - len(taken):
            warnings.append(f"the model's answer has too many {kind}s (left out: {left_out})")
    return ClaimSet(tuple(claims), tuple(warnings))


def _items(text: str) -> dict[ClaimKind, list[str]]:
    """Return the items of each kind."""
    items: dict[ClaimKind, list[str]] = {kind: [] for kind in ClaimKind}
    kind = ClaimKind.CLAIM
    is_open = is_code = is_around = False
    for line in text.splitlines():
        if _FENCE.fullmatch(line):
            # around the lists, or of code in an item
            if is_around or not (is_code or is_open or line[:1].isspace()):
                is_around = not is_around
            else:
                is_code = not is_code
            continue
        item = None if is_code else _ITEM.fullmatch(line)
        heading = None if is_code else _heading(item["text"] if item else line, is_item=bool(item))
        if heading:
            kind, is_open = heading, False
        elif item:
            strong = "" if item["end"] else item["strong"] or ""
            items[kind].append(strong + item["text"].strip())
            is_open = True
        elif not is_code and _BLANK.fullmatch(line.strip()):
            is_open = False
        elif is_open:
            items[kind][-1] += f" {line.strip()}"
    return items


def _heading(text: str, *, is_item: bool) -> ClaimKind | None:
    """Return the kind of section that a heading begins; text after its colon is no item's."""
    bare = text.strip(_MARKS)
    name, _, rest = bare.partition(":")
    title = name.rstrip(_MARKS)
    words = set(title.casefold().replace("/", " ").replace("&", " and ").split())
    is_summary, is_implication = words & _SUMMARY_WORDS, words & _IMPLICATION_WORDS
    is_title = _TITLE.fullmatch(title) and words <= is_summary | is_implication | _OTHER_WORDS
    is_marked = name[:1].isupper() or not (rest or text.strip() == bare)
    if (is_item and rest) or not (is_title and is_marked and (is_summary or is_implication)):
        return None
    if is_implication and not (is_summary and "and" in words):
        return ClaimKind.IMPLICATION
    return ClaimKind.CLAIM


def _whole_sentences(text: str) -> str:
    """Drop the unfinished sentence at the end of the last line."""
    above, line_end, line = text.rpartition("\n")
    *whole, last = _SENTENCE.split(line)
    return above + line_end + " ".join([*whole, last] if _ENDED.search(last) else whole)


def _plain(text: str) -> str:
    """Return a bounded text without emphasis marks, except in code and names like `__init__`."""
    plain = " ".join(_EMPHASIS.sub(lambda found: found["code"] or found["text"], text).split())
    if len(plain) <= _LONGEST_CLAIM:
        return plain
    cut = plain[: _LONGEST_CLAIM - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
