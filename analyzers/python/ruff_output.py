"""Ruff's JSON, checked piece by piece before it is believed."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

__all__ = ["Finding", "GarbageError", "findings_by_file"]

_NAME = re.compile(r"`([^`]+)`|\"([^\"]+)\"")


class GarbageError(Exception):
    """The output is not a complete report on our files."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Rows and columns count from 1; `names` are what the message has in quotes."""

    rule: str
    message: str
    first_row: int
    first_column: int
    last_row: int
    last_column: int

    @property
    def names(self) -> list[str]:
        """What the message names."""
        return [found[1] or found[2] for found in _NAME.finditer(self.message)]


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
    return Finding(str(entry["code"]), str(entry["message"]), *first, *last)


def _place(value: object) -> tuple[int, int]:
    if not isinstance(value, dict):
        raise TypeError
    return int(value["row"]), int(value["column"])
