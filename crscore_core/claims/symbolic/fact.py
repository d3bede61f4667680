"""Facts: ranked sentences about a change, and merging of similar ones."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from crscore_core.claims.symbolic.wording import MAX_LISTED, enumerate_items

DEFINED, BEHAVIOUR, CALLED, SET, PLAIN, DETAIL, TRIVIAL = 10, 20, 30, 40, 50, 60, 1000
"""Ranks, the most informative first. Facts from `TRIVIAL` on only complete a short list."""

ITEM = "\0"
IS_OR_ARE, PLURAL_S, PLURAL_Y = "\1is|are\1", "\1|s\1", "\1y|ies\1"
IN_PLACE, FROM_PLACE = "\2in\2", "\2from\2"
"""Marks in the text of a fact: its items, words that depend on their number, and prepositions
before its place. Quoted code never contains marks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    text: the sentence, with marks for `items`, their number and the place `where`.
    rank: facts with a lower rank come first.
    line: a line of the new file.
    wordings: the fact in a reviewer's words.
    """

    text: str
    rank: int
    line: int | None
    items: tuple[str, ...] = ()
    where: str = ""
    wordings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its items and its place, in the singular or plural."""
        number = 1 + (len(self.items) > 1)
        text = re.sub("\1(.*?)\\|(.*?)\1", lambda match: match[number], self.text)
        place = f" {self.where}" * bool(self.where)
        text = re.sub("\2(.*?)\2", lambda match: f" {match[1]}{place}" * bool(place), text)
        text = text.replace(ITEM, enumerate_items(self.items))
        return text[:1].upper() + text[1:]


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items or only in their place; drop duplicates."""
    by_place: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        previous = by_place.get((fact.text, fact.where), replace(fact, items=(), wordings=()))
        items = tuple(dict.fromkeys((*previous.items, *fact.items)))
        wordings = (*previous.wordings, *fact.wordings)[:MAX_LISTED]
        by_place[fact.text, fact.where] = replace(previous, items=items, wordings=wordings)
    by_text: dict[tuple[str, tuple[str, ...]], list[Fact]] = {}
    for fact in by_place.values():
        by_text.setdefault((fact.text, fact.items), []).append(fact)
    merged = []
    for group in by_text.values():
        places = [fact.where for fact in group]
        if len(group) > 1 and all(places):
            merged.append(replace(group[0], where=enumerate_items(places, 3)))
        else:
            merged += group
    return merged
