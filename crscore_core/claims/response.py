"""Parse a language model's answer into claims and implications (paper, section 3.2)."""

import re
from dataclasses import dataclass, field

from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.text import replace_surrogates, shorten

MAX_CLAIMS_OF_A_KIND = 32
"""Maximum number of claims of each kind; a model that lists more repeats itself."""

_MAX_CLAIM = 1000
_MIN_WORDS = 3
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
_GLUED = re.compile(r"\A.*[^\s`\"'](?=(?:Summary of changes|Implications):?\W*\Z)")
"""Text before a heading on its line, such as the end of reasoning."""

_ITEM = re.compile(
    r"(?P<indent>\s*)(?:(?:\#{1,6}\s+)?(?P<strong>\*\*|__)?\(?\d{1,3}[.)](?P<end>\*\*|__)?"
    r"|[-*+•–—▪◦‣])\s+(?P<text>\S.*)"
)
_BLANK = re.compile(r"(?:\d{1,3}[.)]?|[-*_=]{3,})?")
"""A line that ends an item: a blank line, a rule, or the number at the end of a cut answer."""

_FENCE = re.compile(r"(?P<indent>\s*)`{3,}(?P<info>[^`]*)")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_EMPHASIS = re.compile(
    r"(?P<code>`[^`]*`)"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=[\w\"'`“(])(?P<text>[^*]+)(?<=[\w.,;:!?\"'`”’)\]])(?P=stars)(?![\w*])"
    r"|(?<!\w)__(?=\S)(?P<low>[^_]*[^\w][^_]*)__(?!\w)"
)
_SENTENCE = re.compile(r"(?<=[.!?]) (?=\S)")
_ENDED = re.compile(r"""[.!?…]["'`”’*_)\]]*\s*\Z""")


@dataclass(slots=True)
class _Section:
    """Items of one kind, as indents and texts, and sentences outside of items."""

    items: list[tuple[int, str]] = field(default_factory=list)
    prose: str = ""

    def add(self, indent: int, text: str) -> None:
        """Add an item; if the item above is only a title for it, replace that."""
        title_indent, title = self.items[-1] if self.items else (0, "")
        if title.rstrip("*_ ").endswith(":") and indent > title_indent:
            self.items.pop()
        self.items.append((indent, text))

    def extend(self, text: str) -> None:
        """Add text to the last item."""
        indent, start = self.items[-1]
        self.items[-1] = indent, f"{start} {text}"

    def texts(self) -> list[str]:
        """Return the items, or the sentences if there are no items."""
        sentences = _SENTENCE.split(self.prose.strip())
        return [text for _, text in self.items] or [
            sentence for sentence in sentences if len(sentence.split()) >= _MIN_WORDS
        ]


def claims_of_response(response: str, source: str, *, is_complete: bool = True) -> ClaimSet:
    """Return the items of the two lists that the prompt asks for, in order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above. Items
    below the heading "Implications" are implications, all others claims. Text above the last
    "Summary of changes" is ignored. If a heading has no list, the sentences below it are used.
    Emphasis marks are stripped, and repeated items dropped. If not `is_complete`, the unfinished
    last sentence of the answer is dropped. `source` is the name of the model.

    There are at most `MAX_CLAIMS_OF_A_KIND` claims of each kind, each of at most 1,000 characters.
    Warnings report drafts and claims that were left out.
    """
    answer = _CONTROL.sub("", replace_surrogates(response))
    sections, has_drafts = _sections(answer if is_complete else _whole_sentences(answer))
    warnings = []
    if has_drafts:
        warnings.append("the model's answer has the same heading twice; only the last was read")
    claims: list[Claim] = []
    for kind, section in sections.items():
        distinct: dict[str, str] = {}
        for plain in map(_plain_text, section.texts()):
            if any(map(str.isalnum, plain)):
                distinct.setdefault(plain.casefold(), plain)
        first = list(distinct.values())[:MAX_CLAIMS_OF_A_KIND]
        claims += [Claim(text, kind, source) for text in first]
        if left_out := len(distinct) - len(first):
            warnings.append(f"the model's answer has too many {kind}s (left out: {left_out})")
    return ClaimSet(tuple(claims), tuple(warnings))


def _sections(text: str) -> tuple[dict[ClaimKind, _Section], bool]:
    """Return the sections of an answer, and True if a heading with items occurs again."""
    sections = {kind: _Section() for kind in ClaimKind}
    seen: set[ClaimKind] = set()
    kind, section = ClaimKind.CLAIM, sections[ClaimKind.CLAIM]
    is_open = is_code = is_fenced = has_drafts = False
    for line in text.splitlines():
        if fence := _FENCE.fullmatch(line):
            # code in an item, the end of a fence around the lists, or its beginning
            is_end = is_code or (is_fenced and not fence["info"].strip())
            is_code = not is_end and bool(is_open or (fence["indent"] and section.items))
            is_fenced = not is_end and (is_fenced or not is_code)
            is_open |= is_code
            continue
        line = line if is_code else _GLUED.sub("", line)  # noqa: PLW2901 - without the text before it
        item = None if is_code else _ITEM.fullmatch(line)
        heading = None if is_code else _heading(item["text"] if item else line)
        if heading and not (item and heading[1]):
            kind, rest, is_requested = heading
            is_again = kind in seen
            if is_requested and (is_again or kind is ClaimKind.CLAIM):
                replaced = list(ClaimKind) if is_again and kind is ClaimKind.CLAIM else [kind]
                has_drafts |= is_again and any(sections[draft].texts() for draft in replaced)
                sections |= {draft: _Section() for draft in replaced}
            seen.add(kind)
            section = sections[kind]
            section.prose += f" {rest}"
            is_open = False
        elif item:
            section = sections[heading[0] if heading else kind]
            strong = "" if item["end"] else item["strong"] or ""
            section.add(
                len(item["indent"]), heading[1] if heading else strong + item["text"].strip()
            )
            is_open = True
        elif _BLANK.fullmatch(line.strip()):
            is_open = is_code
        elif is_open:
            section.extend(line.strip())
        elif kind in seen:
            sections[kind].prose += f" {line.strip()}"
    return sections, has_drafts


def _heading(text: str) -> tuple[ClaimKind, str, bool] | None:
    """Return the kind of a heading, the text after it, and True if the prompt asks for it."""
    bare = text.strip(_MARKS)
    name, _, rest = bare.partition(":")
    title = name.rstrip(_MARKS)
    words = set(title.casefold().replace("/", " ").replace("&", " and ").split())
    is_summary, is_implication = words & _SUMMARY_WORDS, words & _IMPLICATION_WORDS
    is_title = _TITLE.fullmatch(title) and words <= is_summary | is_implication | _OTHER_WORDS
    is_marked = name[:1].isupper() or not (rest or text.strip() == bare)
    if not (is_title and is_marked and (is_summary or is_implication)):
        return None
    is_requested = {"summary", "changes"} <= words or "implications" in words
    if is_implication and not (is_summary and "and" in words):
        return ClaimKind.IMPLICATION, rest.strip(_MARKS), is_requested
    return ClaimKind.CLAIM, rest.strip(_MARKS), is_requested


def _whole_sentences(text: str) -> str:
    """Drop the unfinished sentence at the end of the last line."""
    above, line_end, line = text.rpartition("\n")
    *whole, last = _SENTENCE.split(line)
    return above + line_end + " ".join([*whole, last] if _ENDED.search(last) else whole)


def _plain_text(text: str) -> str:
    """Return a shortened text without emphasis marks, except in code and names like `__init__`."""
    plain = " ".join(
        _EMPHASIS.sub(lambda match: match["code"] or match["text"] or match["low"], text).split()
    )
    return shorten(plain, _MAX_CLAIM)
