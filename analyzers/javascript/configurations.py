"""Named configurations of JSHint: what it looks for, and which findings are kept."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analyzers.javascript.judgement import judged
from analyzers.tool import Finding, Outcome

MODERN = "modern"
ORIGINAL = "original"

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
    # Operators before or after a line break are a matter of style.
    "laxbreak": True,
    "laxcomma": True,
}
# Names that some environment defines, so that they need no declaration: JSHint's lists and more.
_ENVIRONMENTS = (
    "browser browserify devel jasmine jquery mocha node nonstandard qunit typed worker".split()
)
_KNOWN_NAMES = """
    AbortController AbortSignal AggregateError BroadcastChannel CSS CompressionStream
    DecompressionStream FinalizationRegistry FormData Headers IntersectionObserver Notification
    PerformanceObserver PointerEvent ReadableStream Request ResizeObserver Response TextDecoder
    TextEncoder TransformStream URL URLSearchParams WeakRef WritableStream cancelIdleCallback
    clients crypto customElements fetch globalThis indexedDB performance queueMicrotask
    requestIdleCallback structuredClone visualViewport
    Cypress afterAll assert beforeAll chai cy expect fail jest should sinon test vi xtest
    angular chrome define requirejs
""".split()
# Style, old browsers, other files, and JSHint directives.
_LEFT_OUT = frozenset("W002 W028 W040 W056 W067 W082 W097 W141 W142 E002".split())
_IMPORTS_OR_EXPORTS = re.compile(r"^[ \t]*(import|export)\b", re.MULTILINE)
_REQUIRES = re.compile(r"(?<![\w.$])require\s*\(|\bmodule\.exports\b")
_LET_OR_CONST = re.compile(r"^[ \t]*(export[ \t]+)?(let|const)\b", re.MULTILINE)
# JSHint stops reading at these.
_STOPS = frozenset({"E041", "E043", "E059"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """Options of JSHint, and a filter for its findings.

    `options` returns JSHint's options for a text. Names in `environments` and `known_names` need
    no declaration. `obeys_comments` makes directives in the code take effect. `judged` returns
    the findings to keep; findings of rules in `left_out` are dropped.
    """

    options: Callable[[str], dict[str, bool | int]]
    judged: Callable[[str, Sequence[Finding]], Outcome]
    obeys_comments: bool
    environments: Sequence[str] = ()
    known_names: Sequence[str] = ()
    left_out: frozenset[str] = frozenset()


def _modern_options(text: str) -> dict[str, bool | int]:
    options = {
        **_OPTIONS,
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
    }
    if _is_one_of_many(text):
        options["-W117"] = True  # undefined names
    return options


def _modern_judged(text: str, findings: Sequence[Finding]) -> Outcome:
    return judged(text, findings, is_one_of_many=_is_one_of_many(text))


def _is_one_of_many(text: str) -> bool:
    """Return True if `text` is a script that shares globals with other scripts on a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))


def _original_judged(text: str, findings: Sequence[Finding]) -> Outcome:
    """Keep all findings; extend one that stopped JSHint over the rest, which was not read."""
    last_row = text.count("\n") + 1
    return [
        replace(finding, last_row=max(last_row, finding.first_row))
        if finding.rule in _STOPS
        else finding
        for finding in findings
    ]


CONFIGURATIONS: dict[str, Configuration] = {
    MODERN: Configuration(
        _modern_options,
        _modern_judged,
        obeys_comments=False,
        environments=_ENVIRONMENTS,
        known_names=_KNOWN_NAMES,
        left_out=_LEFT_OUT,
    ),
    ORIGINAL: Configuration(
        lambda _: {},
        _original_judged,
        obeys_comments=True,
        left_out=frozenset({"I001"}),  # a hint about options that hide other findings
    ),
}
"""Modern JavaScript without style rules, and the configuration of the paper's authors."""
