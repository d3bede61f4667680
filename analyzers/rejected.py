"""Findings that no reviewer of the code would agree with, by patterns of the code around them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from crscore_core.analyzers.tool import Finding

_ROWS, _CHARACTERS = 100, 3_000  # around a finding, as a file may be one long line


class _Surroundings:
    """The code around findings in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")

    def rows(self, first: int, last: int) -> str:
        """Return the rows from `first` to `last`, from 1."""
        return "\n".join(self.lines[max(0, first - 1) : last])

    def before(self, finding: Finding) -> str:
        row, column = finding.first_row, finding.first_column
        above = self.rows(row - _ROWS, row - 1)
        return f"\n{above}\n{self.rows(row, row)[: column - 1]}"[-_CHARACTERS:]

    def after(self, finding: Finding) -> str:
        rows = self.rows(finding.first_row, finding.first_row + _ROWS)
        return rows[finding.first_column - 1 :][:_CHARACTERS]

    def function(self, finding: Finding) -> str:
        return self.rows(*finding.scope) if finding.scope and finding.scope[0] else ""


_PLACES: dict[str, Callable[[_Surroundings, Finding], str]] = {
    "name": lambda _, finding: finding.names[0] if finding.names else "",
    "before": _Surroundings.before,
    "after": _Surroundings.after,
    "line": lambda code, finding: code.rows(finding.first_row, finding.first_row),
    "code": lambda code, finding: code.rows(finding.first_row, finding.last_row),
    "function": _Surroundings.function,
    "text": lambda code, _: code.text,
}
Rejections = Mapping[str, Sequence[tuple[str, str]]]
"""By rule, the places and patterns that reject its findings."""


def read_rejections(path: Path) -> Rejections:
    """Read lines of `rule, rule | place | pattern`; `*` is any rule, `{0}` the names."""
    rejections: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rules, place, pattern = line.split(" | ", 2)
            for rule in rules.split(", "):
                rejections.setdefault(rule, []).append((place, pattern))
    return rejections


def credible(findings: Iterable[Finding], text: str, rejections: Rejections) -> list[Finding]:
    """Return the findings for whose rule no pattern is found at its place."""
    code = _Surroundings(text)
    return [finding for finding in findings if not _is_rejected(finding, code, rejections)]


def _is_rejected(finding: Finding, code: _Surroundings, rejections: Rejections) -> bool:
    name = finding.names[0] if finding.names else ""
    names = "|".join(re.escape(part) for part in name.split(", "))
    return any(
        re.search(pattern.replace("{0}", f"(?:{names})"), _PLACES[place](code, finding), re.DOTALL)
        for key in ("*", finding.rule, f"{finding.rule} {name}")
        for place, pattern in rejections.get(key, ())
    )
