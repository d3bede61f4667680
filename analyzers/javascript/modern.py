"""How JSHint is run on today's JavaScript, and which of its findings a reviewer would raise."""

import re
from collections.abc import Sequence
from itertools import chain, islice

from analyzers.batches import Outcome, Unread
from analyzers.finding import Finding

__all__ = ["ENVIRONMENTS", "KNOWN_NAMES", "LEFT_OUT", "judged", "options"]

# JSHint's options; what the comments do not say is in its documentation.
_OPTIONS: dict[str, bool | int] = {
    "esversion": 11,  # ECMAScript 2020, the newest that JSHint 2.13 knows
    "maxerr": 10_000,  # errors, after which it gives up
    "undef": True,
    "unused": True,  # of the parameters only those after the last one that is used
    "eqeqeq": True,
    "eqnull": True,  # comparing with null by `==` is a common way to include undefined
    "curly": True,
    "freeze": True,
    "leanswitch": True,
    "maxdepth": 4,  # blocks in a function
    "noarg": True,
    "nonbsp": True,
    "noempty": True,
    # Where an operator stands when a line is broken is a matter of style.
    "laxbreak": True,
    "laxcomma": True,
}
# What some environment defines, so that using it needs no declaration: JSHint's lists, and more.
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

_STEPS = ("++", "--")
# What may do something after all: a call, an assignment, a step, or a test's `should.be.empty`.
_EFFECT = re.compile(r"[(`]|(?<![=!<>])=(?!=)|\+\+|--|\b(expect|should|assert)\b")

# Matters of style, of old browsers, of what one file cannot tell, and of comments to JSHint.
LEFT_OUT = frozenset(
    """
    W002 W014 W016 W026 W028 W036 W040 W056 W067 W082 W097 W104 W119
    E001 E002 E009 E032 E055 E059 I003
    """.split()
)
# What JSHint says where it does not understand the code, so that it has not read it all.
_UNREADABLE = frozenset(
    """
    E003 E006 E015 E017 E018 E019 E020 E021 E023 E024 E025 E026 E027 E028 E030 E033 E034 E035
    E036 E040 E041 E043 E045 E050 E052 E053 E054 E057 E058 E061 E062 E066 E067 E070
    W024 W025 W094 W095 W112 W118 W130 W131 W133 W140
    """.split()
)
_EXPECTED_BY_STYLE = frozenset({"===", "!==", "{"})
_OTHER_ROW = re.compile(r" from line \d+")


def options(text: str) -> dict[str, bool | int]:
    """Options that fit what kind of code `text` is."""
    chosen = {
        **_OPTIONS,
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
    }
    if _is_one_of_many(text):
        chosen["-W117"] = True  # names that are not defined
    return chosen


def _is_one_of_many(text: str) -> bool:
    """Whether `text` is a script that shares its names with the others of a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))


def judged(text: str, findings: Sequence[Finding]) -> Outcome:
    """Those of `findings` that a reviewer would agree with, if JSHint could read all of `text`."""
    lines = text.split("\n")
    for finding in findings:
        if _is_unreadable(finding, lines):
            said = _OTHER_ROW.sub("", finding.message).rstrip(".")
            reason = f"JSHint, which knows JavaScript up to ES2020, cannot read this: {said}"
            return Unread(reason, finding.first_row)
    believed = _Believed(text, lines, findings)
    return [finding for finding in dict.fromkeys(findings) if believed(finding)]


def _is_unreadable(finding: Finding, lines: Sequence[str]) -> bool:
    if finding.rule == "W116":
        return finding.names[0] not in _EXPECTED_BY_STYLE
    if finding.rule == "E031":
        # JSHint refuses `!count++`, which is fine.
        return not lines[finding.first_row - 1].startswith(_STEPS, finding.first_column - 1)
    return finding.rule in _UNREADABLE


class _Believed:
    """Whether a reviewer would agree with a finding, seeing the code around it."""

    def __init__(self, text: str, lines: list[str], findings: Sequence[Finding]) -> None:
        self._lines = lines
        self._is_one_of_many = _is_one_of_many(text)
        missing = sum(finding.rule == "W033" for finding in findings)
        self._uses_semicolons = sum(line.endswith(";") for line in lines) >= 2 * missing

    def __call__(self, finding: Finding) -> bool:
        line = self._lines[finding.first_row - 1]
        match finding.rule:
            case "W030":
                return not _EFFECT.search(line)
            case "W033":
                return self._uses_semicolons
            case "W035":
                return self._is_bare(finding)
            case "W098":
                is_global = finding.scope == (0, 0) and self._is_one_of_many
                return not (is_global or finding.names[0].startswith("_"))
            case "W116":
                is_on_own_line = not line[: finding.first_column - 1].strip()
                return finding.names[0] != "{" or is_on_own_line
            case rule:
                return rule != "E031"

    def _is_bare(self, finding: Finding) -> bool:
        """Whether nothing, not even a comment, is in the block that opens here."""
        rest = self._lines[finding.first_row - 1][finding.first_column :]
        following = (
            line.strip() for line in chain([rest], islice(self._lines, finding.first_row, None))
        )
        return next(filter(None, following), "").startswith("}")
