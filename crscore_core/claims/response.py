"""Parse a language model's answer into claims and implications (paper, section 3.2)."""

import re
from pathlib import Path
from typing import NamedTuple

from crscore_core.claims.claim import CLAIM_KINDS, ClaimSet, PseudoReference, ReferenceKind
from crscore_core.text import replace_surrogates, shorten

MAX_CLAIMS_OF_A_KIND = 32  # claims of each kind; a model that lists more repeats itself
_MAX_CLAIM = 1000
_SUMMARY_WORDS, _IMPLICATION_WORDS, _OTHER_WORDS = (
    set(line.split())
    for line in Path(__file__).with_name("heading_words.txt").read_text("utf-8").splitlines()
)
_MARKS = "*_#: \t"
_TITLE = re.compile(r"[A-Za-z][A-Za-z '’&/-]{0,78}")
_ITEM = re.compile(
    r"(?P<indent>\s*)(?:(?:\#{1,6}\s+)?(?P<strong>\*\*|__)?\(?\d{1,3}[.)](?P<end>\*\*|__)?"
    r"|[-*+•–—▪◦‣])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)"
)
_BLANK = re.compile(r"(?:\d{1,3}[.)]?|[-*_=]{3,}|</\w+>|.*[:：])?")
"""A line that ends an item: blank, a rule, an end tag, a title, or the number of a lost item."""

_FENCE = re.compile(r"\s*`{3,}[^`]*")
_NOTHING = {"none", "n/a", "not applicable"}
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_EMPHASIS = re.compile(
    r"(?P<code>`[^`]*`)"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=[\w\"'`“(])(?P<text>[^*]+)(?<=[\w.,;:!?\"'`”’)\]])(?P=stars)(?![\w*])"
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
    kind: ReferenceKind  # of the items below it
    rest: str  # of its line


def parse_response(response: str, source: str, *, is_complete: bool = True) -> ClaimSet:
    """Return the items of the two lists that the prompt asks for, in order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above. Items
    below the heading "Implications" are implications, all others claims. Everything above the last
    heading "Summary of changes" is ignored, as are titles, which end in a colon, emphasis marks and
    repeated items. If not `is_complete`, the unfinished last sentence is dropped. `source` becomes
    the source of each claim. At most `MAX_CLAIMS_OF_A_KIND` claims of each kind are returned, cut
    to 1,000 characters; warnings count the others. A table, JSON, XML or YAML contains no claims.
    """
    answer = _CONTROL.sub("", replace_surrogates(response))
    if _OTHER_FORMAT.search(answer):
        return ClaimSet(())
    reader = _AnswerReader()
    for line in (answer if is_complete else _whole_sentences(answer)).splitlines():
        reader.read(line)
    warnings = []
    if reader.has_drafts:
        warnings.append("the model's answer has items above the claims heading, which are ignored")
    claims: list[PseudoReference] = []
    for kind, items in reader.items.items():
        if kind in reader.unlisted and not items:
            warnings.append(f"the model's answer has {kind}s that are not in a list: left out")
        distinct: dict[str, str] = {}
        for plain in (_plain_text(" ".join(lines)) for lines in items):
            is_empty = plain.casefold().rstrip(".") in _NOTHING or plain.endswith(":")
            if any(map(str.isalnum, plain)) and not is_empty:
                distinct.setdefault(plain.casefold(), plain)
        first = list(distinct.values())[:MAX_CLAIMS_OF_A_KIND]
        claims += [PseudoReference(text, kind, source) for text in first]
        if left_out := len(distinct) - len(first):
            warnings.append(f"the model's answer has too many {kind}s: {left_out} left out")
    if not is_complete:  # drop what the whole answer does not claim, such as half a title
        whole = [claim.text for claim in parse_response(response, source).claims]
        claims = [one for one in claims if any(text.startswith(one.text) for text in whole)]
    return ClaimSet(tuple(claims), tuple(warnings))


class _AnswerReader:
    """Groups the lines of an answer by item, and the items by kind.

    has_drafts: True if items above a heading of claims were dropped.
    unlisted: the kinds whose heading has text below it that is not an item.
    """

    def __init__(self) -> None:
        self.items: dict[ReferenceKind, list[list[str]]] = {kind: [] for kind in CLAIM_KINDS}
        self.has_drafts = False
        self.unlisted = set[ReferenceKind | None]()
        self._kind: ReferenceKind | None = None  # of the last heading
        self._item: list[str] | None = None  # that the next line belongs to
        self._is_in_code = False

    def read(self, line: str) -> None:
        """Read the next line."""
        item = None if self._is_in_code else _ITEM.fullmatch(line)
        heading = _heading(item["text"] if item else line)
        if _FENCE.fullmatch(line):  # around the lists, or around code in an item
            self._is_in_code = not self._is_in_code and bool(self._item)
        elif self._is_in_code and self._item:
            self._item.append(line.strip())
        elif heading and not (item and heading.rest):
            if heading.kind is ReferenceKind.CLAIM:  # the items above may be a draft
                self.has_drafts |= any(self.items.values())
                self.items = {kind: [] for kind in CLAIM_KINDS}
            self._kind, self._item = heading.kind, None
        elif item:
            opening_mark = "" if item["end"] else item["strong"] or ""
            self._item = [heading.rest if heading else opening_mark + item["text"].strip()]
            kind = heading.kind if heading else self._kind
            self.items[kind or ReferenceKind.CLAIM].append(self._item)
        elif _BLANK.fullmatch(line.strip()):
            self._item = None
        elif self._item:
            self._item.append(line.strip())
        else:
            self.unlisted.add(self._kind)


def _heading(text: str) -> _Heading | None:
    bare = text.strip(f"{_MARKS}<>")
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
    return _Heading(kind, rest.strip(_MARKS))


def _whole_sentences(text: str) -> str:
    above, line_end, line = text.rpartition("\n")
    *whole, last = _SENTENCE.split(line)
    return above + line_end + " ".join([*whole, last] if _ENDED.search(last) else whole)


def _plain_text(text: str) -> str:
    """Shorten text and remove emphasis marks, except in code and names like `__init__`."""
    plain = " ".join(_EMPHASIS.sub(lambda match: match["code"] or match["text"], text).split())
    return shorten(plain, _MAX_CLAIM)
