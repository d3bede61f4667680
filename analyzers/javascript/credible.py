"""JSHint's configuration, and the findings that a reviewer of the code would agree with."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from crscore_core.analyzers.tool import Finding, NotAnalysedError, Outcome, one_line

CONFIGURATION: dict[str, Any] = json.loads(
    Path(__file__).with_name("configuration.json").read_text(encoding="utf-8")
)
"""JSHint's options, and the environments and names that need no declaration.

ECMAScript 2020 is the newest version that JSHint 2.13 supports. Rules of style are switched off.
"""
_IMPORTS_OR_EXPORTS = re.compile(r"^[ \t]*(import|export)\b", re.MULTILINE)
_REQUIRES = re.compile(r"(?<![\w.$])require\s*\(|\bmodule\.exports\b")
_LET_OR_CONST = re.compile(r"^[ \t]*(export[ \t]+)?(let|const)\b", re.MULTILINE)


def jshint_options(text: str) -> dict[str, bool | int]:
    """Return JSHint's options for `text`: the fixed options, and those for its kind of script."""
    return {
        **CONFIGURATION["options"],
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
        # A warning about undefined names is switched off by its code, whatever the value.
        **({"-W117": True} if _shares_globals(text) else {}),
    }


def _shares_globals(text: str) -> bool:
    """Return True if `text` is a script that shares globals with other scripts on a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))


# Rules that show that JSHint did not understand the code, and so did not read all of it.
_UNREADABLE = frozenset(
    """
    E003 E006 E015 E017 E018 E019 E020 E021 E023 E024 E025 E026 E027 E028 E030 E033 E034 E035
    E041 E043 E045 E046 E050 E052 E053 E054 E057 E058 E061 E062 E066 E067 E070
    W024 W025 W094 W095 W017 W112 W118 W130 W131 W133 W140
    """.split()
)
_EXPECTED_BY_STYLE = frozenset({"===", "!==", "{"})
_OTHER_ROW = re.compile(r" from line \d+")
_MAX_NEAR = 300  # characters, as a file may be one long line with many findings

# A line without code, a comment, or a `while` that more likely ends a loop than starts one.
_NO_HEAD = re.compile(r"\s*($|//|/\*|\*|\}\s*while\b)")
_LOOP_VARIABLES = re.compile(r"\bfor\s*\(\s*var\b([^;)]{0,300})")
_WORD = re.compile(r"[\w$]+")


def keep_credible(text: str, findings: Sequence[Finding]) -> Outcome:
    """Return the findings that a reviewer would agree with, if JSHint could read all of `text`.

    A finding that repeats another on the same line is dropped.
    """
    code = _Code(text, findings)
    for finding in findings:
        if code.is_unreadable(finding):
            message = one_line(_OTHER_ROW.sub("", finding.message).rstrip("."))
            reason = f"JSHint, which supports JavaScript up to ES2020, cannot read this: {message}"
            return NotAnalysedError(reason, finding.first_row)
    unique = {
        (finding.rule, finding.first_row, finding.names): finding
        for finding in findings
        if finding.rule not in _REJECTED_IF or not _REJECTED_IF[finding.rule](code, finding)
    }
    return [*unique.values()]


@dataclass(frozen=True)
class _Code:
    """A text and all of JSHint's findings in it."""

    text: str
    findings: Sequence[Finding]

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def loop_variables(self) -> set[str]:
        declarations = _LOOP_VARIABLES.findall(self.text)
        return {name for declaration in declarations for name in _WORD.findall(declaration)}

    def line(self, finding: Finding) -> str:
        return self.lines[finding.first_row - 1]

    def before(self, finding: Finding) -> str:
        """Return the code before a finding, on its line."""
        end = finding.first_column - 1
        return self.line(finding)[max(0, end - _MAX_NEAR) : end].rstrip()

    def at(self, finding: Finding) -> str:
        """Return the code from a finding to the end of its line."""
        start = finding.first_column - 1
        return self.line(finding)[start : start + _MAX_NEAR]

    def below(self, finding: Finding) -> Iterator[str]:
        """Return the lines below a finding."""
        rows = range(finding.first_row, len(self.lines))
        return (self.lines[row][:_MAX_NEAR] for row in rows)

    def is_unreadable(self, finding: Finding) -> bool:
        """Return True if JSHint did not understand the code here."""
        if finding.rule == "W116":
            return _name(finding) not in _EXPECTED_BY_STYLE
        return finding.rule in _UNREADABLE


def _name(finding: Finding) -> str:
    return finding.names[0] if finding.names else ""


def _has_comment(code: _Code, finding: Finding) -> bool:
    """Return True unless the empty block closes at once: there is a comment in it."""
    following = chain([code.at(finding)[1:]], code.below(finding))
    return not next(filter(None, map(str.strip, following)), "").startswith("}")


def _captures_no_var(code: _Code, finding: Finding) -> bool:
    """Return True if the function captures no `var` of a `for` loop."""
    return code.loop_variables.isdisjoint(_name(finding).split(", "))


def _may_be_used_elsewhere(code: _Code, finding: Finding) -> bool:
    """Return True if other scripts or a comment may use the name, or its `_` marks it as unused."""
    is_global = finding.scope == (0, 0) and _shares_globals(code.text)
    name = _name(finding)
    return is_global or name.startswith("_") or not code.at(finding).startswith(name[:_MAX_NEAR])


def _is_not_below_its_head(code: _Code, finding: Finding) -> bool:
    """Return True unless a body without braces is on the line below its statement."""
    above = code.lines[finding.first_row - 2][:_MAX_NEAR] if finding.first_row > 1 else ""
    is_body = _name(finding) == "{"
    return is_body and (code.before(finding) != "" or _NO_HEAD.match(above) is not None)


_REJECTED_IF: dict[str, Callable[[_Code, Finding], bool]] = {
    "W035": _has_comment,
    "W083": _captures_no_var,
    "W098": _may_be_used_elsewhere,
    "W116": _is_not_below_its_head,
}
"""By rule: its findings are rejected if the function returns True."""
