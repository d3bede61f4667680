"""What follows from a changed statement for callers, errors, speed, tests and readers.

What a kind of statement means is the same in every program; here it is said once for each, with
the names of the change put in.
"""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import SYNTAX, Candidate, implication, spoken
from crscore_core.claims.symbolic.changed import Change, Changed
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.statement import Sort, Statement

MAX_CONSEQUENCES = 4
"""Consequences of one block."""

MAX_WORDS = 3
"""Words of what has no name: few, so that they do not outweigh what follows."""

WEIGHT = 42

_GUARD = re.compile(
    r"\b(?:null|none|nil|undefined|empty|isset|isempty|is_empty|not|missing|exists|isnan)\b"
    r"|!(?!=)|isNull|nonNull|isEmpty|isBlank|hasattr|hasOwnProperty|len\(|\blength\b|\bsize\(",
    re.IGNORECASE,
)
"""What a condition holds that keeps wrong or missing values out."""

_GUARDED = {
    Change.ADDED: "Special cases such as wrong or missing values are now handled on their own",
    Change.REMOVED: "Special cases such as wrong or missing values are no longer checked here",
}
_CONDITION = {
    Change.ADDED: "The behaviour now depends on the condition, which is one more case to test",
    Change.REMOVED: "The behaviour no longer depends on the condition, which is one case less",
    Change.NEW: "The branch may be executed in other cases, as the condition is another one",
}
_ENTRY = {
    Change.ADDED: "What reads this list or configuration gets a new option or item",
    Change.REMOVED: "What reads this list or configuration has to do without the option or item",
    Change.NEW: "What reads this list or configuration gets a different value",
}
_CHECK = {
    Change.ADDED: "Test coverage improves, as the test verifies {it}",
    Change.REMOVED: "The test no longer verifies {it}, so that errors there can go unnoticed",
    Change.NEW: "The test expects a different result: {it}",
}

_CONSEQUENCES: dict[Sort, dict[Change, str]] = {
    Sort.TYPE: {
        Change.ADDED: (
            "The new {noun} {it} is a new part of the design, with a responsibility of its own"
        ),
    },
    Sort.CONDITION: _CONDITION,
    Sort.CASE: _CONDITION,
    Sort.LOOP: {
        Change.ADDED: "The loop takes time for each item, which matters for performance",
        Change.REMOVED: "Without the loop the code may be simpler or faster",
        Change.NEW: "The loop may visit other items or end elsewhere",
    },
    Sort.TRY: {
        Change.ADDED: "Exceptions in this block can be caught and handled instead of failing",
        Change.REMOVED: "Exceptions that were caught in this block may reach the caller",
    },
    Sort.CATCH: {
        Change.ADDED: "Error handling: the exception can be handled, logged or thrown again here",
        Change.REMOVED: "Error handling: the exception is no longer caught here",
        Change.NEW: "Error handling may differ, as another exception may be caught",
    },
    Sort.FINALLY: {
        Change.ADDED: "Resources can be cleaned up whether or not an exception is thrown",
        Change.REMOVED: "Resources may not be cleaned up any more where an exception is thrown",
    },
    Sort.RAISE: {
        Change.ADDED: "Callers have to handle the error, and its message should tell what is wrong",
        Change.REMOVED: "The error is no longer thrown here, so a failure can go unnoticed",
        Change.NEW: "Callers that handle the error meet another exception or message",
    },
    Sort.RETURN: {
        Change.ADDED: "Callers of the function depend on this return value",
        Change.REMOVED: "Callers of the function no longer get this return value",
        Change.NEW: "Callers of the function get a different return value",
    },
    Sort.LOG: {
        Change.ADDED: "The log message helps debugging but makes the output longer",
        Change.REMOVED: "Debugging and monitoring have to do without the log message",
        Change.NEW: "Who reads the log finds another message or level",
    },
    Sort.ASSERTION: _CHECK,
    Sort.TEST: _CHECK,
    Sort.IMPORT: {
        Change.ADDED: (
            "The import makes {it} a dependency of this module, and is unnecessary where it is "
            "not used"
        ),
        Change.REMOVED: "The dependency on {it} is gone, so the code must not use it any more",
        Change.NEW: "The dependency is now on {it}, imported from another place",
    },
    Sort.COMMENT: {
        Change.ADDED: "The comment matters for readability and documentation of the code",
        Change.REMOVED: "Readers of the code have less explanation and documentation",
        Change.NEW: "The documentation tells readers of the code something else",
    },
    Sort.ASSIGNMENT: {
        Change.ADDED: "What uses the {noun} {it} depends on the value that is set here",
        Change.REMOVED: "The {noun} {it} is no longer set here, so nothing may need it any more",
        Change.NEW: "The {noun} {it} has a different value from here on",
    },
    Sort.ENTRY: _ENTRY,
    Sort.ITEM: _ENTRY,
    Sort.CALL: {
        Change.ADDED: "The additional call of {it} takes time and may have side effects",
        Change.REMOVED: "The effect of the call of {it} is missing from now on",
        Change.NEW: "The call of {it} may have another result with these arguments",
    },
    Sort.DECORATOR: {
        Change.ADDED: "The annotation {it} changes how the code is treated",
        Change.REMOVED: "The annotation {it} no longer applies to the code",
        Change.NEW: "The annotation {it} changes how the code is treated",
    },
    Sort.QUERY: dict.fromkeys(Change, "The database query gets or changes other rows"),
    Sort.MARKUP: {
        Change.ADDED: "The page or component looks or behaves differently with {it}",
        Change.REMOVED: "The page or component looks or behaves differently without {it}",
        Change.NEW: "The page or component looks or behaves differently: {it}",
    },
}

_ABOUT_DETAIL = frozenset({Sort.ASSERTION, Sort.LOG, Sort.TEST})
_VISIBILITY = frozenset({"public", "private", "protected", "internal"})


def consequences(changed: Sequence[Changed], *, is_test: bool = False) -> list[Candidate]:
    """Say of each changed statement what follows from it, whatever the rest of the change does.

    `is_test` says that the file holds tests.
    """
    found: dict[str, Candidate] = {}
    for one in changed:
        template = _template(one, is_test=is_test)
        about = _about(one.statement)
        if not template or (not about and "{it}" in template):
            continue
        text = template.format(it=about, noun=_noun(one.statement))
        found.setdefault(text, implication(text, WEIGHT, one.statement.line))
        if len(found) == MAX_CONSEQUENCES:
            break
    return list(found.values())


def _template(one: Changed, *, is_test: bool) -> str:
    """The sentence for such a change, empty where none is sure to be true."""
    statement, before = one.statement, one.before
    match statement.sort:
        case Sort.CONDITION if one.change in _GUARDED and _GUARD.search(statement.detail):
            return _GUARDED[one.change]
        case Sort.IMPORT if before is not None:
            is_said = _module(before) != _module(statement)
        case Sort.IMPORT:
            is_said = not _gives_a_name(statement)
        case Sort.ASSIGNMENT if before is not None:
            is_said = _is_reset(before, statement)
        case Sort.ASSERTION:
            is_said = is_test or bool(statement.subject)
        case Sort.RETURN:
            is_said = statement.subject == "return"
        case _:
            is_said = True
    return _CONSEQUENCES.get(statement.sort, {}).get(one.change, "") if is_said else ""


def _gives_a_name(statement: Statement) -> bool:
    """Whether it is a `using` of C# or C++ that names something and imports nothing."""
    words = [token.text for token in statement.tokens]
    return words[:1] == ["using"] and "=" in words


def _module(statement: Statement) -> list[str]:
    return statement.subject.split()[:1]


def _is_reset(old: Statement, new: Statement) -> bool:
    """Whether the same variable gets another value, and not just another type."""
    return old.subject == new.subject and old.detail != new.detail


def _about(statement: Statement) -> str:
    """The name that tells most of what the statement is about, in words; else its first words."""
    if statement.sort is Sort.IMPORT:
        return spoken(statement.subject)
    subject = re.findall(r"\w+", statement.subject)
    is_telling = statement.sort is Sort.CALL or SYNTAX.isdisjoint(map(str.casefold, subject[-1:]))
    if subject and is_telling and statement.sort not in _ABOUT_DETAIL:
        return spoken(subject[-1])
    names = (t.text for t in statement.tokens if t.kind is TokenKind.NAME)
    telling = (name for name in names if name.casefold() not in SYNTAX and name not in subject)
    return spoken(next(telling, "")) or " ".join(spoken(statement.detail).split()[:MAX_WORDS])


def _noun(statement: Statement) -> str:
    """What kind of thing the statement defines."""
    if statement.heading is not None:
        return statement.heading.noun
    if _VISIBILITY & set(statement.modifiers):
        return "field"
    return "constant" if statement.subject.isupper() else "variable"
