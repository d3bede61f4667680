"""Read the statements on one side of a hunk, each with the headings around it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic import lexer, patterns
from crscore_core.claims.symbolic.logical_lines import LogicalLine, comment_text, logical_lines
from crscore_core.claims.symbolic.patterns import CODE, CONTROL, DEFINITIONS, KINDS, WORDS, Kind
from crscore_core.claims.symbolic.statement import MAX_OUTLINE, ParsedStatement, parse_statement

_MAX_HEADINGS = 20  # headings around a statement
_MAX_NESTED_BLOCKS = 5  # depth of nested blocks on a row
MAX_INDENT = 5  # indentation of the fields of a type


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement on one side, with the headings around it, outermost first.

    before: the block before it, if it is an `else` or `elif`.
    """

    parsed: ParsedStatement
    line: LogicalLine
    headings: tuple["Statement", ...] = ()
    before: "Statement | None" = None

    @property
    def kind(self) -> Kind:
        """The kind of the statement."""
        return self.parsed.kind

    @property
    def is_item(self) -> bool:
        """True for an entry that starts a list item and therefore names it."""
        first, *_, last = self.line.tokens * 2
        return self.kind is Kind.ENTRY and first.text == "-" and last.text not in WORDS["openers"]

    @property
    def outer_name(self) -> str:
        """The dotted name of the type and the functions in it, or the innermost function."""
        names: list[str] = []
        for heading in reversed(self.headings):
            if heading.kind is Kind.TYPE and heading.parsed.keyword not in {"namespace", "module"}:
                return ".".join([heading.parsed.name, *names])
            if heading.kind is Kind.FUNCTION:
                names.insert(0, heading.parsed.name)
        return "".join(names[-1:])

    @property
    def defined_names(self) -> list[str]:
        """The name that it defines or sets, and those of its parameters."""
        names = [self.parsed.name.rpartition(".")[2]] if self.kind in KINDS["named"] else []
        return [*names, *(name for name, _ in self.parsed.parameters)]

    @property
    def block(self) -> "Statement | None":
        """The block directly around it."""
        return self.headings[-1] if self.headings else None


def read_statements(hunk: Hunk, side: LineKind, language: str | None) -> list[Statement]:
    """Return the statements on one side of a hunk, each with the headings around it."""
    section = _section(hunk, language)
    closed: tuple[int, Statement] | None = None
    statements: list[Statement] = []
    lines = logical_lines(hunk.lines, side, language)
    blocks = [(-1, section), *_unseen(lines, section)] if section else []  # each with its indent
    falls_through = language in patterns.languages("falls_through")
    list_end = _list_end(lines) if language in patterns.languages("free_form by_line") else -1
    for number, line in enumerate(lines):
        if not line.tokens or _is_docstring(line, statements, language):
            headings = tuple(block for indent, block in blocks if 0 <= indent < line.indent)
            comment = _parse_comment(line, language)
            statements.append(Statement(comment, line, headings))
            continue
        parsed_line = _parse_line(line, list_end, language)
        first, last = line.tokens[0].text, line.tokens[-1].text
        if not parsed_line:  # it only opens or closes blocks
            least = 0 if line.indent == 0 and first in {"}", "end"} else -1
            blocks = [block for block in blocks if least <= block[0] <= line.indent]
            ended = [one for one in blocks[-1:] if first == "}" and one[0] == line.indent]
            closed = ended[0] if ended and last != "{" else None
        elif section:
            is_outermost = {block[1] for block in blocks if block[0] < line.indent} == {section}
            body = lines[number + 1 : number + 2] if is_outermost else []
            if _is_outside(section, line, parsed_line[0][0], body):
                blocks = [block for block in blocks if block[1] is not section]
        start = line.indent + (2 if language == "yaml" and first == "-" else 0)
        for parsed, depth in parsed_line:
            indent = start + depth
            ends = [one for at, one in blocks if at == indent or one.line is line]
            is_label = language in {"c", "cpp"} and [one.text for one in line.tokens[1:]] == [":"]
            is_code = not (first == "#" or is_label) or parsed.kind is not Kind.OTHER
            if is_code and (language != "yaml" or first != "{"):  # else it closes no block
                end = line.indent + 1 if language == "yaml" and first == "-" else indent
                blocks = [block for block in blocks if block[0] < end and block is not closed]
            level = _level(lines[number:]) if first == "#" else indent + is_label
            around = [one for at, one in blocks if at < level]
            headings = tuple(one for one in around if is_code or one.kind in DEFINITIONS)
            is_else = parsed.kind in CONTROL and parsed.text.startswith("el")  # or elif, elsif
            inner = _in_context(parsed, headings)
            if falls_through and statements and statements[-1].kind is Kind.CASE is inner.kind:
                label = statements.pop().parsed.value or "default"
                inner = replace(inner, value=f"{label}, {inner.value or 'default'}")
            statement = Statement(inner, line, headings, ends[-1] if is_else and ends else None)
            statements.append(statement)
            is_open = language == "ruby" and bool(patterns.VALUE.match(parsed.value))
            is_open |= lexer.closing_surplus(line.tokens) < 0 or last in WORDS["openers"]
            is_heading = is_open or statement.kind in patterns.BLOCKS | {Kind.SECTION}
            if is_heading and len(blocks) < _MAX_HEADINGS:
                blocks.append((indent, statement))
            elif statement.is_item:
                blocks.append((line.indent + 1, statement))
    return _with_annotations(statements)


def _unseen(lines: Sequence[LogicalLine], section: Statement) -> list[tuple[int, Statement]]:
    """Return the outermost function or value that starts between the section and the hunk."""
    tokens = [token for line in lines for token in line.tokens]
    indents = [line.indent for line in lines for _ in line.tokens]
    closing = lexer.unmatched_brackets(tokens)[1]
    ends = [at for at in closing if lexer.to_code(tokens[at : at + 2]) in {"},", "})"}]
    block = Statement(ParsedStatement(Kind.OTHER), section.line)
    return [(min(indents[at] for at in ends), block)] if ends else []


def _level(lines: Sequence[LogicalLine]) -> int:
    """Return the indentation of the code after a directive; -1 if it is perhaps outside blocks."""
    code = (line for line in lines if line.tokens and line.tokens[0].text != "#")
    return next((line.indent for line in code), 0) or -1


def _parse_comment(line: LogicalLine, language: str | None) -> ParsedStatement:
    """Parse the rows of a comment, a docstring, or a paragraph of prose."""
    text = line.comment or comment_text([line.tokens[-1].text])
    keyword = "docstring" if line.tokens else "comment"
    if language == lexer.PROSE:
        keyword = "section" if text.startswith("#") else "passage"
    return ParsedStatement(Kind.COMMENT, value=text, keyword=keyword)


def _list_end(lines: Sequence[LogicalLine]) -> int:
    """Return the row that closes the list or parentheses in which the lines start, or -1."""
    tokens = [token for line in lines for token in line.tokens]
    closing = [tokens[at] for at in sorted(lexer.unmatched_brackets(tokens)[1])]
    return closing[0].row if closing and closing[0].text != "}" else -1


def _parse_line(
    line: LogicalLine, list_end: int, language: str | None
) -> list[tuple[ParsedStatement, int]]:
    """Parse the statements of a line, or its item of the list that ends on the row `list_end`."""
    stop = min(lexer.unmatched_brackets(line.tokens)[1], default=len(line.tokens))
    is_item = stop and {token.text for token in line.tokens[stop:]} <= {*lexer.CLOSERS, *";,:{"}
    if is_item and line.tokens[0].row <= list_end:
        return [(parse_statement(line.tokens[:stop], language, in_list=True), 0)]
    return list(_split_line(line.tokens, language))


def _is_outside(
    section: Statement, line: LogicalLine, parsed: ParsedStatement, body: Sequence[LogicalLine]
) -> bool:
    """Return True if a line is not in the block before the hunk, or perhaps in a type in it."""
    is_header = section.parsed.text.startswith("[")  # of rows with the same indentation
    if is_header or line.tokens[0].text in {*lexer.CLOSERS, "#"}:
        return False
    if line.indent == 0:
        return [token.text for token in line.tokens[1:]] != [":"]  # a label
    is_definition = parsed.kind in DEFINITIONS and parsed.keyword != "type"
    is_inner = any(0 < one.indent - line.indent <= 2 < line.indent for one in body)
    return is_definition and (section.kind is Kind.FUNCTION or is_inner)


def _split_line(
    tokens: lexer.Tokens, language: str | None, depth: int = 0
) -> Iterator[tuple[ParsedStatement, int]]:
    """Yield the statements of a logical line, each with its depth below the first.

    A heading, the statements of its block on the same row, a Ruby modifier, and arguments after a
    block are separate.
    """
    if language in patterns.languages("by_row"):
        row = parse_statement(tokens, language)
        if row.tokens:
            yield row, depth
        return
    code = _after_closers(tokens)
    if language == "shell":  # the pattern of a case, such as `-h)`, is not a statement
        code = code[max(lexer.unmatched_brackets(code)[1], default=-1) + 1 :]
    if not code or (len(code) == 1 and code[0].text in lexer.CLOSING):
        return
    outline = lexer.Outline(code)
    end = _head_end(outline, language) if depth < _MAX_NESTED_BLOCKS else len(code)
    is_code = language not in patterns.languages("no_code") and code[0].text != "<"
    parts = lexer.split(code, ";") if is_code else [code]
    is_argument = code[0] is not tokens[0] and tokens[1].text == "," and end == len(code)
    if is_argument and lexer.closing_surplus(code) > 0:  # of the call that contains the block
        yield parse_statement(code, language, in_list=True), depth + 1
    elif end < len(code):
        yield parse_statement(code[:end], language, opens_block=True), depth
        is_braced = code[end].text in WORDS["block_starts"]
        body = list(dropwhile(lambda token: token.text in WORDS["block_starts"], code[end:]))
        is_closed = body and (body[-1].text == "end" or lexer.closing_surplus(body) > 0)
        body = body[:-1] if is_closed else body
        for number, part in enumerate(lexer.split(body, ";")):
            yield from _split_line(part, language, depth + (is_braced or number == 0))
    elif len(parts) > 1:
        for part in parts:
            yield from _split_line(part, language, depth)
    elif language == "ruby" and (modified := patterns.MODIFIER.match(outline.text)):
        condition = outline.index_at(modified.end())
        yield parse_statement(code[condition:], language), depth
        yield from _split_line(code[:condition], language, depth + 1)
    else:
        yield parse_statement(code, language), depth


def _after_closers(tokens: lexer.Tokens) -> lexer.Tokens:
    """Return tokens after the brackets that close blocks, without the `while` of a `do` block."""
    start = 0
    while start < len(tokens) and tokens[start].text in {*lexer.CLOSERS, ";", ","}:
        start += 1
    code = tokens[start:]
    is_end = start and code and code[0].text == "while" and code[-1].text == ";"
    is_end = is_end or bool(start and code and code[0].text in {"as", "satisfies"})  # of TypeScript
    return () if is_end else code


def _head_end(outline: lexer.Outline, language: str | None) -> int:
    """Return the index at which the head of a block ends, or the length without a block."""
    if len(outline.text) >= MAX_OUTLINE or language in patterns.languages("no_code"):
        return len(outline.tokens)
    control = "parentheses" if language in patterns.languages("parenthesised") else "brace"
    control = "words" if language in {"ruby", "shell"} else control
    arms = (language,) if language in patterns.HEAD_ENDS else ()
    heads = ("bare", *arms, "case", "colon" if language == "python" else control, "definition")
    for head in heads:
        if match := patterns.HEAD_ENDS[head].match(outline.text):
            end = outline.index_at(len(match[0].rstrip()))
            if head != "definition":
                return end
            parsed = parse_statement(outline.tokens[:end], language, opens_block=True)
            if parsed.kind in patterns.DEFINITIONS:
                return end
    return len(outline.tokens)


def _in_context(parsed: ParsedStatement, headings: Sequence[Statement]) -> ParsedStatement:
    """Return a statement as the block around it implies: an import, or a member of a type."""
    for block in headings[-1:]:
        if CODE["import_list"].match(block.parsed.text):  # it ends outside the hunk
            return replace(parsed, kind=Kind.IMPORT, value=parsed.text)
        words = block.parsed.text.split() if block.kind is Kind.TYPE else []
        kinds = {Kind.CALL, Kind.CASE, *[Kind.FUNCTION] * parsed.name.isupper()}  # or a constant
        if parsed.kind in kinds and {"interface", "enum"} & set(words):
            return replace(parsed, kind=Kind.OTHER)
    return parsed


def _with_annotations(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements, with annotations moved into the definitions that they precede."""
    nested: list[Statement] = []
    definition: Statement | None = None
    for statement in reversed(statements):
        if definition and CODE["annotation"].match(statement.parsed.text):
            parsed = replace(statement.parsed, kind=Kind.ANNOTATION)
            nested.append(Statement(parsed, statement.line, (*definition.headings, definition)))
        else:
            nested.append(statement)
            definition = statement if statement.kind in DEFINITIONS else None
    return nested[::-1]


def _is_docstring(line: LogicalLine, before: Sequence[Statement], language: str | None) -> bool:
    """Return True for a string in triple quotes that documents the code around it."""
    *words, text = [token.text for token in line.tokens]
    if not CODE["doc"].match("".join(words)) or language not in patterns.languages("docstrings"):
        return False
    follows = not before or before[-1].kind in {Kind.FUNCTION, Kind.TYPE, Kind.COMMENT}
    is_triple = re.match(r"[rRuUbB]{0,2}(?:\"\"\"|''')", text) or text.endswith(('"""', "'''"))
    return bool(is_triple) and (follows or "\n" in text)


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Parse the heading after the ranges of a hunk; it is indented less than any line."""
    text = hunk.section.strip()
    tokens = lexer.tokenize(text, language)
    if not text or text.endswith(";") or language is None:
        return None
    parsed = parse_statement(tokens, language, opens_block=True)
    rows = [line.text.expandtabs(4) for line in hunk.lines if line.text[:1].isspace()]
    indents = [len(row) - len(row.lstrip()) for row in rows if row.strip()]
    indent = min([4, *indents]) - MAX_INDENT
    line = LogicalLine(
        tuple(tokens), "", range(0), changed=False, line=hunk.new_start, indent=indent
    )
    is_heading = parsed.kind in DEFINITIONS | {Kind.SECTION}
    return Statement(parsed, line) if is_heading else None
