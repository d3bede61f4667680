"""Facts: ranked sentences about a change, and merging of similar ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from crscore_core.claims.symbolic.wording import MAX_LISTED, listed

DEFINED, BEHAVIOUR, CALLED, SET, PLAIN, DETAIL, TRIVIAL = 10, 20, 30, 40, 50, 60, 1000
"""Ranks: what a reader wants to know first. From `TRIVIAL` on, facts only fill a short list."""

ITEM, IS, S, Y, WHERE = "\0\1\2\3\4"
"""Marks in the text of a fact, which no quoted code holds: items, their number, and the place."""

_NUMBERS = {IS: ("is", "are"), S: ("", "s"), Y: ("y", "ies")}


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change; facts with a lower `rank` come first.

    `text` has marks for `items`, their number and `where`. `line` is a line of the new file.
    `wordings` state the same in a reviewer's words.
    """

    text: str
    rank: int
    line: int | None
    items: tuple[str, ...] = ()
    where: str = ""
    wordings: tuple[str, ...] = ()
    is_definition: bool = False

    @property
    def sentence(self) -> str:
        """The text with its items, with the verb in singular or plural."""
        text = self.text
        for mark, forms in _NUMBERS.items():
            text = text.replace(mark, forms[len(self.items) > 1])
        text = text.replace(WHERE, self.where).replace(ITEM, listed(self.items))
        return text[:1].upper() + text[1:]


def joined(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items, or else in their place; drop duplicates."""
    by_place: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        other = by_place.get((fact.text, fact.where), replace(fact, items=(), wordings=()))
        items = tuple(dict.fromkeys((*other.items, *fact.items)))
        wordings = (*other.wordings, *fact.wordings)[:MAX_LISTED]
        by_place[fact.text, fact.where] = replace(other, items=items, wordings=wordings)
    groups: dict[tuple[str, tuple[str, ...]], list[Fact]] = {}
    for fact in by_place.values():
        groups.setdefault((fact.text, fact.items), []).append(fact)
    found = []
    for first, *others in groups.values():
        ways = [one.where.lstrip().partition(" ") for one in (first, *others)]
        is_conditional = any("` if `" in one.where for one in (first, *others))
        if others and len({way for way, _, _ in ways}) == 1 and ways[0][2] and not is_conditional:
            where = f" {ways[0][0]} {listed([place for _, _, place in ways], 3)}"
            found.append(replace(first, where=where))
        else:
            found += [first, *others]
    return found
