"""How JSHint is run on today's JavaScript."""

import re

__all__ = ["ENVIRONMENTS", "KNOWN_NAMES", "LEFT_OUT", "is_one_of_many", "options"]

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

# Matters of style, of old browsers, of what one file cannot tell, and of comments to JSHint.
LEFT_OUT = frozenset("W002 W028 W040 W056 W067 W082 W097 W141 W142 E002".split())


def options(text: str) -> dict[str, bool | int]:
    """Options that fit what kind of code `text` is."""
    chosen = {
        **_OPTIONS,
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
    }
    if is_one_of_many(text):
        chosen["-W117"] = True  # names that are not defined
    return chosen


def is_one_of_many(text: str) -> bool:
    """Whether `text` is a script that shares its names with the others of a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))
