"""What languages have in common that took it from C."""

import dataclasses
from collections.abc import Iterable, Iterator

from analyzers.syntax.grammar import Quote, Way

__all__ = ["BLOCK_COMMENT", "CHARACTERS", "TEXT", "in_cases", "in_conditions"]

BLOCK_COMMENT = Quote(
    r"/\*", r"(?s:(?!\*/).)*", r"\*/", ("/*",), "*/", inside=r"\s*\*", is_comment=True
)
TEXT = Quote('"', r'(?:\\.|[^"\\\n])*', '"')
CHARACTERS = Quote("'", r"(?:\\.|[^'\\\n])*", "'")


def in_cases(ways: Iterable[Way]) -> Iterator[Way]:
    """The ways out of statements that stand behind a case label."""
    for way in ways:
        if way.outer == "statements":
            opening = f"case __: {way.opening}"
            yield dataclasses.replace(way, outer="cases", opening=opening, cost=way.cost + 1)


def in_conditions(ways: Iterable[Way]) -> Iterator[Way]:
    """The ways out of a list of arguments, out of a condition."""
    return (dataclasses.replace(way, outer="condition") for way in ways if way.outer == "arguments")
