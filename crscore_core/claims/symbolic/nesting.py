"""Read the statements on one side of a hunk, each with the headings around it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.lexer import tokenize
from crscore_core.claims.symbolic.logical_lines import LogicalLine, comment_text, logical_lines
from crscore_core.claims.symbolic.patterns import BLOCKS, CONTROL, DEFINITIONS, Kind
from crscore_core.claims.symbolic.split_line import split_line
from crscore_core.claims.symbolic.statement import ParsedStatement, parse_statement

_MAX_HEADINGS = 20
"""Maximum number of headings around a statement."""

_HEADINGS = BLOCKS | {Kind.SECTION}
_OPENING = ("{", "do", "->", "=>", "|", "[", "(")
"""Ends of statements of other kinds that are headings too."""

_ANNOTATION = re.compile(r"@\w[\w.]*(?:\(.*\)|(?:\s+@[\w.]+)+)?$|#?\[\w.*\]$", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement on one side, with the headings around it, outermost first."""

    parsed: ParsedStatement
    line: LogicalLine
    headings: tuple["Statement", ...] = ()

    @property
    def kind(self) -> Kind:
        """The kind of the statement."""
        return self.parsed.kind

    @property
    def owner(self) -> "Statement | None":
        """The definition, call or value that contains it."""
        return next((outer for outer in reversed(self.headings) if outer.kind not in CONTROL), None)

    @property
    def condition(self) -> str | None:
        """The condition of the block directly around it; None for another block."""
        is_in_condition = self.headings and self.headings[-1].kind is Kind.CONDITION
        return self.headings[-1].parsed.value if is_in_condition else None


def statements_of_side(hunk: Hunk, side: LineKind, language: str | None) -> list[Statement]:
    """Return the statements on one side of a hunk, each with the headings around it."""
    section = _section(hunk, language)
    blocks = [(0, section)] if section else []  # the open blocks with their indentation
    statements: list[Statement] = []
    for line in logical_lines(hunk.lines, side, language):
        if not line.tokens or _is_docstring(line, statements):
            text = line.comment or comment_text([line.tokens[0].text])
            outer = [block for indent, block in blocks if indent < line.indent]
            headings = tuple(block for block in outer if block is not section)
            statements.append(Statement(ParsedStatement(Kind.COMMENT, value=text), line, headings))
            continue
        parsed_line = list(split_line(line.tokens, language))
        if not parsed_line:  # it only closes blocks
            blocks = [block for block in blocks if block[0] <= line.indent]
        first = line.tokens[0].text
        item_indent = 2 if language == "yaml" and first == "-" else 0
        for parsed, depth in parsed_line:
            indent = line.indent + item_indent + depth
            if first != "#" or parsed.kind is not Kind.OTHER:  # a directive closes no block
                blocks = [block for block in blocks if block[0] < indent]
            headings = tuple(block for _, block in blocks)
            kind = Kind.OTHER if _declares_method(parsed, headings) else parsed.kind
            statement = Statement(replace(parsed, kind=kind), line, headings)
            statements.append(statement)
            is_heading = statement.kind in _HEADINGS or line.tokens[-1].text in _OPENING
            if is_heading and len(blocks) < _MAX_HEADINGS:
                blocks.append((indent, statement))
    return _with_annotations(statements)


def _declares_method(parsed: ParsedStatement, headings: Sequence[Statement]) -> bool:
    """Return True if what looks like a call is a method of an interface."""
    if parsed.kind is not Kind.CALL or not headings or headings[-1].kind is not Kind.TYPE:
        return False
    return "interface" in headings[-1].parsed.text.split()


def _with_annotations(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements with annotations inside the definitions that they precede."""
    nested: list[Statement] = []
    definition: Statement | None = None
    for statement in reversed(statements):
        if definition and _ANNOTATION.match(statement.parsed.text):
            parsed = replace(statement.parsed, kind=Kind.ANNOTATION)
            nested.append(Statement(parsed, statement.line, (*definition.headings, definition)))
        else:
            nested.append(statement)
            definition = statement if statement.kind in DEFINITIONS else None
    return nested[::-1]


def _is_docstring(line: LogicalLine, before: Sequence[Statement]) -> bool:
    """Return True for a string in triple quotes that documents the code around it."""
    if len(line.tokens) != 1:
        return False
    text = line.tokens[0].text
    follows = not before or before[-1].kind in {Kind.FUNCTION, Kind.TYPE, Kind.COMMENT}
    return bool(re.match(r"[rRuUbB]{0,2}(?:\"\"\"|''')", text)) and (follows or "\n" in text)


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Parse the heading after the ranges of a hunk; it is indented less than any line."""
    text = hunk.section.strip()
    tokens = tokenize(text, language)
    if not text or text.endswith(";") or language is None:
        return None
    parsed = parse_statement(tokens, language, is_head=True)
    line = LogicalLine(tuple(tokens), "", range(0), changed=False, line=hunk.new_start, indent=-1)
    is_heading = parsed.kind in {Kind.FUNCTION, Kind.TYPE, Kind.SECTION}
    return Statement(parsed, line) if is_heading else None
