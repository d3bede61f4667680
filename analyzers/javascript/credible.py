"""JSHint's configuration, and the findings that a reviewer who sees the code would agree with."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from analyzers.tool import Finding, NotAnalysedError, Outcome, one_line

# JSHint's options; see its documentation for those without a comment.
_OPTIONS: dict[str, bool | int] = {
    "esversion": 11,  # ECMAScript 2020, the newest that JSHint 2.13 knows
    "maxerr": 10_000,  # errors before it gives up
    "undef": True,
    "unused": True,  # parameters only after the last used one
    "eqeqeq": True,
    "eqnull": True,  # `== null` is a common test for null or undefined
    "curly": True,
    "freeze": True,
    "leanswitch": True,
    "maxdepth": 4,  # nested blocks in a function
    "noarg": True,
    "nonbsp": True,
    "noempty": True,
    # Semicolons, and operators before or after a line break, are a matter of style.
    "asi": True,
    "laxbreak": True,
    "laxcomma": True,
}
# Names that some environment defines, so that they need no declaration: JSHint's lists and more.
ENVIRONMENTS = (
    "browser browserify devel jasmine jquery mocha node nonstandard qunit typed worker".split()
)
KNOWN_NAMES = """
    AbortController AbortSignal AggregateError BroadcastChannel CSS CompressionStream
    DecompressionStream FinalizationRegistry FormData Headers IntersectionObserver Notification
    PerformanceObserver PointerEvent ReadableStream Request ResizeObserver Response TextDecoder
    TextEncoder TransformStream URL URLSearchParams WeakRef WritableStream cancelIdleCallback
    clients crypto customElements fetch globalThis indexedDB performance queueMicrotask
    requestIdleCallback structuredClone visualViewport
    Cypress afterAll assert beforeAll chai cy expect fail jest should sinon test vi xtest
    angular chrome define requirejs
""".split()
_IMPORTS_OR_EXPORTS = re.compile(r"^[ \t]*(import|export)\b", re.MULTILINE)
_REQUIRES = re.compile(r"(?<![\w.$])require\s*\(|\bmodule\.exports\b")
_LET_OR_CONST = re.compile(r"^[ \t]*(export[ \t]+)?(let|const)\b", re.MULTILINE)


def options(text: str) -> dict[str, bool | int]:
    """Return JSHint's options for `text`: fixed ones, and what its kind of script needs."""
    return {
        **_OPTIONS,
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
        # A warning about undefined names is switched off by its code, whatever the value.
        **({"-W117": True} if _is_one_of_many(text) else {}),
    }


def _is_one_of_many(text: str) -> bool:
    """Return True if `text` is a script that shares globals with other scripts on a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))


# JSHint did not understand the code and so did not read all of it.
_UNREADABLE = frozenset(
    """
    E003 E006 E015 E017 E018 E019 E020 E021 E023 E024 E025 E026 E027 E028 E030 E033 E034 E035
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


def credible(text: str, findings: Sequence[Finding]) -> Outcome:
    """Return the findings that a reviewer would agree with, if JSHint could read all of `text`.

    A finding that repeats another on the same line is dropped.
    """
    code = _Code(text, findings)
    for finding in findings:
        if code.is_unreadable(finding):
            said = one_line(_OTHER_ROW.sub("", finding.message).rstrip("."))
            reason = f"JSHint, which knows JavaScript up to ES2020, cannot read this: {said}"
            return NotAnalysedError(reason, finding.first_row)
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
        return finding.rule in _UNREADABLE


def _name(finding: Finding) -> str:
    return finding.names[0] if finding.names else ""


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
    is_global = finding.scope == (0, 0) and _is_one_of_many(code.text)
    name = _name(finding)
    return is_global or name.startswith("_") or not code.at(finding).startswith(name[:_NEAR])


def _is_not_below_its_head(code: _Code, finding: Finding) -> bool:
    """Return True unless a body without braces is on the line below its statement."""
    above = code.lines[finding.first_row - 2][:_NEAR] if finding.first_row > 1 else ""
    is_body = _name(finding) == "{"
    return is_body and (code.before(finding) != "" or _NO_HEAD.match(above) is not None)


_DOUBTS: dict[str, Callable[[_Code, Finding], bool]] = {
    "W030": _may_have_effect,
    "W035": _has_comment,
    "W083": _captures_no_var,
    "W086": _has_fall_through_comment,
    "W098": _may_be_used_elsewhere,
    "W116": _is_not_below_its_head,
}
"""For each rule, a test that rejects a finding."""
