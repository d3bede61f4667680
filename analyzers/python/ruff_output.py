"""Ruff's JSON, checked piece by piece before it is believed."""

import json
import re
from collections.abc import Sequence
from pathlib import PurePath

from analyzers.finding import Finding

__all__ = ["GarbageError", "findings_by_file"]

_NAME = re.compile(r"`([^`]+)`|\"([^\"]+)\"")


class GarbageError(Exception):
    """The output is not a complete report on our files."""


def findings_by_file(output: str, names: Sequence[str]) -> list[list[Finding]]:
    """The findings in each of the files `names`, in their order.

    Raises:
        GarbageError: `output` is not JSON, or not the JSON that ruff prints for these files.
    """
    try:
        entries = json.loads(output)
    except (ValueError, RecursionError):
        raise GarbageError("not JSON") from None
    if not isinstance(entries, list):
        raise GarbageError("not a list")
    found: dict[str, list[Finding]] = {name: [] for name in names}
    for entry in entries:
        try:
            of_file = found[PurePath(entry["filename"]).name]
            of_file.append(_finding(entry))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise GarbageError("an entry without file, rule, place or message") from None
    return list(found.values())


def _finding(entry: dict[str, object]) -> Finding:
    first = _place(entry["location"])
    last = _place(entry["end_location"])
    message = str(entry["message"])
    names = tuple(found[1] or found[2] for found in _NAME.finditer(message))
    return Finding(str(entry["code"]), message, *first, *last, names=names)


def _place(value: object) -> tuple[int, int]:
    if not isinstance(value, dict):
        raise TypeError
    return int(value["row"]), int(value["column"])
