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
"""Marks in the text of a fact: its items, and words that depend on their number. Quoted code never
contains marks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    text: the sentence, with marks for `items` and their number.
    rank: a `Rank`, or a number between two of them.
    line: a line of the new file.
    wordings: the fact in a reviewer's words.
    """

    text: str
    rank: int
    line: int | None
    items: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its items, in the singular or plural."""
        number = 1 + (len(self.items) > 1)
        text = re.sub("\1(.*?)\\|(.*?)\1", lambda match: match[number], self.text)
        text = text.replace(ITEM, enumerate_items(self.items))
        return text[:1].upper() + text[1:]


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items; drop duplicates."""
    by_text: dict[str, Fact] = {}
    for fact in facts:
        previous = by_text.get(fact.text, replace(fact, items=(), wordings=()))
        items = tuple(dict.fromkeys((*previous.items, *fact.items)))
        wordings = (*previous.wordings, *fact.wordings)[:MAX_LISTED]
        by_text[fact.text] = replace(previous, items=items, wordings=wordings)
    return list(by_text.values())
