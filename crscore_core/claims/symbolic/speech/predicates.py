"""A statement -> what it does, in the third person and without a subject."""

from collections.abc import Callable

from crscore_core.claims.symbolic.quoting import cleaned
from crscore_core.claims.symbolic.speech.acts import act
from crscore_core.claims.symbolic.speech.checks import asserted
from crscore_core.claims.symbolic.speech.completion import as_value, completions
from crscore_core.claims.symbolic.speech.definitions import defined_function, defined_type
from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.imports import imported
from crscore_core.claims.symbolic.speech.messages import logged
from crscore_core.claims.symbolic.speech.parsing import LANGUAGES, parsed
from crscore_core.claims.symbolic.speech.phrases import clause, value
from crscore_core.claims.symbolic.speech.reading import read
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import bounded, content, named, typed
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["predicate"]


def predicate(statement: Statement, language: str | None) -> str:
    """Return what `statement` does, so that "The code now" or "The code no longer" can precede.

    At most `words.MAX_WORDS` characters without control characters; empty where it says nothing,
    as a lone bracket does. `language` is the name that files carry, None where it is not known.
    """
    speaker = _SPEAKERS.get(statement.sort)
    said = _by_tree(statement, language) if speaker is None else speaker(statement, language)
    return bounded(said)


def _nothing(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    return ""


def _comment(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    said = cleaned(statement.detail).replace("`", "'")
    return f"has the comment {said}" if any(c.isalnum() for c in said) else ""


def _decorator(statement: Statement, language: str | None) -> str:
    term = _value_of(statement.detail, language)
    if term is None or term.kind is not Kind.CALL:
        said = words_of(statement.detail, language)
    else:
        name = value(term.parts[0]).removeprefix("the ")
        given = ", ".join(value(p) for p in term.parts[1:])
        said = f"{name} with {given}" if given else name
    return f"has the annotation {said}" if said else ""


def _entry(statement: Statement, language: str | None) -> str:
    name = content(statement.subject) if " " in statement.subject else named(statement.subject)
    if not name:
        return ""
    if not statement.detail.strip("{[( "):
        return f"defines {name}"
    return f"sets {name} to {_said(statement.detail, language)}"


def _item(statement: Statement, language: str | None) -> str:
    said = _said(statement.detail, language)
    return f"includes {said}" if said else ""


def _case(statement: Statement, language: str | None) -> str:
    if not statement.detail:
        return "handles every other case"
    return f"handles the case {_said(statement.detail, language)}"


def _else(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    return "handles the other case"


def _try(statement: Statement, language: str | None) -> str:
    said = _by_tree(statement, language) if statement.detail else ""
    return said if said.startswith("uses ") else "tries the code that follows"


def _catch(statement: Statement, language: str | None) -> str:
    code = statement.detail.strip("() {")
    for mark in (" as ", "=>"):
        code = code.partition(mark)[0]
    if language not in {"python", "ruby", "javascript", "typescript"}:
        code = code.partition(" when ")[0]
        parts = code.split()
        code = " ".join(parts[:-1]) if len(parts) > 1 else code
    elif language in {"javascript", "typescript"}:
        code = ""
    for word in ("const ", "final ", "&"):
        code = code.replace(word, " ")
    names = [typed(n) for n in code.strip("() ").replace("|", ",").split(",")]
    said = " or ".join(n for n in names if n)
    return f"catches {said}" if said else "catches any exception"


def _finally(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    return "ends with code that always runs"


def _test(statement: Statement, language: str | None) -> str:  # noqa: ARG001 - as the others
    return f"tests {content(statement.detail)}"


def _query(statement: Statement, language: str | None) -> str:
    return f"queries with {words_of(statement.text, language)}"


def _markup(statement: Statement, language: str | None) -> str:
    dialect = "tsx" if language in {"javascript", "typescript"} else None
    term = _tree(statement, dialect) if dialect else None
    if term is not None and term.kind is Kind.ELEMENT:
        return act(term) if term.text or term.parts else "has elements"
    said = words_of(statement.text, language)
    return f"has the markup {said}" if said else ""


def _raise(statement: Statement, language: str | None) -> str:
    if statement.subject == "panic":
        return f"panics with {_said(statement.detail.strip('()'), language)}"
    return _by_tree(statement, language)


def _assertion(statement: Statement, language: str | None) -> str:
    term = _tree(statement, language)
    said = "" if term is None else asserted(term)
    return said or f"asserts {words_of(statement.detail, language)}"


def _log(statement: Statement, language: str | None) -> str:
    term = _tree(statement, language)
    said = "" if term is None else logged(term)
    return said or f"logs {words_of(statement.detail, language)}"


_SPEAKERS: dict[Sort, Callable[[Statement, str | None], str]] = {
    Sort.BLANK: _nothing,
    Sort.BRACKETS: _nothing,
    Sort.COMMENT: _comment,
    Sort.DECORATOR: _decorator,
    Sort.IMPORT: imported,
    Sort.FUNCTION: defined_function,
    Sort.TYPE: defined_type,
    Sort.CASE: _case,
    Sort.ELSE: _else,
    Sort.TRY: _try,
    Sort.CATCH: _catch,
    Sort.FINALLY: _finally,
    Sort.RAISE: _raise,
    Sort.ASSERTION: _assertion,
    Sort.TEST: _test,
    Sort.LOG: _log,
    Sort.ENTRY: _entry,
    Sort.QUERY: _query,
    Sort.MARKUP: _markup,
    Sort.ITEM: _item,
}


def _by_tree(statement: Statement, language: str | None) -> str:
    term = _tree(statement, language)
    said = "" if term is None else act(term, statement.modifiers)
    return said or _by_tokens(statement, language)


def _tree(statement: Statement, language: str | None) -> Term | None:
    """The term of a statement, if a grammar can read it."""
    if language not in LANGUAGES:
        return None
    for text in completions(statement, language):
        term = _first(text, language)
        if term is not None:
            return term
    return None


def _first(text: str, language: str) -> Term | None:
    root = parsed(text.encode("utf-8", "replace"), language).root_node
    if root.has_error or not root.named_child_count:
        return None
    return read(root)


def _value_of(code: str, language: str | None) -> Term | None:
    """The term of an expression, if a grammar can read it."""
    text = as_value(code, language) if language in LANGUAGES and language else None
    if text is None or language is None:
        return None
    term = _first(text, language)
    if term is None or term.kind is not Kind.ASSIGN or len(term.parts) < 2:
        return None
    return term.parts[1]


def _said(code: str, language: str | None) -> str:
    term = _value_of(code, language)
    return words_of(code, language) if term is None else value(term)


def _by_tokens(statement: Statement, language: str | None) -> str:
    """What the sort of a statement says of it, and its tokens."""
    rest = words_of(statement.detail or statement.text, language)
    if statement.sort is Sort.CONDITION and statement.detail:
        term = _value_of(statement.detail, language)
        return f"checks whether {rest if term is None else clause(term)}"
    if statement.sort is Sort.ASSIGNMENT:
        name = words_of(statement.subject, language)
        if not name:
            return ""
        if not statement.detail:
            return f"declares {name}"
        return f"sets {name} to {_said(statement.detail, language)}"
    if not rest:
        return ""
    return f"{_VERBS.get(statement.sort, 'has')} {rest}"


_VERBS = {
    Sort.RETURN: "returns",
    Sort.RAISE: "throws",
    Sort.LOOP: "loops over",
    Sort.CALL: "calls",
    Sort.CONDITION: "checks",
}
"""The verb for the tokens of a statement of each sort."""
