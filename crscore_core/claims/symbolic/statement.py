"""The statements that are told apart, and what is known of one."""

from dataclasses import dataclass
from enum import StrEnum

from crscore_core.claims.symbolic.headings import Heading
from crscore_core.claims.symbolic.lexing import Call, Token, TokenKind
from crscore_core.claims.symbolic.logical import LogicalLine

__all__ = ["Sort", "Statement"]


class Sort(StrEnum):
    """The families of statements that are told apart."""

    BLANK = "blank"
    BRACKETS = "brackets"
    COMMENT = "comment"
    DECORATOR = "decorator"
    IMPORT = "import"
    FUNCTION = "function"
    TYPE = "type"
    CONDITION = "condition"
    CASE = "case"
    ELSE = "else"
    LOOP = "loop"
    TRY = "try"
    CATCH = "catch"
    FINALLY = "finally"
    RETURN = "return"
    RAISE = "raise"
    JUMP = "jump"
    ASSERTION = "assertion"
    TEST = "test"
    LOG = "log"
    ASSIGNMENT = "assignment"
    ENTRY = "entry"
    CALL = "call"
    QUERY = "query"
    MARKUP = "markup"
    ITEM = "item"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Statement:
    """A recognised logical line.

    `subject` is what it is about (the name defined, assigned, imported or called), `detail`
    the rest that matters (condition, value, message, body of a comment); either may be empty.
    """

    sort: Sort
    source: LogicalLine
    tokens: tuple[Token, ...]
    subject: str = ""
    detail: str = ""
    heading: Heading | None = None
    modifiers: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def text(self) -> str:
        """The code, without a comment at its end."""
        code = [t for t in self.tokens if t.kind is not TokenKind.COMMENT]
        if not code:
            return self.source.text
        return self.source.text[code[0].start : code[-1].end]

    @property
    def line(self) -> int:
        """The line of the new file."""
        return self.source.line
