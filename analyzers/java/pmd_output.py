"""PMD's JSON, checked piece by piece before it is believed."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from analyzers.batches import Outcome, Unread
from analyzers.finding import Finding
from analyzers.java.rules import MEASURED
from analyzers.java.rulesets import READ

__all__ = ["ConfigurationError", "GarbageError", "outcomes"]

_FORMAT = 0
_NAME = re.compile(r"(?<!\w)'([^']+)'|`([^`]+)`")
_NUMBER = re.compile(r"\d+")
_SYNTAX_ERROR = re.compile(
    r""".*? at line (\d+), column \d+: (?:Encountered )?(?:("(?:\\.|[^"\\])*"|<EOF>)|([^\n]*))"""
)
_SILENCED_IN_CODE = "annotation"


class GarbageError(Exception):
    """The output is not a complete report on our files."""


class ConfigurationError(Exception):
    """A rule that was chosen cannot work."""


def outcomes(output: str, texts: Mapping[str, str]) -> list[Outcome]:
    """What `output` says of each of the `texts`, which are given by file name, in their order.

    Raises:
        ConfigurationError: `output` says that a rule was left out.
        GarbageError: `output` is not JSON, not that of PMD for these files, or leaves one out.
    """
    try:
        report = json.loads(output)
    except (ValueError, RecursionError):
        raise GarbageError("not JSON") from None
    try:
        return _outcomes(report, texts)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise GarbageError("not a report on these files") from None


def _outcomes(report: Mapping[str, object], texts: Mapping[str, str]) -> list[Outcome]:
    if report["formatVersion"] != _FORMAT or not isinstance(report["pmdVersion"], str):
        raise GarbageError("not the format of PMD 7")
    for entry in _objects(report["configurationErrors"]):
        raise ConfigurationError(f"{entry['rule']}: {entry['message']}")
    errors: dict[str, Unread] = {}
    for entry in _objects(report["processingErrors"]):
        errors.setdefault(_name(entry, texts), _unread(str(entry["message"])))
    found: dict[str, list[Finding]] = {name: [] for name in texts}
    for entry in (*_objects(report["files"]), *_objects(report["suppressedViolations"])):
        name = _name(entry, texts)
        lines = texts[name].split("\n")
        for violation in _objects(entry["violations"]):
            if violation.get("suppressiontype", _SILENCED_IN_CODE) == _SILENCED_IN_CODE:
                found[name].append(_finding(violation, lines))
    return [errors.get(name) or _read(findings) for name, findings in found.items()]


def _read(findings: Sequence[Finding]) -> list[Finding]:
    others = [finding for finding in findings if finding.rule != READ]
    if len(others) == len(findings):
        raise GarbageError("nothing on one of the files")
    return sorted(others, key=lambda finding: (finding.first_row, finding.first_column))


def _finding(violation: Mapping[str, object], lines: Sequence[str]) -> Finding:
    message = str(violation["description"])
    rule = str(violation["rule"])
    first = _place(violation["beginline"], violation["begincolumn"], lines)
    last = _place(violation["endline"], violation["endcolumn"], lines)
    if last < first:
        raise ValueError(last)
    names = tuple(found[1] or found[2] for found in _NAME.finditer(message))
    measure = _number(message) if rule in MEASURED else None
    return Finding(rule, message, *first, *last, names=names, measure=measure)


def _place(row: object, column: object, lines: Sequence[str]) -> tuple[int, int]:
    """A row and column in characters, from one in what Java calls characters."""
    if type(row) is not int or type(column) is not int or column < 1:
        raise TypeError
    if not 0 < row <= len(lines):
        raise ValueError(row)
    line = lines[row - 1]
    if not line.isascii():
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
        column = len(units.decode("utf-16-le", "replace")) + 1
    return row, column


def _number(message: str) -> int | None:
    found = _NUMBER.search(_NAME.sub("", message))
    return int(found[0]) if found else None


def _unread(message: str) -> Unread:
    found = _SYNTAX_ERROR.match(message)
    if found is None:
        return Unread(f"PMD could not get through it ({message.partition(':')[0][:60]})")
    what = f"unexpected {found[2]}" if found[2] else found[3]
    return Unread(f"PMD cannot read this Java: {what[:100]}", int(found[1]))


def _name(entry: Mapping[str, object], texts: Mapping[str, str]) -> str:
    name = PurePath(str(entry["filename"])).name
    if name not in texts:
        raise KeyError(name)
    return name


def _objects(value: object) -> Iterator[dict[str, object]]:
    if not isinstance(value, list):
        raise TypeError
    for entry in value:
        if not isinstance(entry, dict):
            raise TypeError
        yield entry
