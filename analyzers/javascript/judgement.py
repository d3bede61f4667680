"""Keep the JSHint findings that a reviewer who sees the code would agree with."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from analyzers.tool import Finding, Outcome, Unread, one_line

# JSHint did not understand the code and so did not read all of it.
_UNREADABLE = frozenset(
    """
    E003 E006 E015 E017 E018 E019 E020 E021 E023 E024 E025 E026 E027 E028 E030 E031 E033 E034 E035
    E041 E043 E045 E046 E050 E052 E053 E054 E057 E058 E061 E062 E066 E067 E070
    W024 W025 W094 W095 W017 W112 W118 W130 W131 W133 W140
    """.split()
)
_EXPECTED_BY_STYLE = frozenset({"===", "!==", "{"})
_OTHER_ROW = re.compile(r" from line \d+")
_NEAR = 300  # characters, as a file may be one long line with many findings

# Code that may have an effect: a call, an assignment, an increment, a test's `should.be.empty`,
# or the rest of a statement that starts on an earlier line.
_EFFECT = re.compile(
    r"\s*[-.?:&|,+*/%<>=)\]}]|.*([(`]|(?<![=!<>])=(?!=)|\+\+|--|\b(expect|should|assert)\b)"
)
# No code, a comment, or more likely the end of a loop than its head.
_NO_HEAD = re.compile(r"\s*($|//|/\*|\*|\}\s*while\b)")
_FALLS_THROUGH = re.compile(r"\bfall(s|ing)?[ -]?through", re.IGNORECASE)
_LOOP_VARIABLES = re.compile(r"\bfor\s*\(\s*var\b([^;)]{0,300})")
_WORD = re.compile(r"[\w$]+")
_PROTOTYPE_KEY = re.compile(r"__proto__['\"]?\s*:")


def judged(text: str, findings: Sequence[Finding], *, is_one_of_many: bool) -> Outcome:
    """Return the findings that a reviewer would agree with, if JSHint could read all of `text`.

    Set `is_one_of_many` if other scripts may use the globals of `text`. A finding that repeats
    another on the same line is dropped.
    """
    code = _Code(text, findings, is_one_of_many)
    for finding in findings:
        if code.is_unreadable(finding):
            said = one_line(_OTHER_ROW.sub("", finding.message).rstrip("."))
            reason = f"JSHint, which knows JavaScript up to ES2020, cannot read this: {said}"
            return Unread(reason, finding.first_row)
    believed = (
        finding
        for finding in findings
        if finding.rule not in _DOUBTS or not _DOUBTS[finding.rule](code, finding)
    )
    unique = {(finding.rule, finding.first_row, finding.names): finding for finding in believed}
    return [*unique.values()]


@dataclass(frozen=True)
class _Code:
    """A text and all of JSHint's findings in it."""

    text: str
    findings: Sequence[Finding]
    is_one_of_many: bool

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def does_without_semicolons(self) -> bool:
        missing = sum(finding.rule == "W033" for finding in self.findings)
        return sum(line.endswith(";") for line in self.lines) < 2 * missing

    @cached_property
    def loop_variables(self) -> set[str]:
        declarations = _LOOP_VARIABLES.findall(self.text)
        return {name for declaration in declarations for name in _WORD.findall(declaration)}

    def line(self, finding: Finding) -> str:
        return self.lines[finding.first_row - 1]

    def before(self, finding: Finding) -> str:
        """Return the code before a finding, on its line."""
        end = finding.first_column - 1
        return self.line(finding)[max(0, end - _NEAR) : end].rstrip()

    def at(self, finding: Finding) -> str:
        """Return the code from a finding to the end of its line."""
        start = finding.first_column - 1
        return self.line(finding)[start : start + _NEAR]

    def below(self, finding: Finding) -> Iterator[str]:
        """Return the lines below a finding."""
        rows = range(finding.first_row, len(self.lines))
        return (self.lines[row][:_NEAR] for row in rows)

    def is_unreadable(self, finding: Finding) -> bool:
        """Return True if JSHint did not understand the code here."""
        if finding.rule == "W116":
            return _name(finding) not in _EXPECTED_BY_STYLE
        return finding.rule in _UNREADABLE and not _is_negated_increment(self, finding)


def _name(finding: Finding) -> str:
    return finding.names[0] if finding.names else ""


def _is_negated_increment(code: _Code, finding: Finding) -> bool:
    """Return True for `!count++`, which JSHint rejects although it is valid."""
    return finding.rule == "E031" and code.at(finding).startswith(("++", "--"))


def _may_have_effect(code: _Code, finding: Finding) -> bool:
    line = code.line(finding)
    return len(line) > _NEAR or _EFFECT.match(line) is not None


def _has_comment(code: _Code, finding: Finding) -> bool:
    following = chain([code.at(finding)[1:]], code.below(finding))
    return not next(filter(None, map(str.strip, following)), "").startswith("}")


def _captures_no_var(code: _Code, finding: Finding) -> bool:
    """Return True if the function captures no `var` of a `for` loop."""
    return code.loop_variables.isdisjoint(_name(finding).split(", "))


def _has_fall_through_comment(code: _Code, finding: Finding) -> bool:
    following = chain([code.at(finding)], islice(code.below(finding), 2))
    return any(map(_FALLS_THROUGH.search, following))


def _may_be_used_elsewhere(code: _Code, finding: Finding) -> bool:
    """Return True for a name that other scripts or a comment use, or unused by convention."""
    is_global = finding.scope == (0, 0) and code.is_one_of_many
    name = _name(finding)
    return is_global or name.startswith("_") or not code.at(finding).startswith(name[:_NEAR])


def _is_not_below_its_head(code: _Code, finding: Finding) -> bool:
    """Return True unless a body without braces is on the line below its statement."""
    above = code.lines[finding.first_row - 2][:_NEAR] if finding.first_row > 1 else ""
    is_body = _name(finding) == "{"
    return is_body and (code.before(finding) != "" or _NO_HEAD.match(above) is not None)


_DOUBTS: dict[str, Callable[[_Code, Finding], bool]] = {
    "E031": _is_negated_increment,
    "W030": _may_have_effect,
    "W033": lambda code, _: code.does_without_semicolons,
    "W035": _has_comment,
    "W052": lambda _, finding: _name(finding) not in {"break", "continue"},
    "W058": lambda _, finding: not _WORD.fullmatch(_name(finding)),
    "W083": _captures_no_var,
    "W086": _has_fall_through_comment,
    "W098": _may_be_used_elsewhere,
    "W103": lambda code, finding: (
        _PROTOTYPE_KEY.search(f"{code.before(finding)}{code.at(finding)}") is not None
    ),
    "W116": _is_not_below_its_head,
    "W138": lambda code, finding: code.before(finding).endswith("..."),
}
"""For each rule, a test that rejects a finding."""
