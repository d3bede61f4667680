"""What follows from a changed statement for callers, errors, speed, tests and readers.

What a kind of statement means is the same in every program; here it is said once for each, with
the names of the change put in.
"""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, implication
from crscore_core.claims.symbolic.changed import Change, Changed
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.naming import SYNTAX
from crscore_core.claims.symbolic.quoting import spoken
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["consequences"]

MAX_CONSEQUENCES = 4
"""Consequences of one block."""

MAX_WORDS = 3
"""Words of what has no name: few, so that they do not outweigh what follows."""

WEIGHT = 42

_CONDITION = {
    Change.ADDED: "Special cases such as wrong or missing values are now handled on their own",
    Change.REMOVED: "A case that was handled on its own is no longer checked",
    Change.NEW: "The branch may be executed in other cases, as the condition is another one",
}
_ENTRY = {
    Change.ADDED: "What reads this list or configuration gets a new option or item",
    Change.REMOVED: "What reads this list or configuration has to do without the option or item",
    Change.NEW: "What reads this list or configuration gets a different value",
}
_CHECK = {
    Change.ADDED: "Test coverage improves, as the test verifies {it}",
    Change.REMOVED: "The test no longer verifies {it}, so that errors there go unnoticed",
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
        Change.REMOVED: "The items are no longer visited one by one in a loop",
        Change.NEW: "The loop visits other items or ends elsewhere",
    },
    Sort.TRY: {
        Change.ADDED: "Exceptions in this block can be caught and handled instead of failing",
        Change.REMOVED: "Exceptions that were handled in this block reach the caller",
    },
    Sort.CATCH: {
        Change.ADDED: "Error handling: the exception {it} can be handled instead of failing",
        Change.REMOVED: "Error handling: the exception {it} is no longer handled here",
        Change.NEW: "Error handling: other exceptions are handled than before",
    },
    Sort.FINALLY: {
        Change.ADDED: "Resources are cleaned up whether or not an exception is thrown",
        Change.REMOVED: "Resources are not cleaned up any more where an exception is thrown",
    },
    Sort.RAISE: {
        Change.ADDED: "Callers have to handle the error, and its message should tell what is wrong",
        Change.REMOVED: "The error is no longer thrown here, so a failure can go unnoticed",
        Change.NEW: "Callers that handle the error meet another exception or message",
    },
    Sort.RETURN: {
        Change.ADDED: "Callers of the function get as its return value {it}",
        Change.REMOVED: "Callers of the function no longer get as its return value {it}",
        Change.NEW: "Callers of the function get a different return value, {it}",
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
        Change.ADDED: (
            "The comment explains the code to readers, which improves documentation and readability"
        ),
        Change.REMOVED: "Readers of the code have less explanation and documentation",
        Change.NEW: "The documentation of the code is clearer or more correct for its readers",
    },
    Sort.ASSIGNMENT: {
        Change.ADDED: "The new {noun} {it} should be used, under a name that tells what it is for",
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


def consequences(changed: Sequence[Changed]) -> list[Candidate]:
    """Say of each changed statement what follows from it, whatever the rest of the change does."""
    found: dict[str, Candidate] = {}
    for one in changed:
        if one.before is not None and _same_module(one.before, one.statement):
            continue
        template = _CONSEQUENCES.get(one.statement.sort, {}).get(one.change)
        about = _about(one.statement)
        if template is None or (not about and "{it}" in template):
            continue
        text = template.format(it=about, noun=_noun(one.statement))
        found.setdefault(text, implication(text, WEIGHT, one.statement.line))
        if len(found) == MAX_CONSEQUENCES:
            break
    return list(found.values())


def _same_module(old: Statement, new: Statement) -> bool:
    """Whether both import from the same module."""
    return new.sort is Sort.IMPORT and new.subject.split()[:1] == old.subject.split()[:1]


def _about(statement: Statement) -> str:
    """The name that tells most of what the statement is about, in words; else its first words."""
    if statement.sort is Sort.IMPORT:
        return spoken(statement.subject)
    subject = re.split(r"\W+", statement.subject)
    if statement.sort not in _ABOUT_DETAIL and subject[-1].casefold() not in SYNTAX:
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
