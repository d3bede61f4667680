"""Quote code and prose as written, on one line; different texts never look the same."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from crscore_core.claims.symbolic import lexer
from crscore_core.text import on_one_line, shorten

MAX_QUOTED = 120  # characters of code in a quotation
_MAX_EXCERPT = 240  # characters of a quotation that shows the changed words of prose
_MAX_CONTEXT = 24  # characters of context before a difference in a long text; in code, twice that
# After a separator, or before a call in a chain.
_PART_START = re.compile(r"[(\[{,;]\s*|(?:&&|\|\||\b(?:and|or|return)\b)\s+|(?<=[)\]])(?=\.\w|->)")
_COMPARISONS = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|[$@]")


def quote(code: str, limit: int = MAX_QUOTED) -> str:
    """Quote code as in Markdown, with more backticks than it has in a row; long code is cut."""
    text = _cut(on_one_line(code), limit)
    mark = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{mark}{pad}{text}{pad}{mark}" if text else "nothing"


def _cut(code: str, limit: int) -> str:
    """Cut code after a token, and close the brackets that are open there."""
    tokens = lexer.tokenize(code, None) if len(code) > limit else []
    sizes = [*accumulate(len(token.gap + token.text) for token in tokens)]
    n_kept = bisect_right(sizes, limit - 4)
    if not n_kept or sizes[n_kept - 1] <= limit // 2:  # such as one long text
        return shorten(code, limit)
    start = tokens[: n_kept - (tokens[n_kept - 1].text in lexer.LINKS)]
    opened = lexer.unmatched_brackets(start)[0]
    is_whole = opened and lexer.closing_index(tokens, opened[0]) >= len(tokens) - 1
    text = lexer.close_brackets(start)
    return text if is_whole or text.endswith("…") else f"{text} …"


def quote_prose(text: str, limit: int = 160) -> str:
    """Quote the start of prose."""
    return f"“{shorten(text, limit)}”"


def contrast(was: str, now: str) -> tuple[str, str] | None:
    """Quote two pieces of code; long ones start shortly before their first difference.

    Return None if they differ only in blanks or invisible characters.
    """
    was, now = on_one_line(was), on_one_line(now)
    start = _first_part(was, now) if max(len(was), len(now)) > MAX_QUOTED else 0
    dots = "… " if start else ""
    pair = quote(dots + was[start:]), quote(dots + now[start:])
    return pair if pair[0] != pair[1] else None


def _first_part(was: str, now: str) -> int:
    """Return where the argument, operand or call starts that contains the first difference."""
    first, end = common_ends(was, now)
    least = first - 2 * _MAX_CONTEXT
    starts = [match.end() for match in _PART_START.finditer(was) if least <= match.end() <= first]
    part_at = {at: lexer.tokenize(was[at : len(was) - end], None) for at in starts}
    whole = [at for at, part in part_at.items() if not lexer.unmatched_brackets(part)[1]]
    text = was.rfind(" ", max(least, 0), max(first - _MAX_CONTEXT, 0)) + 1 or first - _MAX_CONTEXT
    return 0 if least <= 0 else next(iter(whole), text)


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of items that two sequences share at the start and at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return start, end


def describe_rewording(before: Sequence[str], after: Sequence[str], noun: str) -> str:
    """Describe which words of prose changed; long prose is cut to them and three words nearby."""
    is_long = max(len(" ".join(words)) for words in (before, after)) > MAX_QUOTED
    start, end = (max(n - 3, 0) * is_long for n in common_ends(before, after))
    was, now = (
        "… " * bool(start) + " ".join(words[start : len(words) - end]) + " …" * bool(end)
        for words in (before, after)
    )
    was, now = quote_prose(was, _MAX_EXCERPT), quote_prose(now, _MAX_EXCERPT)
    return f"{noun} now says {now} instead of {was}" if now != was else f"{noun} changes: {now}"


def enumerate_items(items: Sequence[str], limit: int = 4) -> str:
    """Join `items` as in `a, b and 3 more`: at least `limit`, more if they are short, or all."""
    sizes = accumulate(map(len, items))
    n_listed = max(limit, sum(size <= MAX_QUOTED for size in sizes))
    n_more = len(items) - n_listed
    parts = [*items[:n_listed], f"{n_more} more"] if n_more > 0 else items
    start = ", ".join(parts[:-1])
    return f"{start} and {parts[-1]}" if start else "".join(parts)


def to_plain_words(code: str) -> str:
    """Return code as words: identifiers split, comparisons in words, most punctuation dropped."""
    words = []
    code = re.sub(r"(?<=\s)[<>]=?(?=\s)", lambda match: _COMPARISONS[match[0]], code)
    for name in re.findall(r"[\w$@]+[?!]?|[^\s\w.(){}\[\];,:\"'`<>“”]+", code):
        pieces = [piece for piece in _HUMP.split(name) if piece]
        is_acronym = len(pieces) == 1 and name.isupper()
        words += pieces if is_acronym else [piece.lower() for piece in pieces]
    return " ".join(words)
