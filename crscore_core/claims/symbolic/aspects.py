"""Statement -> a second wording: the kind of code in the words of reviewers, names as words."""

import re

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.statement import Parts
from crscore_core.claims.symbolic.wording import in_plain_words, quoted

_LOG = re.compile(r"(?:^|[.:_])(?:log\w*|warn\w*|debug|info|trace|error|fatal)$", re.IGNORECASE)
_ASSERT = re.compile(r"(?:^|[.:_])(?:assert\w*|expect|should\w*|require)\b", re.IGNORECASE)
_PRINT = re.compile(
    r"^(?:print\w*|echo|puts|console\.log|fmt\.Print\w*|System\.out\.\w+|var_dump)$"
)
_NULL = re.compile(r"\b(?:null|None|nil|undefined|nullptr|NULL)\b|^!\w+$|^not \w+$")
_TYPE_CHECK = re.compile(r"\b(?:isinstance|typeof|instanceof|is_a\?|hasattr|getattr)\b")
_SIZE = re.compile(r"\b(?:len|length|size|count|empty|isEmpty)\b", re.IGNORECASE)
_CONSTANT = re.compile(r"^[A-Z][A-Z0-9_]+$")


def aspect_of(statement: Statement) -> str:
    """Name the construct that a statement is, with its names as plain words."""
    parts = statement.parts
    name, value = _plain(parts.name, 60), _plain(parts.value, 100)
    match parts.sort:
        case Sort.COMMENT:
            return f"the comment or documentation about {value}"
        case Sort.IMPORT:
            return f"the import of the module {value}"
        case Sort.DECORATOR:
            return f"the annotation or decorator {value}"
        case Sort.FUNCTION:
            names = " ".join(_plain(p.name, 30) for p in parts.parameters)
            given = f" with the parameters {names}" if names else ""
            return f"the method or function {name}{given}"
        case Sort.TYPE:
            return f"the {' '.join(parts.modifiers)} {parts.noun} {name} {value}"
        case Sort.CONDITION:
            return f"the {_check(parts)}, an if statement that checks whether {value}"
        case Sort.ELSE:
            return "the else branch"
        case Sort.CASE:
            return f"the case {value} of the switch"
        case Sort.LOOP:
            return f"the loop, the iteration over {value or name}"
        case Sort.SCOPE:
            return f"the block {name}"
        case Sort.CATCH:
            return f"the error handling, the exception {value} that is caught"
        case Sort.RETURN:
            return f"the return value {value}"
        case Sort.RAISE:
            return f"the error or exception {name} with its error message {value}"
        case Sort.ASSIGNMENT:
            noun = "constant" if _CONSTANT.match(parts.name) else "variable"
            if statement.around and statement.around[-1].sort is Sort.TYPE:
                noun = "field"
            return f"the {noun} {name} with the value {value or 'null'}"
        case Sort.CALL:
            arguments = _plain(" ".join(parts.items), 80)
            if _PRINT.match(parts.name):
                return f"the print statement {arguments}"
            if _ASSERT.search(parts.name):
                return f"the assertion in the test {name} {arguments}"
            if _LOG.search(parts.name):
                return f"the log message {arguments}"
            return (
                f"the call of the method {name} with {arguments}"
                if arguments
                else f"the call of the method {name}"
            )
        case Sort.ENTRY:
            return f"the property or key {name} with the value {value}"
    around = statement.around[-1].parts.noun if statement.around else ""
    noun = "enum value" if around == "enum" else "code"
    return f"the {noun} {_plain(statement.line.text, 100)}"


def _check(parts: Parts) -> str:
    if _NULL.search(parts.value):
        return "null check"
    if _TYPE_CHECK.search(parts.value):
        return "type check"
    if _SIZE.search(parts.value):
        return "check of the length or size"
    return "condition"


def _plain(code: str, limit: int) -> str:
    return in_plain_words(quoted(code, limit)) if code else ""
