"""What a language model answered -> claims and implications (paper, section 3.2)."""

import re
from dataclasses import dataclass, field

from crscore_core.claims.model import Claim, ClaimKind
from crscore_core.unicode import whole_text

__all__ = ["claims_of_response"]

_MARKS = "*_#: \t"
_HEADINGS = {
    "summary": ClaimKind.CLAIM,
    "summary of changes": ClaimKind.CLAIM,
    "summary of the changes": ClaimKind.CLAIM,
    "summary of code changes": ClaimKind.CLAIM,
    "changes": ClaimKind.CLAIM,
    "implications": ClaimKind.IMPLICATION,
    "implications of changes": ClaimKind.IMPLICATION,
    "implications of the changes": ClaimKind.IMPLICATION,
    "possible implications": ClaimKind.IMPLICATION,
    "potential implications": ClaimKind.IMPLICATION,
}
_ITEM = re.compile(r"(?P<indent>\s*)(?:\d{1,3}[.)]|[-*+•–])\s+(?P<text>\S.*)")
_CUT_ITEM = re.compile(r"\s*\d{1,3}[.)]?\s*")
"""A number that nothing follows: where an answer was cut off."""


@dataclass(slots=True)
class _Item:
    kind: ClaimKind
    indent: int
    lines: list[str] = field(default_factory=list)

    def announces(self, other: "_Item") -> bool:
        """Whether it is only the title of what is indented below it."""
        is_title = len(self.lines) == 1 and self.lines[0].rstrip("*_ ").endswith(":")
        return is_title and other.kind is self.kind and other.indent > self.indent


def claims_of_response(response: str, source: str) -> tuple[Claim, ...]:
    """The items of the two lists that the prompt asks for, in their order.

    Items are numbered or bulleted; further lines, and fenced code, belong to the item above.
    An item that ends with a colon begins each of the items that are indented below it. Items
    below the heading "implications" are implications, all others claims. What stands outside
    the lists is talk. `source` names who answered.
    """
    kind = ClaimKind.CLAIM
    items: list[_Item] = []
    title: _Item | None = None
    is_open = is_code = False
    for line in whole_text(response).splitlines():
        is_fence = line.lstrip().startswith("```") and line.count("```") % 2 == 1
        item = None if is_code or is_fence else _ITEM.fullmatch(line)
        heading = None if is_code else _heading(item["text"] if item else line)
        is_code ^= is_fence
        if heading is not None:
            kind, title, is_open = heading, None, False
        elif item is not None:
            new = _Item(kind, len(item["indent"]), [item["text"].strip()])
            if title is not None and new.indent <= title.indent:
                title = None
            if title is None and items and items[-1].announces(new):
                title = items.pop()
            if title is not None:
                new.lines[:0] = title.lines
            items.append(new)
            is_open = True
        elif not line.strip() or _CUT_ITEM.fullmatch(line):
            is_open = is_open and is_code
        elif is_open and not is_fence:
            items[-1].lines.append(line.strip())
    return tuple(Claim(" ".join(item.lines), item.kind, source) for item in items)


def _heading(text: str) -> ClaimKind | None:
    """What a heading begins, with or without words after its colon; None where it is none."""
    bare = text.strip(_MARKS)
    name, colon, _ = bare.partition(":")
    if colon and name[:1].isupper():
        bare = name.rstrip(_MARKS)
    return _HEADINGS.get(bare.casefold())
