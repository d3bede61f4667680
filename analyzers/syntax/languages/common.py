"""Tables that languages with the syntax of C share.

`__` stands for any name, value or type in scaffolds of every language.
"""

import dataclasses
from collections.abc import Iterable, Iterator

from analyzers.reading import BlockKind
from analyzers.syntax.grammar import Closing, Ending, Quote, Way

BLOCK_COMMENT = Quote(
    r"/\*", r"(?s:(?!\*/).)*", r"\*/", ("/*",), "*/", inside=r"\s*\*", is_comment=True
)
TEXT = Quote('"', r'(?:\\.|[^"\\\n])*', '"')
CHARACTERS = Quote("'", r"(?:\\.|[^'\\\n])*", "'")

# At the start and at the end of torn code.
OPERATOR = r"([-+*/%&|^<>=!?]=?|&&|\|\||\?|:|\.|::)"
AFTER_OPERATOR = r"(?<!\S)([-+*/%&|^<>=!?.(]|&&|\|\||::|[-+*/%&|^<>=!]=)$"
TORN_CHOICE = r"\?(?!.*:).*[\w)\]}\"]$"

CLOSINGS = (
    Closing("{", r"\btry( \(\))?$", "} finally {}", ends=True),
    Closing("{", r"\bdo$", "} while (__);", ends=True),
    Closing("{", r"(=|\[\]|[(,])$", "}", is_list=True),
    Closing("{", r"", "}", ends=True),
    Closing("(", r"\bdo \{\} while$", ");", ends=True, is_list=True),
    Closing("(", r"(?<!\. )\b(if|while|for|switch|catch)$", ") {}", ends=True, is_list=True),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
)
ENDINGS = (
    Ending(r"^$|;$", ("",)),
    Ending(r"\btry( \(\))? \{\}$", (" finally {}", "")),
    Ending(r"\bdo \{\}$", (" while (__);",)),
    Ending(r"\{\}$", ("", ";")),
    Ending(r"\b(else|finally)$", (" {}",)),
    Ending(r"\bdo$", (" {} while (__);",)),
    Ending(r"\btry( \(\))?$", (" {} finally {}",)),
    Ending(r"(?<!\. )\b(if|for|while|switch|catch) \(\)$", (" {}",)),
    Ending(r"\b(case|default)\b[^:]*$", (":", "__:")),
    Ending(r":$", ("", "__;", " __() {}")),
    Ending(r"=$", ("__;", " {};")),
    Ending(rf"{AFTER_OPERATOR}|\b(return|throw|new)$", (" __;", " __();", " __ : __;")),
    Ending(r",$", (" __;", " __ __;", " __ {}")),
    Ending(TORN_CHOICE, (" : __;", ";")),
    Ending(r"\)$", (";", " {}", " __;", "__() {}")),
    Ending(r"", (";", " {}", " __;", " = __;", "() {}", " : __;", " __() {}")),
)
LIST_ENDINGS = (
    Ending(r"^[(\[]?$", ("",)),
    Ending(r",$", ("", " __", " __ __")),
    Ending(AFTER_OPERATOR, (" __", " __ : __")),
    Ending(TORN_CHOICE, (" : __", "")),
    Ending(r"^[^;]*;[^;]*;", ("", "__")),
    Ending(r";", (";", "")),
    Ending(r"", ("", " __", " : __", " = __", ";;", " __ : __")),
)


def block_kinds(classes: str, functions: str, others: str) -> dict[str, BlockKind]:
    """Map the types of nodes, given in words, to kinds of blocks."""
    words = {BlockKind.CLASS: classes, BlockKind.FUNCTION: functions, BlockKind.OTHER: others}
    return {word: kind for kind, of_kind in words.items() for word in of_kind.split()}


def in_cases(ways: Iterable[Way]) -> Iterator[Way]:
    """Yield the ways out of statements, for statements behind a case label."""
    for way in ways:
        if way.outer == "statements":
            opening = f"case __: {way.opening}"
            yield dataclasses.replace(way, outer="cases", opening=opening, cost=way.cost + 1)


def in_conditions(ways: Iterable[Way]) -> Iterator[Way]:
    """Yield the ways out of a list of arguments, for a condition."""
    return (dataclasses.replace(way, outer="condition") for way in ways if way.outer == "arguments")
