"""Parse a language model's answer into claims and implications (paper, section 3.2)."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.text import whole_text

MAX_CLAIMS_OF_RESPONSE = 64
"""Maximum number of claims per answer; a model that lists more is going round in circles."""

_MARKS = "*_#: \t"
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
_TITLE = re.compile(r"[A-Za-z][A-Za-z '’&/-]{0,78}")
_NUMBERED = re.compile(
    r"(?P<indent>\s*)(?:\#{1,6}\s+)?(?P<strong>\*\*|__)?\(?\d{1,3}[.)](?P<end>\*\*|__)?\s+"
    r"(?P<text>\S.*)"
)
_BULLETED = re.compile(r"(?P<indent>\s*)[-*+•–—▪◦‣]\s+(?P<text>\S.*)")
_CUT_ITEM = re.compile(r"\s*\d{1,3}[.)]?\s*")
"""A number without text, left where an answer was cut off."""

_FENCE = re.compile(r"\s*(?P<ticks>`{3,})(?P<info>[^`]*)")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_LAST = r"""(?<=[\w.,;:!?"'`”’)\]])"""
_EMPHASIS = re.compile(
    r"(?P<code>`[^`]*`)"
    rf"|(?<![\w*])\*\*(?=[^\s*])(?P<strong>(?:(?!\*\*).)+){_LAST}\*\*(?![\w*])"
    rf"|(?<!\w)__(?=[^\s_])(?P<low>(?:(?!__).)+){_LAST}__(?!\w)"
    rf"|(?<![\w*])\*(?=[\w\"'`“])(?P<light>[^*]+){_LAST}\*(?![\w*])"
)
_SENTENCE = re.compile(r"(?<=[.!?]) (?=\S)")
_ENDED = re.compile(r"""[.!?…]["'`”’*_)\]]*\s*\Z""")
_LONGEST_TITLE = 200
_FEWEST_WORDS = 3
_LONGEST_CLAIM = 1000
"""Maximum length of a claim: more than any two sentences, and more than an encoder reads."""


@dataclass(slots=True)
class _Item:
    kind: ClaimKind
    indent: int
    lines: list[str] = field(default_factory=list)

    def announces(self, other: "_Item") -> bool:
        """Return True if it is only a title of `other`, which is indented below it."""
        if len(self.lines) != 1 or len(self.lines[0]) > _LONGEST_TITLE:
            return False
        is_title = self.lines[0].rstrip("*_ ").endswith(":")
        return is_title and other.kind is self.kind and other.indent > self.indent


class _Reader:
    """Parses an answer line by line."""

    def __init__(self) -> None:
        self.items: list[_Item] = []
        self.prose: dict[ClaimKind, list[str]] = {}
        self.is_open = False
        self._kind = ClaimKind.CLAIM
        self._title: _Item | None = None

    def line(self, line: str) -> None:
        """Read a line outside fences."""
        item = _item(line, self._kind)
        heading = _heading(item.lines[0] if item else line)
        if heading is not None and not (item and heading[1]):
            self._begin(*heading)
        elif item is not None:
            if heading is not None:
                item = _Item(heading[0], item.indent, [heading[1]])
            self._add(item)
        elif not line.strip() or _CUT_ITEM.fullmatch(line):
            self.is_open = False
        elif self.is_open:
            self.items[-1].lines.append(line.strip())
        elif self._kind in self.prose:
            self.prose[self._kind].append(line.strip())

    def code(self, line: str) -> None:
        """Read a line of fenced code, which belongs to the item above it."""
        if self.is_open and line.strip():
            self.items[-1].lines.append(line.strip())

    def _begin(self, kind: ClaimKind, rest: str) -> None:
        self._kind, self._title, self.is_open = kind, None, False
        self.prose.setdefault(kind, []).extend([rest] if rest else [])

    def _add(self, item: _Item) -> None:
        if self._title is not None and item.indent <= self._title.indent:
            self._title = None
        if self._title is None and self.items and self.items[-1].announces(item):
            self._title = self.items.pop()
        if self._title is not None:
            item.lines[:0] = self._title.lines
        self.items.append(item)
        self.is_open = True


def claims_of_response(response: str, source: str, *, is_complete: bool = True) -> ClaimSet:
    """Return the items of the two lists that the prompt asks for, in order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above. An
    item that ends in a colon is prepended to each item indented below it. Items below the heading
    "implications" are implications, all others claims. If a heading has no list, the sentences
    below it are used; other text outside the lists is ignored. Emphasis marks are stripped, and
    repeated items dropped. `source` is the name of the model; unless the answer `is_complete`, its
    unfinished last sentence is dropped.

    There are at most `MAX_CLAIMS_OF_RESPONSE` claims, equally many of each kind if both have too
    many, each of at most 1,000 characters. A warning says how many were left out.
    """
    lines = [_CONTROL.sub("", line) for line in whole_text(response).splitlines()]
    reader = _read(lines)
    items = reader.items
    if not is_complete and reader.is_open:
        items[-1].lines = [_whole_sentences(" ".join(items[-1].lines))]
    texts = [(item.kind, " ".join(item.lines)) for item in items]
    for kind, prose in reader.prose.items():
        if not any(item.kind is kind for item in items):
            texts += [(kind, sentence) for sentence in _sentences(prose, is_complete=is_complete)]
    distinct = _distinct(Claim(_bounded(_plain(text)), kind, source) for kind, text in texts)
    taken = _fair(distinct)
    if left_out := len(distinct) - len(taken):
        most = MAX_CLAIMS_OF_RESPONSE
        warning = f"the model's answer has more than {most} claims (left out: {left_out})"
        return ClaimSet(taken, (warning,))
    return ClaimSet(taken)


def _read(lines: list[str]) -> _Reader:
    """Parse the lines; ignore fences if one is unclosed or they enclose the whole answer."""
    reader, opened_at = _read_fenced(lines, len(lines))
    if opened_at is not None:
        reader, _ = _read_fenced(lines, opened_at)
    if not reader.items and any(map(_FENCE.match, lines)):
        reader, _ = _read_fenced(lines, 0)
    return reader


def _read_fenced(lines: list[str], until: int) -> tuple[_Reader, int | None]:
    """Parse the lines; also return the line of an unclosed fence.

    From line `until` on, ignore fences and parse their content like other lines.
    """
    reader, fence, opened_at = _Reader(), "", None
    for number, line in enumerate(lines):
        mark = _FENCE.fullmatch(line)
        if number >= until:
            if not mark:
                reader.line(line)
        elif not fence and mark:
            fence, opened_at = mark["ticks"], number
        elif not fence:
            reader.line(line)
        elif mark and len(mark["ticks"]) >= len(fence) and not mark["info"].strip():
            fence, opened_at = "", None
        else:
            reader.code(line)
    return reader, opened_at


def _item(line: str, kind: ClaimKind) -> _Item | None:
    """Return the item that a line starts; None without a number or bullet, or without text."""
    match = _NUMBERED.fullmatch(line) or _BULLETED.fullmatch(line)
    if match is None or not any(map(str.isalnum, match["text"])):
        return None
    parts = match.groupdict()
    strong = "" if parts.get("end") else parts.get("strong") or ""
    return _Item(kind, len(match["indent"]), [strong + match["text"].strip()])


def _heading(text: str) -> tuple[ClaimKind, str] | None:
    """Return the kind of list that a heading starts, and the text after its colon, if any."""
    bare = text.strip(_MARKS)
    kind = _kind(bare)
    if kind is not None:
        is_marked = text.strip() != bare or bare[0].isupper()
        return (kind, "") if is_marked else None
    name, colon, rest = bare.partition(":")
    kind = _kind(name.rstrip(_MARKS)) if colon and name[:1].isupper() else None
    return None if kind is None else (kind, rest.strip(_MARKS))


def _kind(title: str) -> ClaimKind | None:
    """Return the kind of list that a title names, if any."""
    if not _TITLE.fullmatch(title):
        return None
    words = set(title.casefold().replace("/", " ").replace("&", " and ").split())
    if not words <= _SUMMARY_WORDS | _IMPLICATION_WORDS | _OTHER_WORDS:
        return None
    is_summary, is_implication = words & _SUMMARY_WORDS, words & _IMPLICATION_WORDS
    if is_implication and not (is_summary and "and" in words):
        return ClaimKind.IMPLICATION
    return ClaimKind.CLAIM if is_summary else None


def _sentences(prose: list[str], *, is_complete: bool) -> Iterator[str]:
    """Yield the sentences of a section without a list."""
    text = " ".join(prose)
    for sentence in _SENTENCE.split(text if is_complete else _whole_sentences(text)):
        if len(sentence.split(maxsplit=_FEWEST_WORDS)) >= _FEWEST_WORDS:
            yield sentence


def _whole_sentences(text: str) -> str:
    """Return the text up to the end of its last complete sentence."""
    *whole, last = _SENTENCE.split(text)
    return " ".join([*whole, last] if _ENDED.search(last) else whole)


def _plain(text: str) -> str:
    """Return the text without emphasis marks, except in code and names such as `__init__`."""
    return " ".join(_EMPHASIS.sub(_unmarked, text).split())


def _bounded(text: str) -> str:
    """Return the text, cut at a word if it is too long."""
    if len(text) <= _LONGEST_CLAIM:
        return text
    cut = text[: _LONGEST_CLAIM - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _unmarked(match: re.Match[str]) -> str:
    low = match["low"]
    if match["code"] or (low and low.isidentifier()):
        return match[0]
    return str(match["strong"] or low or match["light"])


def _distinct(claims: Iterator[Claim]) -> list[Claim]:
    """Drop repeated claims of the same kind, ignoring case; keep the first of each."""
    first: dict[tuple[ClaimKind, str], Claim] = {}
    for claim in claims:
        if claim.text:
            first.setdefault((claim.kind, claim.text.casefold()), claim)
    return list(first.values())


def _fair(claims: list[Claim]) -> tuple[Claim, ...]:
    """Return at most `MAX_CLAIMS_OF_RESPONSE` claims; half of each kind if both have many."""
    numbers: Counter[ClaimKind] = Counter()
    ranked = []
    for place, claim in enumerate(claims):
        ranked.append((numbers[claim.kind], place))
        numbers[claim.kind] += 1
    kept = sorted(place for _, place in sorted(ranked)[:MAX_CLAIMS_OF_RESPONSE])
    return tuple(claims[place] for place in kept)
