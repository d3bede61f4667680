"""Statement -> a second wording: the construct in a reviewer's words, names as plain words."""

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
    Sort.CONDITION: "the {check}, an if statement that checks whether {value}",
    Sort.ELSE: "the else branch",
    Sort.CASE: "the case {value} of the switch",
    Sort.LOOP: "the loop, the iteration over {value}",
    Sort.SCOPE: "the block {name}",
    Sort.CATCH: "the error handling, the exception {value} that is caught",
    Sort.RETURN: "the return value {value}",
    Sort.RAISE: "the error or exception {name} with its error message {value}",
    Sort.ASSIGNMENT: "the {variable} {name} with the value {value}",
    Sort.CALL: "the {call} {items}",
    Sort.ENTRY: "the property or key {name} with the value {value}",
}
_CALLS = (
    (r"^(?:print\w*|echo|puts|console\.log|fmt\.Print\w*|System\.out\.\w+)$", "print statement"),
    (r"(?:^|[.:_])(?:assert\w*|expect|should\w*|require)\b", "assertion in the test {name}"),
    (r"(?i)(?:^|[.:_])(?:log\w*|warn\w*|debug|info|trace|error|fatal)$", "log message"),
    (r"", "call of the method {name} with"),
)
_CHECKS = (
    (r"\b(?:null|None|nil|undefined|nullptr|NULL)\b|^!\w+$|^not \w+$", "null check"),
    (r"\b(?:isinstance|typeof|instanceof|is_a\?|hasattr|getattr)\b", "type check"),
    (r"(?i)\b(?:len|length|size|count|empty|isEmpty)\b", "check of the length or size"),
    (r"", "condition"),
)


def aspect_of(statement: Statement) -> str:
    """Name the construct that a statement is, with its names as plain words."""
    parts = statement.parts
    around = statement.around[-1] if statement.around else None
    variable = "constant" if re.match(r"^[A-Z][A-Z0-9_]+$", parts.name) else "variable"
    if around is not None and around.sort is Sort.TYPE:
        variable = "field"
    noun = "enum value" if around is not None and around.parts.noun == "enum" else "code"
    text = _ASPECTS.get(parts.sort, f"the {noun} {_plain(statement.line.text, 100)}")
    items = (*parts.items, *(parameter.name for parameter in parts.parameters))
    words = {
        "name": _plain(parts.name, 60),
        "value": _plain(parts.value or parts.name * (parts.sort is Sort.LOOP), 100),
        "items": _plain(" ".join(items), 80),
        "noun": parts.noun,
        "modifiers": " ".join(parts.modifiers),
        "variable": variable,
        "check": _first(_CHECKS, parts.value),
        "call": "",
    }
    words["call"] = _first(_CALLS, parts.name).format(**words)
    return text.format(**words) if parts.sort in _ASPECTS else text


def _first(table: tuple[tuple[str, str], ...], text: str) -> str:
    return next(words for pattern, words in table if re.search(pattern, text))


def _plain(code: str, limit: int) -> str:
    return in_plain_words(quoted(code, limit)) if code else ""
