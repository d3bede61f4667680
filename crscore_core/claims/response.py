"""Parse a language model's answer into claims and implications (paper, section 3.2)."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from crscore_core.claims.claim import CLAIM_KINDS, ClaimSet, PseudoReference, ReferenceKind
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
_OTHER_WORDS = set(
    Path(__file__).with_name("heading_words.txt").read_text(encoding="utf-8").split()
)
_MARKS = "*_#: \t"
_TITLE = re.compile(r"[A-Za-z][A-Za-z '’&/-]{0,78}")
_TEXT_BEFORE_HEADING = re.compile(r"\A.*[^\s`\"'](?=(?:Summary of changes|Implications):?\W*\Z)")
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
_OTHER_FORMAT = re.compile(
    r"\A\W*(?:(?:json|xml|ya?ml|html)\n\s*)?(?:[\[{]\s*[\"{\[\]}]|<[?!\w])"  # JSON or XML
    r"|^[ \t]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+\|"  # a table
    r"|^[ \t]*+(?:[-*] ++)?[a-z_]++:.*\n[ \t]++[a-z_]++: ",  # YAML
    re.MULTILINE,
)
_SENTENCE = re.compile(r"(?<=[.!?]) (?=\S)")
_ENDED = re.compile(r"""[.!?…]["'`”’*_)\]]*\s*\Z""")


class _Heading(NamedTuple):
    kind: ReferenceKind  # of the claims below it
    rest: str  # of its line
    is_requested: bool  # by the prompt


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


def parse_response(response: str, source: str, *, is_complete: bool = True) -> ClaimSet:
    """Return the items of the two lists that the prompt asks for, in order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above. Items
    below the heading "Implications" are implications, all others claims. Text above the last
    "Summary of changes" is ignored. If a heading has no list, the sentences below it are used.
    Emphasis marks are stripped, and repeated items dropped. If not `is_complete`, the unfinished
    last sentence of the answer is dropped. `source` is the name of the model.

    There are at most `MAX_CLAIMS_OF_A_KIND` claims of each kind, each of at most 1,000 characters.
    Warnings report drafts and claims that were left out. A table, JSON, XML or YAML has no claims.
    """
    answer = _CONTROL.sub("", replace_surrogates(response))
    if _OTHER_FORMAT.search(answer):
        return ClaimSet(())
    reader = _AnswerReader()
    for line in (answer if is_complete else _whole_sentences(answer)).splitlines():
        reader.read(line)
    warnings = []
    if reader.has_drafts:
        warnings.append("the model's answer has the same heading twice; only the last was read")
    claims: list[PseudoReference] = []
    for kind, section in reader.sections.items():
        distinct: dict[str, str] = {}
        for plain in map(_plain_text, section.texts()):
            if any(map(str.isalnum, plain)):
                distinct.setdefault(plain.casefold(), plain)
        first = list(distinct.values())[:MAX_CLAIMS_OF_A_KIND]
        claims += [PseudoReference(text, kind, source) for text in first]
        if left_out := len(distinct) - len(first):
            warnings.append(f"the model's answer has too many {kind}s (left out: {left_out})")
    return ClaimSet(tuple(claims), tuple(warnings))


class _AnswerReader:
    """Reads the lines of an answer into a section for each kind of claim.

    sections: the items and sentences of each kind.
    has_drafts: True if a heading with items occurs again.
    """

    def __init__(self) -> None:
        self.sections = {kind: _Section() for kind in CLAIM_KINDS}
        self.has_drafts = False
        self._headed: set[ReferenceKind] = set()  # kinds with a heading so far
        self._kind = ReferenceKind.CLAIM  # of the last heading
        self._section = self.sections[self._kind]  # of the last heading or item
        self._is_item_open = False  # the next line belongs to the last item
        self._is_in_code = False  # inside a fence in an item
        self._is_in_fence = False  # inside a fence around the lists

    def read(self, line: str) -> None:
        """Read the next line."""
        if fence := _FENCE.fullmatch(line):
            self._read_fence(fence)
        elif self._is_in_code:
            self._read_text(line)
        else:
            line = _TEXT_BEFORE_HEADING.sub("", line)
            item = _ITEM.fullmatch(line)
            heading = _heading(item["text"] if item else line)
            if heading and not (item and heading.rest):
                self._start_section(heading)
            elif item:
                self._add_item(item, heading)
            else:
                self._read_text(line)

    def _read_fence(self, fence: re.Match[str]) -> None:
        if self._is_in_code or (self._is_in_fence and not fence["info"].strip()):
            self._is_in_code = self._is_in_fence = False
        elif self._is_item_open or (fence["indent"] and self._section.items):
            self._is_in_code = self._is_item_open = True
        else:
            self._is_in_fence = True

    def _start_section(self, heading: _Heading) -> None:
        """Start the section of a heading; a heading that the prompt asks for replaces drafts."""
        kind = heading.kind
        is_again = kind in self._headed
        if heading.is_requested and (is_again or kind is ReferenceKind.CLAIM):
            drafts = CLAIM_KINDS if is_again and kind is ReferenceKind.CLAIM else (kind,)
            self.has_drafts |= is_again and any(self.sections[draft].texts() for draft in drafts)
            self.sections |= {draft: _Section() for draft in drafts}
        self._headed.add(kind)
        self._kind, self._section = kind, self.sections[kind]
        self._section.prose += f" {heading.rest}"
        self._is_item_open = False

    def _add_item(self, item: re.Match[str], heading: _Heading | None) -> None:
        """Add an item; one that starts with a heading, such as `- Impact: x`, is of its kind."""
        opening_mark = "" if item["end"] else item["strong"] or ""
        text = heading.rest if heading else opening_mark + item["text"].strip()
        self._section = self.sections[heading.kind if heading else self._kind]
        self._section.add(len(item["indent"]), text)
        self._is_item_open = True

    def _read_text(self, line: str) -> None:
        text = line.strip()
        if _BLANK.fullmatch(text):
            self._is_item_open = self._is_in_code
        elif self._is_item_open:
            self._section.extend(text)
        elif self._kind in self._headed:
            self.sections[self._kind].prose += f" {text}"


def _heading(text: str) -> _Heading | None:
    bare = text.strip(_MARKS)
    name, _, rest = bare.partition(":")
    title = name.rstrip(_MARKS)
    words = set(title.casefold().replace("/", " ").replace("&", " and ").split())
    is_summary, is_implication = words & _SUMMARY_WORDS, words & _IMPLICATION_WORDS
    is_title = _TITLE.fullmatch(title) and words <= is_summary | is_implication | _OTHER_WORDS
    is_marked = name[:1].isupper() or not (rest or text.strip() == bare)
    if not (is_title and is_marked and (is_summary or is_implication)):
        return None
    names_both = is_summary and "and" in words
    kind = ReferenceKind.IMPLICATION if is_implication and not names_both else ReferenceKind.CLAIM
    is_requested = {"summary", "changes"} <= words or "implications" in words
    return _Heading(kind, rest.strip(_MARKS), is_requested)


def _whole_sentences(text: str) -> str:
    above, line_end, line = text.rpartition("\n")
    *whole, last = _SENTENCE.split(line)
    return above + line_end + " ".join([*whole, last] if _ENDED.search(last) else whole)


def _plain_text(text: str) -> str:
    """Return a shortened text without emphasis marks, except in code and names like `__init__`."""
    plain = " ".join(
        _EMPHASIS.sub(lambda match: match["code"] or match["text"] or match["low"], text).split()
    )
    return shorten(plain, _MAX_CLAIM)
