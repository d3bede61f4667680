"""The statements that are told apart, and what is known of one."""

from dataclasses import dataclass
from enum import StrEnum

from crscore_core.claims.symbolic.headings import Heading
from crscore_core.claims.symbolic.lexing import Call, LogicalLine, Token, TokenKind, calls_in


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


@dataclass(frozen=True, slots=True)
class Reading:
    """A line being recognised: its code tokens, from the first that is no closing brace."""

    source: LogicalLine
    text: str
    all_tokens: tuple[Token, ...]
    code: tuple[Token, ...]
    language: str | None

    @property
    def words(self) -> list[str]:
        """The first tokens, enough to tell what kind of line it is."""
        return [t.text for t in self.code[:6]]

    def after(self, count: int) -> str:
        """The source after the first `count` code tokens, without what ends a statement."""
        if count >= len(self.code):
            return ""
        rest = self.text[self.code[count].start : self.code[-1].end]
        return rest.rstrip("{:; \t").rstrip()

    def made(self, sort: Sort, subject: str = "", detail: str = "") -> Statement:
        """Return the line as a statement of `sort`."""
        return Statement(
            sort,
            self.source,
            self.all_tokens,
            subject,
            detail,
            calls=() if self.language == "sql" else calls_in(self.code, self.text),
        )
