"""Lines that use other code: imports, annotations, calls, log output, assertions."""

from crscore_core.claims.symbolic.lexing import Call, TokenKind, calls_in
from crscore_core.claims.symbolic.read_values import assignment_mark
from crscore_core.claims.symbolic.statement import Reading, Sort, Statement

__all__ = ["read_call_like", "read_decorator", "read_import"]


def read_decorator(r: Reading) -> Statement | None:
    """Read a decorator, annotation or attribute on a line of its own."""
    words = r.words
    if r.language == "ruby":  # an `@` starts the name of a variable there
        return None
    if words[0] == "@" and len(r.code) > 1 and r.code[1].kind is TokenKind.NAME:
        at, depth = 2, 0
        while at < len(r.code) and (
            depth or r.code[at].text in {"(", "."} or r.code[at - 1].text == "."
        ):
            depth += (r.code[at].text == "(") - (r.code[at].text == ")")
            at += 1
        if at == len(r.code) and words[1] != "interface":
            return r.made(Sort.DECORATOR, words[1], r.text[r.code[1].start : r.code[-1].end])
    attribute = words[0] == "[" and r.code[-1].text == "]" and r.language == "csharp"
    if (attribute or words[:2] == ["#", "["]) and len(r.code) > 2:
        name = next((t.text for t in r.code if t.kind is TokenKind.NAME), "")
        return r.made(Sort.DECORATOR, name, r.text[r.code[0].start : r.code[-1].end])
    return None


_IMPORTS = frozenset(
    "import from using use include require require_once include_once require_relative package "
    "load_plugin".split()
)


def read_import(r: Reading) -> Statement | None:
    """Read an import, include or require."""
    words = r.words
    if words[0] == "#":
        included = len(words) > 1 and words[1] in {"include", "import"}
        name = r.after(2)
        return r.made(Sort.IMPORT, name.strip("<>\"' "), name) if included else None
    if words[0] in {"const", "let", "var"}:
        call = next((c for c in calls_in(r.code, r.text) if c.name == "require"), None)
        required = call.arguments[0].strip("'\"") if call and call.arguments else ""
        return r.made(Sort.IMPORT, required, r.after(1)) if required else None
    return r.made(Sort.IMPORT, _imported(r), r.after(1)) if _is_import(r) else None


def _is_import(r: Reading) -> bool:
    """Whether the first word imports, and is not a name or a statement spelt like it."""
    first, texts = r.words[0], [t.text for t in r.code]
    if texts[:2] == ["from", "."]:  # of this package, as Python writes it
        return "import" in texts
    if first not in _IMPORTS or len(texts) < 2 or texts[1] in {"=", ".", ":", "["}:
        return False
    if texts[1] == "(" and first in {"using", "use", "from", "package", "include", "import"}:
        return False
    if first == "from":
        return "import" in texts
    if first == "using" and "=" in texts and "new" in texts:
        return False
    return not _mixes_in(r, first)


def _mixes_in(r: Reading, first: str) -> bool:
    """Whether a class takes over the members of a module or trait."""
    if r.language == "ruby":
        return first in {"include", "use"}
    return r.language == "php" and first == "use" and r.source.indent > 0


def _imported(r: Reading) -> str:
    """The module that an import names."""
    strings = [t.text.strip("'\"") for t in r.code if t.kind is TokenKind.STRING]
    if strings:
        return strings[-1]
    rest = r.after(1)
    if r.words[0] == "from":
        return rest.split(" import ")[0].strip()
    for prefix in ("static ", "type ", "function ", "namespace "):
        rest = rest.removeprefix(prefix)
    return rest.strip("()<> ")


_LOGGERS = frozenset(
    "log logger logging console print println printf puts warn slog klog glog".split()
)


_LOG_METHODS = frozenset(
    "debug info warn warning error fatal trace verbose log logf printf print println puts "
    "print_r var_dump echo fprintf errorf infof warnf debugf".split()
)


_ASSERTIONS = ("assert", "expect", "should", "verify", "require.", "t.error", "t.fatal", "ok(")


_TESTS = frozenset("it test describe context specify suite".split())


_BEFORE_CALL = frozenset({".", "?.", "await", "new", "go", "defer", "delete", "co_await"})


def read_call_like(r: Reading) -> Statement | None:
    """Read a line that is a call: a test, an assertion, log output or any other."""
    called_on = len(r.code) > 1 and r.code[1].kind is TokenKind.NAME
    at = int(r.code[0].text in _BEFORE_CALL and called_on)
    if r.code[at].kind is not TokenKind.NAME:
        return None
    call = next(iter(calls_in(r.code, r.text)), None)
    if call is None or not r.text.startswith(call.name, r.code[at].start):
        return None
    if assignment_mark(r.code) is not None:
        return None
    sort = _sort_of_call(call)
    detail = call.arguments[0].strip("'\"`") if sort is Sort.TEST else ", ".join(call.arguments)
    return r.made(sort, call.name, detail)


def _sort_of_call(call: Call) -> Sort:
    name = call.name.casefold()
    parts = name.replace("::", ".").replace("->", ".").split(".")
    if name in _TESTS and call.arguments and call.arguments[0][:1] in "'\"`":
        return Sort.TEST
    if name.startswith(_ASSERTIONS) or parts[-1].startswith(("assert", "expect")):
        return Sort.ASSERTION
    logger = any(p.rstrip("f") in _LOGGERS or p.endswith(("logger", "log")) for p in parts)
    if logger and (len(parts) == 1 or parts[-1] in _LOG_METHODS):
        return Sort.LOG
    return Sort.CALL
