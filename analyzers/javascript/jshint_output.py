"""What `run_jshint.cjs` writes, checked piece by piece before it is believed."""

import json
from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate

from analyzers.batches import Outcome, Unread
from analyzers.finding import Finding
from analyzers.javascript.rules import MEASURED, TELLING

__all__ = ["GarbageError", "outcomes"]

_TAB_WIDTH = 4  # to JSHint


class GarbageError(Exception):
    """The output is not a complete report on our files."""


def outcomes(output: str, texts: Mapping[str, str]) -> list[Outcome]:
    """What `output` says of each of the `texts`, which are given by file name, in their order.

    Raises:
        GarbageError: `output` is not a line of JSON for each of them.
    """
    lines = output.removesuffix("\n").split("\n")
    if len(lines) != len(texts):
        raise GarbageError("not one line for each file")
    try:
        return [
            _outcome(json.loads(line), name, _Columns(text))
            for line, (name, text) in zip(lines, texts.items(), strict=True)
        ]
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise GarbageError("not a report on these files") from None


class _Columns:
    """Columns in characters, of those that JSHint counts in UTF-16 with wide tabs."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts: dict[int, list[int]] = {}

    def column(self, row: int, character: int) -> int:
        if not 0 < row <= len(self._lines):
            raise ValueError(row)
        if row not in self._starts:
            self._starts[row] = [*accumulate(map(_width, self._lines[row - 1]), initial=1)]
        starts = self._starts[row]
        return min(bisect_left(starts, character), len(starts) - 1) + 1


def _width(character: str) -> int:
    return _TAB_WIDTH if character == "\t" else 1 + (character > "\uffff")


def _outcome(report: Mapping[str, object], name: str, columns: _Columns) -> Outcome:
    if report["file"] != name:
        raise ValueError(name)
    if "error" in report:
        return Unread(str(report["error"]))
    return [_finding(entry, columns) for entry in _list(report["findings"])]


def _finding(entry: Mapping[str, object], columns: _Columns) -> Finding:
    rule, row = str(entry["code"]), _number(entry["row"])
    names = [str(name) for name in _list(entry["names"])]
    measure = int(names[MEASURED[rule]]) if rule in MEASURED else None
    if rule in TELLING:
        names.insert(0, names.pop(TELLING[rule]))
    column = columns.column(row, _number(entry["character"]))
    first, last = map(_number, _list(entry["scope"]))
    place = row, column, row, column
    message = str(entry["message"])
    return Finding(rule, message, *place, tuple(filter(None, names)), measure, (first, last))


def _list(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value
