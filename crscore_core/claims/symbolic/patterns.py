"""The kinds of statements, and the code patterns that tell them apart."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

Kind = StrEnum(
    "Kind",
    "COMMENT IMPORT FUNCTION TYPE TEST CONDITION CASE LOOP SCOPE CATCH BLOCK RETURN RAISE "
    "ASSIGNMENT CALL ENTRY SECTION ROW ANNOTATION OTHER",
)
"""Kinds of statements that claims distinguish."""

_TABLES = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text(encoding="utf-8"))
KINDS = {name: frozenset(map(Kind, words.split())) for name, words in _TABLES["kinds"].items()}
"""Kinds of statements that have something in common."""

DEFINITIONS, CONTROL = KINDS["definitions"], KINDS["control"]
BLOCKS = CONTROL | DEFINITIONS
_PARTS: dict[str, str] = _TABLES["parts"]
TOKENS = _TABLES["tokens"]
_OUTLINES = _TABLES["outlines"]


@cache
def languages(names: str) -> frozenset[str]:
    """Return the languages in a list of languages and language groups."""
    groups: dict[str, str] = _TABLES["languages"]
    listed = names.split()
    nested = (languages(groups[name]) if name in groups else {name} for name in listed)
    return frozenset().union(*nested)


def compiled(pattern: str, flags: re.RegexFlag = re.DOTALL) -> re.Pattern[str]:
    """Compile a pattern from the file, with the parts that it names."""
    while part := re.search(r"\{([a-z_]+)\}", pattern):
        pattern = pattern.replace(part[0], _PARTS[part[1]])
    return re.compile(pattern, flags | re.VERBOSE)


Pattern = tuple[Kind, frozenset[str], re.Pattern[str]]
"""A kind of statement, its languages (all if empty), and its pattern."""


def _compiled_rows(rows: Sequence[tuple[str, str, str]]) -> list[Pattern]:
    return [(Kind(kind), languages(names), compiled(pattern)) for kind, names, pattern in rows]


def _compiled_table(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: compiled(pattern) for name, pattern in table.items()}


def matches(
    patterns: Sequence[Pattern], code: str, language: str | None
) -> Iterator[tuple[Kind, re.Match[str]]]:
    """Yield the kinds whose patterns match, each with its match."""
    for kind, names, regex in patterns:
        if (not names or language in names) and (match := regex.match(code)):
            yield kind, match


WORDS = {name: frozenset(words.split()) for name, words in _TABLES["words"].items()}
"""Words that have a meaning in many languages."""

NAME = _PARTS["name"]
PATTERNS = _compiled_rows(_OUTLINES["statements"])
"""Patterns of statement outlines; the first whose parts fit is used."""

HEAD_ENDS = _compiled_table(_OUTLINES["head_ends"])
"""Patterns of the head of a block whose body follows on the same row."""

MODIFIER = compiled(_OUTLINES["modifier"])
"""The part of a Ruby statement before its modifier, which is a condition."""

VALUE = compiled(_OUTLINES["value"])  # a Ruby value that is a block
CODE = _compiled_table(_TABLES["code"])  # patterns of parts of statements
FILE_KINDS = _compiled_table(_TABLES["files"])
"""Patterns of file and folder names, keyed by what they contain."""

ROWS = _compiled_table(_TABLES["rows"])  # patterns of rows of prose and comments
SETTINGS = _compiled_rows(_OUTLINES["settings"])
"""Patterns of the rows of settings files; the first match is used."""
