"""A statement -> what it does, in the third person and without a subject."""

import re
from collections.abc import Callable

from crscore_core.claims.symbolic.candidate import cleaned
from crscore_core.claims.symbolic.lexing import MAX_EXAMINED
from crscore_core.claims.symbolic.speech.acts import act
from crscore_core.claims.symbolic.speech.checks import asserted, asserted_in_chain
from crscore_core.claims.symbolic.speech.definitions import defined_function, defined_type
from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.imports import imported
from crscore_core.claims.symbolic.speech.members import member
from crscore_core.claims.symbolic.speech.messages import logged
from crscore_core.claims.symbolic.speech.phrases import clause, either, value
from crscore_core.claims.symbolic.speech.syntax import term_of, term_of_code, term_of_value
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import bounded, content, named, typed
from crscore_core.claims.symbolic.statement import Sort, Statement

_Speaker = Callable[[Statement, str | None], str]


def predicate(statement: Statement, language: str | None) -> str:
    """Return what `statement` does, so that "The code now" or "The code no longer" can precede.

    At most `words.MAX_WORDS` characters without control characters; empty where it says nothing,
    as a lone bracket does. `language` is the name that files carry, None where it is not known.
    """
    if statement.source.text.startswith(_CONFLICTS) or statement.source.text in _QUOTES:
        return ""
    speaker = _SPEAKERS.get(statement.sort, _by_tree)
    return bounded(speaker(statement, language))


_QUOTES = frozenset({'"""', "'''"})
"""What starts or ends a text of several lines, and says nothing of it."""

_CONFLICTS = ("<<<<<<< ", ">>>>>>> ", "||||||| ", "=======")
"""How the marks of a merge begin that was not finished."""


def _by_tree(statement: Statement, language: str | None) -> str:
    if statement.sort in _MAY_BE_MEMBERS:
        text = statement.text
        heading = member(text, language)
        if heading:
            return heading
        if language == "csharp" and text.startswith("using ") and "(" not in text[:7]:
            return imported(statement, language)
    term = term_of(statement, language)
    said = "" if term is None else _expected(term) or act(term, statement.modifiers)
    return said or _by_tokens(statement, language)


def _expected(term: Term) -> str:
    return asserted_in_chain(term) if term.kind is Kind.CALL else ""


_MAY_BE_MEMBERS = frozenset({Sort.OTHER, Sort.CALL, Sort.ASSIGNMENT})

_VERBS = {
    Sort.RETURN: "returns",
    Sort.RAISE: "throws",
    Sort.LOOP: "loops over",
}
"""The verb for the tokens of a statement of each sort."""


def _by_tokens(statement: Statement, language: str | None) -> str:
    """What the sort of a statement says of it, and its tokens."""
    if statement.sort is Sort.CONDITION and statement.detail:
        term = term_of_value(statement.detail, language)
        said = words_of(statement.detail, language) if term is None else clause(term)
        return f"checks whether {said}" if said else ""
    if statement.sort is Sort.ASSIGNMENT:
        name = words_of(statement.subject, language)
        said = _said(statement.detail, language)
        if not said or not name:
            return f"declares {name}" if name else ""
        return f"sets {name} to {said}"
    if statement.sort is Sort.CALL:
        made = statement.subject == "constructor"
        return f"{'defines the' if made else 'calls'} {words_of(statement.text, language)}"
    first, _, rest = statement.text.partition(" ")
    said = words_of(rest, language)
    if first in _FIRST_WORDS and said:
        return f"{_FIRST_WORDS[first]} {said}"
    rest = words_of(statement.detail or statement.text, language)
    return f"{_VERBS.get(statement.sort, 'has')} {rest}" if rest else ""


def _said(code: str, language: str | None) -> str:
    """An expression as a noun phrase, by its tree or else by its tokens."""
    term = term_of_value(code, language)
    return words_of(code, language) if term is None else value(term)


def _constantly(said: str) -> _Speaker:
    def speaker(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
        return said

    return speaker


_TAG = re.compile(r"@(\w+)(?: \{[^{}]*\})? ?(.*)")
_TAGS = {
    "param": "on the parameter", "return": "on what it returns:", "returns": "on what it returns:",
}  # fmt: skip
"""Tags of documentation in words."""


def _comment(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    said = cleaned(statement.detail[:MAX_EXAMINED]).replace("`", "'")
    tag = _TAG.match(said)
    if tag is not None:
        said = f"{_TAGS.get(tag[1], tag[1])} {tag[2]}".strip(" :")
    return f"has the comment {said}" if any(c.isalnum() for c in said) else ""


def _decorator(statement: Statement, language: str | None) -> str:
    term = term_of_value(statement.detail, language)
    said = words_of(statement.detail, language)
    if term is not None and term.kind is Kind.CALL and term.parts:
        given = ", ".join(value(p) for p in term.parts[1:])
        name = words_of(statement.detail.partition("(")[0], language)
        said = f"{name} with {given}" if given else name
    return f"has the annotation {said}" if said else ""


_TYPE = re.compile(
    r"(?:\w+\.)*(?:[A-Z][A-Za-z]*[a-z]|(?:int|str|bool|float|bytes|list|dict|set|tuple|object)\b)"
    r"[\w\[\], .|]*$"
)
"""What is surely a type and not a value, in Python."""


def _entry(statement: Statement, language: str | None) -> str:
    key = statement.subject
    name = content(key) if " " in key else named(key)
    said = _said(statement.detail, language)
    if not name:
        return ""
    if said == name:
        return f"includes {name}"
    ends = statement.text[-1:] in {",", "}"}
    if (
        language == "python"
        and key.isidentifier()
        and not ends
        and _TYPE.match(statement.detail[:120])
    ):
        return f"declares {name} of the type {typed(statement.detail)}"
    return f"sets {name} to {said}" if said else f"defines {name}"


def _item(statement: Statement, language: str | None) -> str:
    said = _said(statement.detail, language)
    return f"includes {said}" if said else ""


def _case(statement: Statement, language: str | None) -> str:
    return _handles(statement.detail, language)


def _handles(code: str, language: str | None) -> str:
    term = term_of_value(code, language)
    several = term is not None and term.kind in {Kind.TUPLE, Kind.LIST} and "[" not in code[:1]
    said = either(term.parts) if term is not None and several else _said(code, language)
    return f"handles the case {said}" if said else "handles every other case"


def _else(statement: Statement, language: str | None) -> str:
    code = statement.detail[:MAX_EXAMINED].strip("{: ")
    term = term_of_code(f"{code};\n", language) if code else None
    said = "" if term is None else act(term)
    return f"{said} in the other case" if said else "handles the other case"


def _try(statement: Statement, language: str | None) -> str:
    said = _by_tree(statement, language) if statement.detail else ""
    return said if said.startswith("uses ") else "tries the code that follows"


_UNTYPED = frozenset({"javascript", "typescript"})
_NAMED_AFTER = frozenset({"python", "ruby"})


def _catch(statement: Statement, language: str | None) -> str:
    code = "" if language in _UNTYPED else statement.detail.strip("() {")
    code = re.sub(r"\bas\b.*|=>.*|\bwhen\b.*|\bconst\b|\bfinal\b|[&()]", " ", code).strip()
    if language not in _NAMED_AFTER and len(code.split()) > 1:
        code = code.rpartition(" ")[0]
    names = [typed(name) for name in re.split(r"[|,]", code)]
    said = " or ".join(name for name in names if name)
    return f"catches {said}" if said else "catches any exception"


def _test(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    return f"tests {content(statement.detail)}"


def _query(statement: Statement, language: str | None) -> str:
    return f"queries with {words_of(statement.text, language)}"


def _markup(statement: Statement, language: str | None) -> str:
    term = term_of(statement, "tsx") if language in _UNTYPED else None
    if term is not None and term.kind is Kind.ELEMENT:
        return act(term)
    said = words_of(statement.text, language)
    return f"has the markup {said}" if said else ""


def _raise(statement: Statement, language: str | None) -> str:
    if statement.subject != "panic":
        return _by_tree(statement, language)
    said = _said(statement.detail.removeprefix("(").removesuffix(")"), language)
    return f"panics with {said}" if said else "panics"


def _assertion(statement: Statement, language: str | None) -> str:
    term = term_of(statement, language)
    said = "" if term is None else asserted(term)
    return said or f"asserts {words_of(statement.detail or statement.text, language)}"


def _log(statement: Statement, language: str | None) -> str:
    term = term_of(statement, language)
    said = "" if term is None else logged(term)
    return said or f"logs {words_of(statement.detail or statement.text, language)}"


_FIRST_WORDS = {
    "throws": "throws", "namespace": "is in the namespace", "#define": "defines the macro",
    "typedef": "defines the type", "global": "uses the global", "module": "defines the module",
    "#ifdef": "depends on the definition of", "#ifndef": "depends on the lack of",
    "#undef": "removes the macro", "#if": "depends on", "#pragma": "has the pragma",
    "extends": "extends", "implements": "implements", "export": "exports",
    "template": "has the template parameters", "event": "declares the event",
    "declare": "declares",
}  # fmt: skip
"""What the first word of a line says that is in no other family."""


def _other(statement: Statement, language: str | None) -> str:
    text = statement.text
    first, _, rest = text.partition(" ")
    if first == "from" and " import " in rest:
        return imported(statement, language)
    if language == "ruby" and first == "when" and rest:
        return _handles(rest.partition(" then ")[0], language)
    if language == "ruby" and first in _EXAMPLES and rest.startswith(("'", '"')):
        return f"tests {content(rest[1:].partition(rest[0])[0])}"
    if language == "java" and statement.text.startswith("super("):
        given = words_of(statement.text.removeprefix("super"), language)
        return (
            f"calls the super constructor with {given}" if given else "calls the super constructor"
        )
    if statement.text == "super":
        return "calls the super method"
    lead = _FIRST_WORDS.get(first, "")
    said = words_of(rest, language) if lead else ""
    return f"{lead} {said}" if said else _by_tree(statement, language)


_EXAMPLES = frozenset({"it", "describe", "context", "specify", "feature", "scenario"})
"""What RSpec calls tests and groups of them."""


_SPEAKERS: dict[Sort, _Speaker] = {
    Sort.BLANK: _constantly(""),
    Sort.BRACKETS: _constantly(""),
    Sort.COMMENT: _comment,
    Sort.DECORATOR: _decorator,
    Sort.IMPORT: imported,
    Sort.FUNCTION: defined_function,
    Sort.TYPE: defined_type,
    Sort.CASE: _case,
    Sort.ELSE: _else,
    Sort.TRY: _try,
    Sort.CATCH: _catch,
    Sort.FINALLY: _constantly("ends with code that always runs"),
    Sort.RAISE: _raise,
    Sort.ASSERTION: _assertion,
    Sort.TEST: _test,
    Sort.LOG: _log,
    Sort.ENTRY: _entry,
    Sort.QUERY: _query,
    Sort.MARKUP: _markup,
    Sort.ITEM: _item,
    Sort.OTHER: _other,
}
"""How the statements of a sort are said; the others by their tree alone."""
