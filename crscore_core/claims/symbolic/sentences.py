"""Facts, which are ranked sentences about a change: fill their templates and merge them."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path

from crscore_core.claims.symbolic.nesting import MAX_INDENT, Statement
from crscore_core.claims.symbolic.patterns import CODE, CONTROL, KINDS, Kind
from crscore_core.claims.symbolic.statement import ParsedStatement
from crscore_core.claims.symbolic.wording import enumerate_items, quote, quote_prose


class Rank(IntEnum):
    """The rank of a fact by its subject; facts with lower ranks come first.

    TEXT: rows of data, passages of prose, and statements of other kinds that change.
    TRIVIAL: single statements that are added or removed.
    SUPPLEMENT, DETAIL: the body of a function or entry; the former also a file's only fact.
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
    DETAIL = 999
    IMPORT = 1000
    COMMENT = 1003
    LAYOUT = 2000


_BY_NUMBER = re.compile(r"\{([^{}/]*)/([^{}/]*)\}")
"""A word or ending of a template, in the singular and the plural, such as `{is/are}`."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a change.

    template: the sentence, with names in braces: the keys of `fields`, `item`, and `in_place`,
        `from_place` or `to_place`, which are left out without places. `{is/are}` is a word for one
        item and a word for several.
    rank: a `Rank`, or a number between two ranks.
    line: a line of the new file.
    fields: text that similar facts have in common, keyed by name.
    items, places: text that similar facts list together.
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
        number = len(self.items)
        template = _BY_NUMBER.sub(r"\2" if number > 1 else r"\1", self.template)
        fields = {"item": enumerate_items(self.items), **self.fields}
        places = enumerate_items(self.places, 3)
        for word in ("in", "from", "to"):
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


def _read_sentences(path: Path) -> dict[Kind, dict[str, tuple[str, int]]]:
    """Read templates and their ranks, by kind and form, from lines of `kind | form | rank | …`."""
    sentences: dict[Kind, dict[str, tuple[str, int]]] = {kind: {} for kind in Kind}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, form, rank, template = (cell.strip() for cell in line.split("|"))
            sentences[Kind(kind)][form] = (template, Rank[rank.upper()] if rank else 0)
    return sentences


SENTENCES = _read_sentences(Path(__file__).with_name("sentences.txt"))
"""Maps a statement kind and a form to the template and rank of a sentence or phrase."""

DEFAULTS = frozenset({"", "_", "else"})  # values of the default case


def phrase(kind: Kind, form: str, default: str = "") -> str:
    """Return the template of a phrase about a kind of statement."""
    return SENTENCES[kind].get(form, (default, 0))[0]


def condition_clause(statement: Statement, block: Statement | None = None) -> str:
    """Return when a statement in a block, by default its own, runs; empty if always or unknown."""
    block = (block or statement.block) if statement.kind in KINDS["conditional"] else None
    if block is None or CODE["open_head"].match(block.parsed.text):
        return ""
    value = block.parsed.value
    if block.kind is Kind.CASE:
        return f" in {_case(block.parsed)}"
    if clause := phrase(block.kind, "clause"):
        return f" {clause}".format(block=quote(value, 90) if value else "an error")
    return _branch_clause(block) if block.kind is Kind.BLOCK else ""


def _case(parsed: ParsedStatement) -> str:
    return "the default case" if parsed.value in DEFAULTS else f"the case {quote(parsed.value, 90)}"


def _branch_clause(block: Statement) -> str:
    """Return when a statement runs in `else`, `finally` or `ensure`."""
    word, branch = block.parsed.text.partition(" ")[0], block.before
    if word in {"finally", "ensure"} or (word == "else" and branch is None):
        return f" in the {quote(word)} block"
    if word != "else":
        return ""
    values: list[str] = []
    while branch and branch.kind is Kind.CONDITION:
        values.insert(0, quote(branch.parsed.value, 90))
        branch = branch.before
    if values:
        return f" unless {' or '.join(values)}"
    return " in the default case" if branch and branch.kind is Kind.CASE else ""


def within(statement: Statement) -> str:
    """Return the function, type, test or value around a statement; empty if unknown."""
    if place := statement.outer_name:
        return quote(place)
    for heading in reversed(statement.headings):
        if heading.kind is Kind.TEST:
            return f"the test {quote(heading.parsed.name)}"
        if heading.kind in KINDS["named_values"] and heading.parsed.name[:1] not in {"", "[", "{"}:
            return quote(heading.parsed.text if heading.is_item else heading.parsed.name, 60)
    return ""


def fact_about(template: str, rank: int, statement: Statement, *items: str, **fields: str) -> Fact:
    """Return a fact about a statement, with its place.

    The template names parts of the statement or `fields`. The default item is its code.
    """
    template = template.replace("{where}", "{in_place}{if_condition}")
    parsed = statement.parsed
    owners = [heading.kind for heading in statement.headings if heading.kind not in CONTROL]
    if owners[-1:] != [Kind.FUNCTION]:
        template = template.replace("{subject}", "the code{in_place}")
    parts = {
        "name": quote(_title(parsed)),
        "be": "are" if re.match(r"[^([{]*,", parsed.name) else "is",
        "field": "constant" if CODE["constant"].match(parsed.text) else "field",
        "keyword": parsed.keyword,
        "value": quoted_value(parsed),
        "case": _case(parsed),
        "verb": f"{parsed.operator}s",
        "subject": quote(statement.outer_name),
        "if_condition": condition_clause(statement),
    } | fields
    used = {name: text for name, text in parts.items() if f"{{{name}}}" in template}
    if not items and "item}" in template:
        is_prose = parsed.kind is Kind.COMMENT
        items = (quote_prose(parsed.value) if is_prose else quote(item_code(parsed)),)
    places = tuple(filter(None, [within(statement)])) if "_place}" in template else ()
    return Fact(template, rank, statement.line.line, used, items, places)


def item_code(parsed: ParsedStatement) -> str:
    """Return the code that stands for a statement in a list."""
    if parsed.kind is Kind.FUNCTION:
        return f"{parsed.name}({', '.join(text for _, text in parsed.parameters)})"
    if parsed.kind is Kind.TEST:
        return parsed.name
    return parsed.value if parsed.kind is Kind.IMPORT else parsed.text


def quoted_value(parsed: ParsedStatement) -> str:
    """Return the value of a statement, quoted, or the meaning of a missing value."""
    return quote(parsed.value) if parsed.value else phrase(parsed.kind, "missing", "nothing")


def _title(parsed: ParsedStatement) -> str:
    """Return the name of a definition; for a type, with its bases and the rest of its head."""
    if parsed.kind is not Kind.TYPE:
        return parsed.name
    is_impl = parsed.keyword == "impl"
    start = r"\bimpl\b(?:<.*?>\s)?" if is_impl else rf"\b(?={re.escape(parsed.name)}\b)"
    return re.split(start, parsed.text, maxsplit=1)[-1].removesuffix(" =")


def is_field(statement: Statement) -> bool:
    """Return True if the statement is directly in the body of a type."""
    if not statement.headings or statement.headings[-1].kind is not Kind.TYPE:
        return False
    heading, parsed = statement.headings[-1].line, statement.parsed
    is_local = not heading.rows and "(" in parsed.value and not CODE["modifier"].match(parsed.text)
    return statement.line.indent <= heading.indent + MAX_INDENT and not is_local
