"""Facts: ranked sentences about a change, and merging of similar ones."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

from crscore_core.claims.symbolic.wording import MAX_LISTED, enumerate_items


class Rank(IntEnum):
    """What a fact is about, the most informative first; lower ranks come first.

    TEXT: rows of data, passages of prose, and statements of other kinds that change.
    SUPPLEMENT: the body of a new function, or the only fact about a file.
    TRIVIAL: single statements; from here on, facts only complete a short list.
    LAYOUT: blanks, line breaks and punctuation.
    """

    FILE = 0
    DEFINITION = 10
    BEHAVIOUR = 20
    CALL = 30
    VALUE = 40
    TEXT = 50
    SUPPLEMENT = 60
    TRIVIAL = 1000
    IMPORT = 1003
    COMMENT = 1005
    LAYOUT = 1009


ITEM = "\0"
IS_OR_ARE, PLURAL_S, PLURAL_Y, VERB_S = "\1is|are\1", "\1|s\1", "\1y|ies\1", "\1s|\1"
IN_PLACE, FROM_PLACE, OF_PLACE = "\2in\2", "\2from\2", "\2of\2"
"""Marks in the text of a fact: its items, words that depend on their number, and prepositions
before its place. Quoted code never contains marks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    text: the sentence, with marks for `items`, their number and the `place`.
    rank: a `Rank`, or a number between two of them.
    line: a line of the new file.
    wordings: the fact in a reviewer's words.
    """

    text: str
    rank: int
    line: int | None
    items: tuple[str, ...] = ()
    place: str = ""
    wordings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its items and its place, in the singular or plural."""
        number = 1 + (len(self.items) > 1)
        text = re.sub("\1(.*?)\\|(.*?)\1", lambda match: match[number], self.text)
        place = f" {self.place}" * bool(self.place)
        text = re.sub("\2(.*?)\2", lambda match: f" {match[1]}{place}" * bool(place), text)
        text = text.replace(ITEM, enumerate_items(self.items))
        return text[:1].upper() + text[1:]


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items or only in their place; drop duplicates."""
    by_place: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        previous = by_place.get((fact.text, fact.place), replace(fact, items=(), wordings=()))
        items = tuple(dict.fromkeys((*previous.items, *fact.items)))
        wordings = (*previous.wordings, *fact.wordings)[:MAX_LISTED]
        by_place[fact.text, fact.place] = replace(previous, items=items, wordings=wordings)
    by_items: dict[tuple[str, tuple[str, ...]], list[Fact]] = {}
    for fact in by_place.values():
        by_items.setdefault((fact.text, fact.items), []).append(fact)
    merged = []
    for group in by_items.values():
        places = [fact.place for fact in group]
        if len(group) > 1 and all(places):
            merged.append(replace(group[0], place=enumerate_items(places, 3)))
        else:
            merged += group
    return merged
