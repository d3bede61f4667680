"""Facts: ranked sentences about a change, and merging of similar ones."""

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

from crscore_core.claims.symbolic.wording import MAX_LISTED, enumerate_items


class Rank(IntEnum):
    """The rank of a fact by its subject; facts with lower ranks come first.

    TEXT: rows of data, passages of prose, and statements of other kinds that change.
    SUPPLEMENT: the body of a new function, or the only fact about a file.
    TRIVIAL: single statements; from here on, facts only complete a short list.
    LAYOUT: blanks, line breaks, punctuation, and comments beside code.
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
IS_OR_ARE, PLURAL_S, Y_OR_IES, VERB_S = "\1is|are\1", "\1|s\1", "\1y|ies\1", "\1s|\1"
IN_PLACE, FROM_PLACE, OF_PLACE = "\2in\2", "\2from\2", "\2of\2"
"""Marks in the text of a fact, which `Fact.sentence` replaces once similar facts are merged.

ITEM becomes the items. Between two \\1 are the endings or words for one item and for several.
Between two \\2 is the preposition before the places; without places, it is left out. Quoted code
has no control characters, so it never contains a mark.
"""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    text: the sentence, with marks for `items`, their number and `places`.
    rank: a `Rank`, or a number between two of them.
    line: a line of the new file.
    wordings: the fact in a reviewer's words.
    """

    text: str
    rank: int
    line: int | None
    items: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its items and places, in the singular or plural."""
        number = 1 + (len(self.items) > 1)
        text = re.sub("\1(.*?)\\|(.*?)\1", lambda match: match[number], self.text)
        places = enumerate_items(self.places, 3)
        text = re.sub("\2(.*?)\2", lambda match: f" {match[1]} {places}" * bool(places), text)
        text = text.replace(ITEM, enumerate_items(self.items))
        return text[:1].upper() + text[1:]


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items or only in their places; drop duplicates."""
    by_place = _merge_by(lambda fact: (fact.text, fact.places), facts)
    return _merge_by(lambda fact: (fact.text, fact.items, bool(fact.places)), by_place)


def _merge_by(key: Callable[[Fact], Hashable], facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts with the same key: their items, places and wordings."""
    merged: dict[Hashable, Fact] = {}
    for fact in facts:
        previous = merged.get(key(fact), replace(fact, items=(), places=(), wordings=()))
        merged[key(fact)] = replace(
            previous,
            items=tuple(dict.fromkeys((*previous.items, *fact.items))),
            places=tuple(dict.fromkeys((*previous.places, *fact.places))),
            wordings=(*previous.wordings, *fact.wordings)[:MAX_LISTED],
        )
    return list(merged.values())
