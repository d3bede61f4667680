"""What a language model answered -> claims and implications (paper, section 3.2)."""

import re

from crscore_core.claims.model import Claim, ClaimKind

__all__ = ["claims_of_response"]

_MARKS = "*_#: \t"
_HEADINGS = {
    "summary of changes": ClaimKind.CLAIM,
    "summary": ClaimKind.CLAIM,
    "implications": ClaimKind.IMPLICATION,
    "possible implications": ClaimKind.IMPLICATION,
}
_ITEM = re.compile(r"\s*(?:\d{1,3}[.)]|[-*•])\s+(?P<text>\S.*)")


def claims_of_response(response: str, source: str) -> tuple[Claim, ...]:
    """The items of the two lists that the prompt asks for, in their order.

    Items are numbered or bulleted; further lines belong to the item above. Items below the
    heading "implications" are implications, all others claims. What stands outside the lists is
    talk. `source` names who answered.
    """
    kind = ClaimKind.CLAIM
    items: list[tuple[ClaimKind, list[str]]] = []
    is_open = False
    for line in response.splitlines():
        heading = _HEADINGS.get(line.strip(_MARKS).casefold())
        item = _ITEM.fullmatch(line)
        if heading is not None:
            kind, is_open = heading, False
        elif item is not None:
            items.append((kind, [item["text"].strip()]))
            is_open = True
        elif not line.strip():
            is_open = False
        elif is_open:
            items[-1][1].append(line.strip())
    return tuple(Claim(" ".join(lines), of_kind, source) for of_kind, lines in items)
