"""Infer the language of a file from its name, and normalise language names."""

import json
import re
from functools import cache
from pathlib import Path

from pygments.lexers import get_all_lexers

from crscore_core.errors import InputError

_NAMES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
LANGUAGE_TITLES: dict[str, str] = _NAMES["titles"]
"""Maps the name of each language that has analyzers to its display name."""

_RENAMED: dict[str, str] = _NAMES["renamed"]  # Pygments names that this package replaces
# Languages of file names that Pygments assigns to several languages or to none.
_CHOSEN: dict[str, str] = _NAMES["chosen"]
# Pygments file names that usually mean something else, or Python with other builtins.
_EXCLUDED = frozenset(_NAMES["excluded"])
NOT_CODE = frozenset(_NAMES["not_code"])  # languages for prose and data
_MAX_LENGTH = 100


@cache
def _languages() -> tuple[dict[str, str], dict[str, str]]:
    """Return languages by file name pattern and by name, both in lower case."""
    by_pattern, by_name = dict(_CHOSEN), {"node": "javascript", "objective c": "objective-c"}
    for _, names, patterns, _ in get_all_lexers(plugins=False):
        if not names:
            continue
        language = _RENAMED.get(names[0], names[0])
        for name in names:
            by_name.setdefault(name.lower(), language)
        for pattern in {pattern.lower() for pattern in patterns} - _EXCLUDED:
            by_pattern.setdefault(pattern, language)
    return by_pattern, by_name


def normalise_language(language: str) -> str:
    """Return one name for all usual spellings of a language (`js`, `.cs`, `C++`).

    An unknown name is kept, in lower case; it may contain any character, so it is not a safe path.

    Raises:
        InputError: the name is blank, not printable, or too long.
    """
    key = " ".join(language.lower().split()).lstrip(". ")
    if not key or len(key) > _MAX_LENGTH or not key.isprintable():
        problem = f"the name of a language has 1 to {_MAX_LENGTH} printable characters"
        raise InputError(problem, "omit it if it is unknown")
    by_pattern, by_name = _languages()
    return by_name.get(key) or by_pattern.get(f"*.{key}", key)


def is_known_language(language: str) -> bool:
    """Return whether this is the name that `normalise_language` returns for a known language."""
    by_pattern, by_name = _languages()
    return language in {*by_pattern.values(), *by_name.values()}


def language_from_name(path: str) -> str | None:
    """Return the language that a file name indicates, or None if it does not determine one."""
    name = re.split(r"[/\\]", path)[-1].lower()
    _, dot, extension = name.rpartition(".")
    by_pattern, _ = _languages()
    return by_pattern.get(name) or (by_pattern.get(f"*.{extension}") if dot else None)
