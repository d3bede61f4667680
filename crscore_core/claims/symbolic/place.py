"""Where a block stands, in words."""

from crscore_core.change import Hunk
from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.pairing import Block
from crscore_core.claims.symbolic.quoting import quoted
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["place_of", "section_statement"]


def section_statement(hunk: Hunk, language: str | None) -> Statement | None:
    """Return what the text after the hunk's range says, read as code, or None without it."""
    if not hunk.section.strip():
        return None
    source = LogicalLine(hunk.section.strip(), (), (), hunk.new_start, 0, prose=False)
    return recognise(source, language)


def place_of(block: Block, section: Statement | None) -> str:
    """Return ` in the `X` class` for the innermost known place, or an empty text."""
    for statement in reversed(block.within):
        phrase = _phrase(statement)
        if phrase:
            return phrase
    return _phrase(section) if section is not None and block.indent else ""


def _phrase(statement: Statement) -> str:
    if statement.heading is not None:
        return f" in the {quoted(statement.subject, 60)} {statement.heading.noun}"
    match statement.sort:
        case Sort.TEST:
            return f" in the tests {quoted(statement.detail, 60)}"
        case Sort.ASSIGNMENT | Sort.CALL | Sort.ENTRY if statement.subject:
            return f" in {quoted(statement.subject, 60)}"
    return ""
