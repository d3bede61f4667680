"""A line on its way to being recognised."""

from dataclasses import dataclass

from crscore_core.claims.symbolic.lexing import Token, calls_in
from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["Reading"]


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
