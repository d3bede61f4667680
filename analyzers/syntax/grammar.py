"""Tables that describe a language well enough to complete its hunks.

In scaffolds, `__` stands for any name, value or type.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from analyzers.reading import BlockKind


class Place(NamedTuple):
    """A place for lines of code, such as a class body or a list of arguments.

    A hunk is more likely in a place with a lower `cost`; code that starts like `likely` and a
    heading like `heading` lower it. `filler` completes the place if nothing in it is shown.
    No statement ends in an `is_list` place.
    """

    name: str
    cost: int
    likely: str | None = None
    heading: str | None = None
    filler: str = ""
    is_list: bool = False


class Way(NamedTuple):
    """A way from the place `outer` into `inner`: text `opening` leads in, `closing` leads out.

    `closing` starts with the closing bracket; its rest completes what `opening` started.
    Use a way only for texts that contain `if_found` and do not contain `unless_found`.
    """

    outer: str
    inner: str
    opening: str
    closing: str
    cost: int = 0
    if_found: str | None = None
    unless_found: str | None = None


class Lead(NamedTuple):
    """Text that may precede code that starts like `first`, in some `places`.

    `places` are names separated by spaces. A `cost` below 0 makes the text likelier than none.
    """

    first: str
    text: str
    places: str
    cost: int = 1


class Closing(NamedTuple):
    """The text that closes a `bracket` after text like `head`.

    `ends` means that the text also ends the statement, `is_list` that no statement can end inside
    the bracket.
    """

    bracket: str
    head: str
    text: str
    ends: bool = False
    is_list: bool = False


# An operator at the start or end of incomplete code.
OPERATOR = r"([-+*/%&|^<>=!?]=?|&&|\|\||\?|:|\.|::)"
_AFTER_OPERATOR = r"(?<!\S)([-+*/%&|^<>=!?.(]|&&|\|\||::|[-+*/%&|^<>=!]=)$"
_TORN_CHOICE = r"\?(?!.*:).*[\w)\]}\"]$"
_CONTROL = r"(?<!\. )\b(if|while|for|switch|catch|synchronized)( await)?"

CLOSINGS = (
    Closing("{", r"\btry( \(\))?$", "} finally {}", ends=True),
    Closing("{", r"\b(case .*|default) :$", "}", ends=True),
    Closing("{", r"(->|=>|\bnew [\w .<>,?]+ \(\)|\bfunction( \*)?( [\w$]+)? \(\))$", "}"),
    Closing("{", r"([=(\[,:?]|&&|\|\||\[\]|\breturn|\bdefault)$", "}", is_list=True),
    Closing("{", r"", "}", ends=True),
    Closing("(", rf"{_CONTROL}$", ") {}", ends=True, is_list=True),
    Closing("(", r"\btry$", ") {} finally {}", ends=True, is_list=True),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
)
"""Texts that close brackets; the first that fits is used."""
ENDINGS = (
    (r"^$|;$", ("",)),
    (r"\btry( \(\))? \{\}$", (" finally {}", "")),
    (r"\b(const|let|var) [{\[][}\]]$", (" = __;",)),
    (r"\?(?!.*:).*\{\}$", (" : __;", "", ";")),
    (r"\{\}$", ("", ";")),
    (r"\b(else|finally)$", (" {}",)),
    (r"\btry( \(\))?$", (" {} finally {}",)),
    (rf"{_CONTROL} \(\)$", (" {}",)),
    (r"(^| )@ [\w .]+( \(\))?$", (" class __ {}", " void __() {}", " int __;")),
    (r"\b(class|interface|enum|record|throws)\b[^;=]*$", (" {}", " __ {}", ";")),
    (r"\bfunction\b[^()]*(\(\))?$", (" {}", "() {}", " __() {}")),
    (r"\b(case|default)\b[^:]*$", (":", "__:")),
    (r":$", ("", "__;")),
    (r"[-=]>$", (" {};", " __;")),
    (
        rf"{_AFTER_OPERATOR}|\b(return|throw|new|typeof|await|instanceof)$",
        (" __;", " __();", " __ : __;"),
    ),
    (r"\b(const|let|var)$", (" __ = __;",)),
    (r",$", (" __;", " __ __;", " __ {}")),
    (_TORN_CHOICE, (" : __;", ";")),
    (r"\)$", (";", " {}", " __;", "__() {}")),
    (r"", (";", " __;", " = __;", "() {}", " {}", " : __;", " __() {}", " from '';")),
)
"""Texts that may complete an unfinished statement, by its end; likeliest first."""
LIST_ENDINGS = (
    (r"^[(\[]?$", ("",)),
    (r",$", ("", " __", " __ __")),
    (r"[-=]>$", (" {}", " __")),
    (r"\bnew$", (" __()",)),
    (_AFTER_OPERATOR, (" __", " __ : __")),
    (r":$", (" __",)),
    (_TORN_CHOICE, (" : __", "")),
    (r"^[^;]*;[^;]*;", ("", "__")),
    (r";", (";", "")),
    (r"", ("", " __", " : __", "() {}", " = __", ";;", " {}", " __ : __")),
)
"""Texts that may complete an unfinished element of a list."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The grammar of a language.

    `module` is its tree-sitter parser. The query `refused` finds code that the parser accepts
    although the language does not, `unread` code that the language's tools cannot read.
    `patterns` match tokens, `quote` is the quote that may span lines, and `kinds` maps node types
    to kinds of blocks.
    """

    module: str
    quote: str
    patterns: tuple[re.Pattern[str], re.Pattern[str]]
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    leads: tuple[Lead, ...]
    kinds: Mapping[str, BlockKind]
    refused: str
    unread: str = ""


def block_kinds(classes: str, functions: str, others: str) -> dict[str, BlockKind]:
    """Map node types, given as words in strings, to kinds of blocks."""
    words = {BlockKind.CLASS: classes, BlockKind.FUNCTION: functions, BlockKind.OTHER: others}
    return {word: kind for kind, of_kind in words.items() for word in of_kind.split()}


def with_cases(ways: tuple[Way, ...]) -> tuple[Way, ...]:
    """Add each way out of statements again, behind a case label."""
    cases = (
        way._replace(outer="cases", opening=f"case __: {way.opening}", cost=way.cost + 1)
        for way in ways
        if way.outer == "statements"
    )
    return (*ways, *cases)
