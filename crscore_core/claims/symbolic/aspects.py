"""Second wordings of statements: the construct in a reviewer's words, names as plain words."""

import re

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.wording import in_plain_words, quoted

_ASPECTS = {
    Sort.COMMENT: "the comment or documentation about {value}",
    Sort.IMPORT: "the import of the module {value}",
    Sort.DECORATOR: "the annotation or decorator {value}",
    Sort.FUNCTION: "the method or function {name} with the parameters {items}",
    Sort.TYPE: "the {modifiers} {noun} {name} {value}",
    Sort.CONDITION: "the condition, an if statement that checks whether {value}",
    Sort.ELSE: "the else branch",
    Sort.CASE: "the case {value} of the switch",
    Sort.LOOP: "the loop, the iteration over {value}",
    Sort.SCOPE: "the block {name}",
    Sort.CATCH: "the error handling, the exception {value} that is caught",
    Sort.RETURN: "the return value {value}",
    Sort.RAISE: "the error or exception {name} with its error message {value}",
    Sort.ASSIGNMENT: "the {variable} {name} with the value {value}",
    Sort.ENTRY: "the property or key {name} with the value {value}",
}
_CALLS = (
    (r"^(?:print\w*|echo|puts|console\.log|fmt\.Print\w*|System\.out\.\w+)$", "print statement"),
    (r"(?:^|[.:_])(?:assert\w*|expect|should\w*|require)\b", "assertion in the test {name}"),
    (r"(?i)(?:^|[.:_])(?:log\w*|warn\w*|debug|info|trace|error|fatal)$", "log message"),
    (r"\S", "call of the method {name} with"),
    (r"", "code"),
)


_LEVEL = 5
"""Maximum columns by which a member is indented below its type or the heading of its hunk."""


def variable_noun(statement: Statement) -> str:
    """Return `field` for a statement directly inside a type, else `variable`."""
    *_, around = (statement, *statement.around)
    is_near = statement.line.indent - around.line.indent <= _LEVEL
    return "field" if is_near and around.sort is Sort.TYPE else "variable"


def aspect_of(statement: Statement) -> str:
    """Describe the construct of a statement, with its names as plain words."""
    parts = statement.parts
    variable = variable_noun(statement)
    if variable == "variable" and re.match(r"^[A-Z][A-Z0-9_]+$", parts.name):
        variable = "constant"
    callee, code = parts.name, statement.line.text
    if parts.sort is Sort.OTHER and re.match(r"(?:assert|print|echo)\b", code):
        callee, _, code = code.partition(" ")
    elif parts.sort is Sort.CALL:
        code = parts.text.partition("(")[2]
    words = {
        "name": _plain(parts.name, 60),
        "value": _plain(parts.value or parts.name * (parts.sort is Sort.LOOP), 100),
        "items": _plain(" ".join(p.name for p in parts.parameters), 80),
        "noun": parts.noun,
        "modifiers": " ".join(parts.modifiers),
        "variable": variable,
        "code": _plain(code, 100),
    }
    call = next(text for pattern, text in _CALLS if re.search(pattern, callee))
    words["call"] = call.format(**words)
    return _EMPTY_END.sub("", _ASPECTS.get(parts.sort, "the {call} {code}").format(**words))


_EMPTY_END = re.compile(r"(?:(?:with|with the value|with the parameters|with its error message) )$")


def _plain(code: str, limit: int) -> str:
    return in_plain_words(quoted(code, limit)) if code else ""
