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
_TITLE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '’&/-]){0,78}")
_ITEM = re.compile(
    r"\s*(?:(?:\#{1,6}\s+)?(?P<strong>\*\*|__)?[(\[]?(?:\d{1,3}(?:\.\d{1,3})*[.)\]]|[a-z]\))"
    r"(?P<end>\*\*|__)?|[-*+•–—▪◦‣])\s+(?P<task>\[[ xX]\]\s+)?(?P<text>\S.*)"
)
# The start of a named item, such as `**Claim 2:** a loop ends`.
_NAMED = re.compile(r"(?im)^[\W_]*(?:(claim|change)|implication) \d{1,3}[*_ ]*:[*_ ]*(?=[\w`])")
# A line that ends an item: blank, a rule, an end tag, a title, or the number of a lost item.
_BLANK = re.compile(r"(?:\d{1,3}[.)]?|[-*_=]{3,}|</\w+>|.*[:：])?")
_SECTION = re.compile(r" {0,3}(#{1,6}) +\S.*")
_FENCE = re.compile(r"\s*`{3,}[^`]*")
_END_TOKEN = re.compile(r"(?<!`)(?:<\|\w+\|>|</s>|<end_of_turn>|<｜[^｜\n]+｜>)\s*$", re.MULTILINE)
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
    below the heading "Implications" are implications, all others claims. Items above the last
    heading "Summary of changes" or below one such as "Suggestions" are ignored, as are titles,
    which end in a colon, emphasis marks and repeated items. If not `is_complete`, the unfinished
    last sentence is dropped. `source` becomes the source of each claim. At most
    `MAX_CLAIMS_OF_A_KIND` claims of each kind are returned, cut to 1,000 characters. A table, JSON,
    XML or YAML contains no claims. Warnings say what is left out.
    """
    answer = _END_TOKEN.sub("", _CONTROL.sub("", replace_surrogates(response)))
    if _OTHER_FORMAT.search(answer):
        return ClaimSet(())
    answer = _NAMED.sub(lambda name: "- Changes: " if name[1] else "- Implications: ", answer)
    reader = _AnswerReader()
    for line in (answer if is_complete else _whole_sentences(answer)).splitlines():
        reader.read(line)
    warnings = [f"the model's answer has {what}: left out" for what in sorted(reader.left_out)]
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

    left_out: descriptions of items that were left out.
    unlisted: the kinds whose heading has text below it that is not an item.
    """

    def __init__(self) -> None:
        self.items: dict[ReferenceKind, list[list[str]]] = {kind: [] for kind in CLAIM_KINDS}
        self.left_out = set[str]()
        self.unlisted = set[ReferenceKind | None]()
        self._kind: ReferenceKind | None = None  # of the last heading
        self._item: list[str] | None = None  # that the next line belongs to
        self._level = 0  # of the last heading, if Markdown marks it
        self._is_other = False
        self._is_in_code = False

    def read(self, line: str) -> None:
        """Read the next line."""
        item = None if self._is_in_code else _ITEM.fullmatch(line)
        heading = _heading(item["text"] if item else line)
        section = _SECTION.fullmatch(line)
        if _FENCE.fullmatch(line):  # around the lists, or around code in an item
            self._is_in_code = not self._is_in_code and bool(self._item)
        elif self._is_in_code and self._item:
            self._item.append(line.strip())
        elif heading and not (item and heading.rest):
            if heading.kind is ReferenceKind.CLAIM:  # the items above may be a draft
                if any(self.items.values()):
                    self.left_out.add("items above the last claims heading")
                self.items = {kind: [] for kind in CLAIM_KINDS}
            self._kind, self._item, self._is_other = heading.kind, None, False
            self._level = len(section[1]) if section else 0
        elif item:
            opening_mark = "" if item["end"] else item["strong"] or ""
            self._item = [heading.rest if heading else opening_mark + item["text"].strip()]
            kind = heading.kind if heading else self._kind
            if self._is_other or (item["task"] and not self._kind):
                self.left_out.add("items below other headings" if self._is_other else "to-do items")
            else:
                self.items[kind or ReferenceKind.CLAIM].append(self._item)
        elif section and self._kind:  # a heading below the section's is part of it
            self._is_other |= len(section[1]) <= (self._level or 6)
            self._item = None
        elif _BLANK.fullmatch(line.strip()):
            self._item = None
        elif self._item:
            self._item.append(line.strip())
        else:
            self.unlisted.add(self._kind)


def _heading(text: str) -> _Heading | None:
    bare = text.replace("：", ":").strip(f"{_MARKS}<>")
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
