"""Where a block stands, in words."""

from crscore_core.change import FileChange, Hunk
from crscore_core.claims.symbolic.candidate import Scene
from crscore_core.claims.symbolic.files import is_test_path
from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.pairing import Block
from crscore_core.claims.symbolic.quoting import quoted
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["scene_of", "section_statement"]


def section_statement(hunk: Hunk, language: str | None) -> Statement | None:
    """Return what the text after the hunk's range says, read as code, or None without it."""
    if not hunk.section.strip():
        return None
    source = LogicalLine(hunk.section.strip(), (), (), hunk.new_start, 0, prose=False)
    return recognise(source, language)


def scene_of(block: Block, section: Statement | None, file: FileChange) -> Scene:
    """Return the scene of `block`, by what encloses it in the hunk and by the section."""
    around = list(reversed(block.within))
    if section is not None and block.indent:
        around.append(section)
    phrases = [(statement.sort, phrase) for statement in around if (phrase := _phrase(statement))]
    owner = phrases[0][1] if phrases else ""
    inside = phrases[0][1] if phrases and phrases[0][0] is not Sort.TYPE else ""
    return Scene(
        inside,
        owner,
        file.language,
        is_test_path(file.path),
        block.called_before,
        block.called_now,
        block.in_loop or file.language == "python",
        block.text_now,
    )


def _phrase(statement: Statement) -> str:
    if statement.heading is not None:
        return f" in the {quoted(statement.subject, 60)} {statement.heading.noun}"
    match statement.sort:
        case Sort.TEST:
            return f" in the tests {quoted(statement.detail, 60)}"
        case Sort.ASSIGNMENT | Sort.CALL | Sort.ENTRY if statement.subject:
            return f" in {quoted(statement.subject, 60)}"
    return ""
