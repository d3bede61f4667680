"""Split one side of a hunk into logical lines: statements, headings and comments, as tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from crscore_core.change import ChangedLine, LineKind
from crscore_core.claims.symbolic import lexer
from crscore_core.claims.symbolic.patterns import CODE, ROWS, WORDS, languages

_MAX_JOINED = 40  # rows joined into a statement by its brackets; longer ones are read row by row


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, a heading or consecutive comment rows on one side of a hunk.

    tokens: empty for comment rows and paragraphs of prose.
    comment: the comment rows, or the changed comments on a line of code.
    rows: the indices of its lines in the hunk.
    changed: True if the other side lacks one of these lines.
    line: the corresponding line of the new file; for removed code, the following one.
    """

    tokens: tuple[lexer.Token, ...]
    comment: str
    rows: range
    changed: bool
    line: int
    indent: int


def logical_lines(
    lines: Sequence[ChangedLine], side: LineKind, language: str | None
) -> list[LogicalLine]:
    """Return the logical lines of one side of a hunk: context and the lines of kind `side`."""
    indices = [i for i, line in enumerate(lines) if line.kind in {LineKind.CONTEXT, side}]
    texts = [lines[index].text.rstrip() for index in indices]
    by_row: list[list[lexer.Token]] = [[] for _ in indices]
    is_prose = language == lexer.PROSE
    for token in () if is_prose else lexer.tokenize("\n".join(texts), language):
        by_row[token.row].append(token)
    last = max((line.new or 1 for line in lines), default=1)
    logical: list[LogicalLine] = []
    end = 0
    while end < len(indices):
        start, end = end, _statement_end(by_row, end, language) if by_row[end] else end + 1
        is_kept = lines[indices[start]].kind is not side  # a tag of which perhaps a part changes
        end = start + 1 if is_kept and [t.text for t in by_row[start][:1]] == ["<"] else end
        end = _paragraph_end(texts, start) if is_prose else end
        tokens = [token for row in by_row[start:end] for token in row]
        changed = [index for index in indices[start:end] if lines[index].kind is side]
        code = _code(tokens)
        shown = changed if code else indices[start:end]
        comments = [one.text for one in tokens if one.is_comment and indices[one.row] in shown]
        prose = " ".join(row for row in texts[start:end] if not ROWS["underline"].match(row))
        first_row = texts[start].expandtabs(4)
        first = changed[0] if changed else indices[start]
        next_rows = [*(token.row for token in code[1:]), -1]
        pairs = zip(code, next_rows, strict=False)
        line = LogicalLine(
            tokens=tuple(token for token, row in pairs if token.text != "\\" or row == token.row),
            comment=" ".join(prose.split()) if is_prose else comment_text(comments),
            rows=range(indices[start], indices[end - 1] + 1),
            changed=bool(changed),
            line=next((line.new for line in lines[first:] if line.new), last),
            indent=len(first_row) - len(first_row.lstrip()),
        )
        if line.tokens or line.comment:
            logical.append(line)
    return logical


def comment_text(comments: Sequence[str]) -> str:
    """Return the text of comments on one line, without comment marks."""
    rows = [row for comment in comments for row in comment.split("\n")]
    return " ".join(" ".join(ROWS["comment_mark"].sub("", row) for row in rows).split())


def _statement_end(by_row: Sequence[lexer.Tokens], start: int, language: str | None) -> int:
    """Return the row after the statement or comment that starts at `start`."""
    first_end = end = _row_end(by_row, start)
    if not _code(by_row[start]):
        return _comments_end(by_row, start)
    first_words = [token.text for token in by_row[start][:3] if token.text != "type"]
    braces = first_words[0] in {"import", "use"} or first_words[:2] == ["export", "{"]
    angles = first_words[0] == "template" or first_words[0] == "<" != first_words[-1] != ">"
    is_head = bool(CODE["destructured"].search(lexer.to_code(_code(by_row[start]))))
    depth, row = _depth_change(by_row[start:end], braces=braces, angles=angles), start
    while end < len(by_row) and end - start < _MAX_JOINED and language not in languages("by_row"):
        after = end if first_words[0] in WORDS["continues"] else _comments_end(by_row, end)
        code, following = _code(by_row[row]), _code(by_row[after]) if after < len(by_row) else []
        is_directive = following[:1] and following[0].text == "#" and language in languages("typed")
        if after == len(by_row) or (depth <= 0 and (not following or is_directive)):
            break
        whole = [token for one in by_row[start:end] for token in _code(one)]
        if depth <= 0 and not (_is_open(whole, language) or _continues(code, following, language)):
            return end
        opens_block = bool(code) and code[-1].text in WORDS["opens_block"] and language != "python"
        is_go_list = first_words[1:] == ["("] and first_words[0] in {"import", "const", "var"}
        if depth > 0 and ((opens_block and not (braces or is_head)) or is_go_list):
            return end
        row, end = after, _row_end(by_row, after)
        depth += _depth_change(by_row[row:end], braces=braces, angles=angles)
    return first_end if depth > 0 else end


def _comments_end(by_row: Sequence[lexer.Tokens], row: int) -> int:
    """Return the row after the comments that start on `row`."""
    while row < len(by_row) and by_row[row] and not _code(by_row[row]):
        row = _row_end(by_row, row)
    return row


def _paragraph_end(texts: Sequence[str], start: int) -> int:
    """Return the row after the paragraph, item, heading or block of code that starts at `start`."""
    end = start + 1
    if fence := ROWS["fence"].match(texts[start]):
        marks = (row for row in range(end, len(texts)) if texts[row].lstrip().startswith(fence[1]))
        closing = next(marks, 0)
        return closing + 1 if closing and texts[closing].strip() == fence[1] else end
    while end < len(texts) and texts[end - 1].strip() and texts[end].strip():
        if ROWS["heading_end"].match(texts[end - 1]) or ROWS["item"].match(texts[end]):
            break
        end += 1
    return end


def _code(row: lexer.Tokens) -> list[lexer.Token]:
    return [token for token in row if not token.is_comment]


def _row_end(by_row: Sequence[lexer.Tokens], row: int) -> int:
    """Return the row after the tokens that start on `row`."""
    return row + 1 + max((token.extra_rows for token in by_row[row]), default=0)


def _depth_change(rows: Sequence[lexer.Tokens], *, braces: bool, angles: bool) -> int:
    """Return how many more brackets rows open than they close.

    Braces count only if `braces`, and `<` and `>` only if `angles` or around parameters of a type.
    """
    code = [token for row in rows for token in _code(row)]
    texts = [token.text for token in code]
    brackets = [token for token in code if braces or token.text not in {"{", "}"}]
    of_type = (texts[-1:] == ["<"]) - (texts[:1] == [">"] and len(texts) > 1)
    of_angles = texts.count("<") - texts.count(">") if angles else of_type
    return of_angles - lexer.closing_surplus(brackets)


def _is_open(code: lexer.Tokens, language: str | None) -> bool:
    """Return True if a statement ends within a choice, or a list of cases or arguments."""
    texts = [token.text for token in code if token.text != "?" or token.gap]
    if texts[-1] == ":" and "?" in texts and language not in languages("by_indent"):
        choice = texts[texts.index("?") :]
        return choice.count("?") >= choice.count(":")
    start = CODE[f"list_{language}" if f"list_{language}" in CODE else "list"]
    return texts[-1] == "," and bool(start.match(lexer.to_code(code)))


def _continues(code: lexer.Tokens, following: lexer.Tokens, language: str | None) -> bool:
    last = code[-1].text if code else ""
    texts = [token.text for token in code]
    if last == "," and texts.count("<") > texts.count(">"):  # the parameters of a type
        return True
    if language in {"c", "cpp"} and ROWS["function_start"].match(lexer.to_code(following)):
        indents = {row[0].gap.rpartition("\n")[2] for row in (code, following) if row}
        if len(indents) == 1 and all(map(ROWS["type"].match, texts)):  # the result of a function
            return True
    is_optional = last == "?" and not code[-1].gap  # the end of a type
    is_template = last == ">" and code[0].text == "template"
    is_constructor = texts[-2:] == [")", ":"] and texts[0] != "case"
    is_template |= language == "cpp" and (is_constructor or texts[:1] + texts[-1:] == ["[", "]"])
    is_key = texts[1:] == [":"] and texts[0] != "default" and language in languages("row_keys")
    if (last in WORDS["unfinished"] and not is_optional) or is_template or is_key:
        return True
    is_end = last == "}" and following[0].text not in {"?", ":"}
    is_end |= texts[:1] == ["#"]  # a directive
    if is_end or last in {"{", ";", ":", ",", "do"} or language in languages("by_indent go"):
        return False
    is_link = following[0].text in lexer.LINKS and following[0].gap[-1:] in {" ", "\t"}
    first, second = (*following, *following)[:2]
    is_symbol = first.text == ":" and second.text.isidentifier() and not second.gap
    is_minus = first.text == "-" and language in languages("typed")
    is_minus |= first.text == "if" and language == "rust" and texts[0] != "#"  # or a guard
    return is_link or is_minus or (first.text in WORDS["continues"] and not is_symbol)
