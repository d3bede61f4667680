"""Reject findings that no reviewer would agree with, by patterns in the code around them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from crscore_core.analyzers.tool import Finding

_ROWS, _CHARACTERS = 100, 3_000  # around a finding, as a file may be one long line
Rejections = Mapping[str, Sequence[tuple[str, str]]]
"""Maps each rule to the places and patterns that reject its findings."""


def read_rejections(path: Path) -> Rejections:
    """Read lines of `rule, rule | place | pattern`; `*` means any rule, `{0}` the names.

    A place is the `name` that a finding reports, the code `before` or `after` its start, its
    `line`, `code` or `function`, or the whole `text`.
    """
    rejections: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rules, place, pattern = line.split(" | ", 2)
            for rule in rules.split(", "):
                rejections.setdefault(rule, []).append((place, pattern))
    return rejections


def credible(findings: Iterable[Finding], text: str, rejections: Rejections) -> list[Finding]:
    """Return the findings that no pattern for their rule rejects."""
    lines = text.split("\n")
    return [finding for finding in findings if not _is_rejected(finding, lines, rejections)]


def _is_rejected(finding: Finding, lines: Sequence[str], rejections: Rejections) -> bool:
    name = finding.names[0] if finding.names else ""
    names = "|".join(re.escape(part) for part in name.split(", "))
    return any(
        re.search(pattern.replace("{0}", f"(?:{names})"), _code(place, finding, lines), re.DOTALL)
        for key in ("*", finding.rule, f"{finding.rule} {name}")
        for place, pattern in rejections.get(key, ())
    )


def _code(place: str, finding: Finding, lines: Sequence[str]) -> str:
    first, last, column = finding.first_row, finding.last_row, finding.first_column - 1
    match place:
        case "name":
            return finding.names[0] if finding.names else ""
        case "before":
            above = "\n".join(lines[max(0, first - 1 - _ROWS) : first - 1])
            return f"\n{above}\n{lines[first - 1][:column]}"[-_CHARACTERS:]
        case "after":
            return "\n".join(lines[first - 1 : first + _ROWS])[column:][:_CHARACTERS]
        case "line":
            last = first
        case "function":
            first, last = finding.scope or (1, 0)
        case "text":
            first, last = 1, len(lines)
    return "\n".join(lines[max(0, first - 1) : last])
