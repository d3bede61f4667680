"""Facts: weighted sentences about a change, and merging of similar ones."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.wording import MAX_LISTED, listed


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change; a higher `weight` means more useful to a reader.

    `text` may contain one `{}` for `items`: facts in one file with the same text are merged.
    `line` is a line of the new file. `wordings` state the same in other words. A preamble, such as
    imports, is not informative about a new file. `where` is the end of `text` with the location.
    A fact about a definition is about what other code or a test runner may name.
    """

    text: str
    weight: int
    line: int | None
    kind: ClaimKind = ClaimKind.CLAIM
    items: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()
    is_preamble: bool = False
    is_definition: bool = False
    where: str = ""

    @property
    def sentence(self) -> str:
        """The text with its items, with the verb in singular or plural."""
        if not self.items:
            return self.text[:1].upper() + self.text[1:]
        many = len(self.items) > 1
        parts = self.text.split("`")
        for mark, one, more in _NUMBERS:
            parts[::2] = [part.replace(mark, more if many else one) for part in parts[::2]]
        text = "`".join(parts).replace("{}", listed(self.items), 1)
        return text[:1].upper() + text[1:]


_NUMBERS = (("<is>", "is", "are"), ("<runs>", "runs", "run"), ("<s>", "", "s"), ("<y>", "y", "ies"))


def joined(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their items; drop duplicates."""
    found: dict[object, Fact] = {}
    for fact in facts:
        key = (fact.text, bool(fact.items), fact.kind)
        other = found.get(key)
        if other is None:
            found[key] = fact
        elif fact.items:
            new = tuple(item for item in fact.items if item not in other.items)
            wordings = (*other.wordings, *fact.wordings)[:MAX_LISTED]
            found[key] = replace(other, items=(*other.items, *new), wordings=wordings)
    return _at_several_places(found.values())


_PLACE = re.compile(r" in (?:the test )?`[^`]*`")


def _at_several_places(facts: Iterable[Fact]) -> list[Fact]:
    """Merge facts that differ only in their location; those with conditions stay apart."""
    groups: dict[tuple[str, ClaimKind], list[Fact]] = {}
    for fact in facts:
        is_plain = _PLACE.fullmatch(fact.where)
        core = fact.sentence.removesuffix(fact.where) if is_plain else fact.sentence
        groups.setdefault((core, fact.kind), []).append(fact)
    told = []
    for (core, _), group in groups.items():
        first = group[0]
        if len(group) > 1 and first.where:
            places = [fact.where.removeprefix(" in ") for fact in group]
            first = replace(first, text=f"{core} in {listed(places, 3)}", items=(), where="")
        told.append(first)
    return told
