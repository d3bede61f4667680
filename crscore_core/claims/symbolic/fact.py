"""Facts: ranked sentences about a change, and merging of similar ones."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from crscore_core.claims.symbolic.wording import enumerate_items


class Rank(IntEnum):
    """The rank of a fact by its subject; facts with lower ranks come first.

    TEXT: rows of data, passages of prose, and statements of other kinds that change.
    TRIVIAL: single statements that are added or removed.
    SUPPLEMENT: the body of a new function, or the only fact about a file.
    IMPORT, COMMENT: claimed only in a short list.
    LAYOUT: blanks, line breaks and punctuation; claimed only if nothing else is known.
    """

    FILE = 0
    DEFINITION = 10
    BEHAVIOUR = 20
    CALL = 30
    VALUE = 40
    TEXT = 50
    TRIVIAL = 55
    SUPPLEMENT = 60
    IMPORT = 1000
    COMMENT = 1003
    LAYOUT = 2000


_BY_NUMBER = re.compile(r"\{([^{}/]*)/([^{}/]*)\}")
"""Words and endings of a template, for one item and for several, such as `{is/are}`."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    template: the sentence with names in braces: those of `fields`, `item`, and `in_place`,
        `from_place` or `of_place`, left out without places. Of `{is/are}`, the first word is for
        one item, and the other one for several.
    rank: a `Rank`, or a number between two of them.
    line: a line of the new file.
    fields: the texts that similar facts have in common, by name.
    items, places: the texts that similar facts list together.
    """

    template: str
    rank: int
    line: int | None
    fields: Mapping[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence with its items and places, in the singular or plural."""
        template = _BY_NUMBER.sub(r"\2" if len(self.items) > 1 else r"\1", self.template)
        fields = {"item": enumerate_items(self.items), **self.fields}
        places = enumerate_items(self.places, 3)
        for word in ("in", "from", "of"):
            fields[f"{word}_place"] = f" {word} {places}" if places else ""
        text = template.format(**fields)
        return text[:1].upper() + text[1:]


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items or only in their places; drop duplicates."""
    merged = _merge_by(lambda fact: (replace(fact, items=()).sentence, bool(fact.items)), facts)
    return _merge_by(lambda fact: (replace(fact, places=()).sentence, bool(fact.places)), merged)


def _merge_by(key: Callable[[Fact], Hashable], facts: Iterable[Fact]) -> list[Fact]:
    merged: dict[Hashable, Fact] = {}
    for fact in facts:
        previous = merged.get(key(fact), replace(fact, items=(), places=()))
        merged[key(fact)] = replace(
            previous,
            items=tuple(dict.fromkeys((*previous.items, *fact.items))),
            places=tuple(dict.fromkeys((*previous.places, *fact.places))),
        )
    return list(merged.values())
