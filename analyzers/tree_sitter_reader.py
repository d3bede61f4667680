"""Parse Java and JavaScript: whole files unchanged, hunks in the likeliest frame without an error.

A hunk may stand in a file, a class body or a function body. Each frame adds the code around it,
opens the brackets that the hunk closes, and closes the brackets that it leaves open.
"""

import importlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from crscore_core.analyzers.brackets import CLOSING, find_unmatched
from crscore_core.analyzers.model import Fragment
from crscore_core.analyzers.reader import (
    Block,
    BlockKind,
    ParsedCode,
    Passage,
    Reader,
    first_readable,
    fragment_lines,
    with_less_context,
)
from crscore_core.analyzers.tool import NotAnalysedError


@dataclass(frozen=True, slots=True, eq=False)
class _Grammar:
    """How to parse a language, and places for its hunks.

    errors: a query for code that the parser cannot read, or that it accepts although the language
        or its tool does not.
    method: completes an annotation, or the text before the name of a method.
    function: opens an anonymous function.
    frames: likeliest first: the first lines of the blocks around a hunk, and of the blocks that the
        hunk may close, outermost first; the last of these repeats.
    kinds: maps node types to kinds of blocks.
    """

    language: Language
    errors: Query
    method: str
    function: str
    frames: list[tuple[list[str], list[str]]]
    kinds: Mapping[str, BlockKind]


@cache
def _grammar(name: str) -> _Grammar:
    folder = Path(__file__).parent / name
    data = json.loads((folder / "grammar.json").read_text(encoding="utf-8"))
    language = Language(importlib.import_module(f"tree_sitter_{name}").language())
    refused = (folder / "refused.scm").read_text(encoding="utf-8")
    errors = Query(language, f"(ERROR) @error (MISSING) @error {refused}")
    kinds = data.pop("kinds").items()
    by_node = {node: BlockKind(kind) for kind, nodes in kinds for node in nodes}
    return _Grammar(language, errors, kinds=by_node, **data)


_GAP = r"\}(?>\s|//.*|/\*(?s:.*?)\*/)*+"  # possessive; otherwise, a row of slashes takes forever
_OPENERS = (  # the head of the block that is closed before a clause
    (re.compile(_GAP + r"else\b"), "if (__) {"),
    (re.compile(_GAP + r"(catch|finally)\b"), "try {"),
    (re.compile(_GAP + r"while\s*\([^{]*;"), "do {"),
)
_CLOSERS = (  # the end of a block with a head like this
    (re.compile(r"\btry\b[^{};]*$"), "} finally {}"),
    (re.compile(r"\bdo\s*$"), "} while (__);"),
)
# Code that may precede a hunk that starts in a comment, template or expression, and a sign of it.
_LEADS = {"": r"", "/*": r"\*/|\A(?:\s*+\*.*+)+\s*\Z", "`": r"`", "__": r"\A\s*[.,+?:&|=*]"}
# Code that may complete the last expression, and the statement around it.
_TAILS = (("", ""), ("", ";"), ("__", ";"))
_Brackets = tuple[tuple[str, int], ...]
_MAX_CHARACTERS = 50_000  # of a hunk
_SECONDS = 1.0  # of processor time, to parse a text or a hunk in all its frames


def _candidates(
    grammar: _Grammar, fragment: Fragment, changed_lines: frozenset[int]
) -> Iterator[Passage]:
    """Yield the hunk in each frame, with ever fewer lines of context."""
    for kept in with_less_context(fragment_lines(fragment), changed_lines):
        text = "\n".join(line for _, line in kept)
        for lead, sign in _LEADS.items():
            if not re.search(sign, text):
                continue
            unmatched = find_unmatched(lead + text)
            if unmatched.is_too_deep:
                raise NotAnalysedError("nested too deeply to parse")
            tails = (*_TAILS, (grammar.method, ""))
            endings = [_ending(unmatched.opened, lead + text, *tail) for tail in tails]
            for around, inside in grammar.frames:
                openers = _openers(grammar, inside, unmatched.closers, lead + text)
                head = " ".join([*around, *openers, lead])
                end = "".join(opener.count("{") * "}" for opener in around)
                for ending in endings:
                    yield Passage.from_lines([(None, head), *kept, (None, ending + end)])


def _openers(grammar: _Grammar, inside: list[str], closers: _Brackets, text: str) -> Iterator[str]:
    """Yield code that opens the brackets that `text` closes, outermost first."""
    inside = [*inside]
    for index in range(len(closers) - 1, -1, -1):
        bracket, offset = closers[index]
        is_argument = closers[index + 1 : index + 2] and closers[index + 1][0] != "}"
        if bracket != "}":
            yield "__(" if bracket == ")" else "__["
        elif is_argument:
            yield grammar.function
            inside = inside[-1:]
        else:
            block = inside.pop(0) if len(inside) > 1 else inside[0]
            yield next((head for clause, head in _OPENERS if clause.match(text, offset)), block)


def _ending(opened: _Brackets, text: str, expression: str, statement: str) -> str:
    """Return code that completes `text`, with the ends of its last expression and statements."""
    marks = [mark for mark, _ in opened]
    innermost = marks[-1] if marks else "{"
    end = expression if innermost in "([{" else ""
    end += statement if innermost == "{" else ""
    for outer, (mark, offset) in reversed([*zip(["{", *marks], opened, strict=False)]):
        head = text[:offset]
        block = next((end for start, end in _CLOSERS if start.search(head)), "}")
        end += block if mark == "{" else CLOSING.get(mark, mark)
        if outer == "{" and mark != "/*":
            end += statement
    return end


def _read_hunk(language: str, fragment: Fragment, changed_lines: frozenset[int]) -> ParsedCode:
    """Parse a hunk in the likeliest frame without an error."""
    if len(fragment.text) > _MAX_CHARACTERS:
        raise NotAnalysedError(f"a hunk of more than {_MAX_CHARACTERS:,} characters")
    grammar, deadline = _grammar(language), time.thread_time() + _SECONDS

    def parse(passage: Passage) -> ParsedCode:
        tree = _parse(grammar, passage.text, deadline)
        if tree is None:
            raise NotAnalysedError("the hunk takes too long to parse")
        if QueryCursor(grammar.errors).captures(tree.root_node):
            raise NotAnalysedError("the hunk cannot be parsed")
        return ParsedCode.of(passage, _blocks(grammar, passage, tree))

    passages = _candidates(grammar, fragment, changed_lines)
    in_time = takewhile(lambda _: time.thread_time() < deadline, passages)
    return first_readable(in_time, parse, fragment)


def _read_whole(language: str, fragment: Fragment) -> ParsedCode:
    grammar = _grammar(language)
    passage = Passage.from_lines(fragment_lines(fragment))
    is_too_deep = find_unmatched(passage.text).is_too_deep
    tree = None if is_too_deep else _parse(grammar, passage.text, time.thread_time() + _SECONDS)
    return ParsedCode.of(passage, _blocks(grammar, passage, tree))  # the tool reports errors


def _parse(grammar: _Grammar, text: str, deadline: float) -> Tree | None:
    """Parse `text` even if it has errors; return None after the deadline."""
    source = text.encode("utf-8", "replace")
    try:
        return Parser(grammar.language).parse(
            lambda offset, _: source[offset : offset + 65_536],
            progress_callback=lambda _, __: time.thread_time() > deadline,
        )
    except ValueError:  # the parser was stopped
        return None


# Fields of the parent of an anonymous function that may name it.
_OUTER_NAME_FIELDS = ("name", "key", "left", "property")
_LAST_NAME = re.compile(r"([^\W\d][\w$]*)\W*$")
_MAX_NAME_BYTES = 200


def _blocks(grammar: _Grammar, passage: Passage, tree: Tree | None) -> Iterator[Block]:
    """Yield blocks, outer ones first; a block starts at its name, below annotations."""
    stack = [tree.root_node] if tree else []
    while stack:
        node = stack.pop()
        stack += reversed(node.named_children)
        kind = grammar.kinds.get(node.type)
        if kind is not None:
            name_node = None if kind is BlockKind.OTHER else _name_node(node)
            code = (name_node.text or b"") if name_node else b""
            name = _LAST_NAME.search(code[-_MAX_NAME_BYTES:].decode("utf-8", "replace"))
            first_row, last_row = (name_node or node).start_point.row + 1, node.end_point.row + 1
            is_end_shown = passage.line(last_row) is not None
            yield Block(kind, name and name.group(1), first_row, last_row, is_end_shown)


def _name_node(node: Node) -> Node | None:
    name = node.child_by_field_name("name")
    if name is not None or node.parent is None:
        return name
    outer_names = (node.parent.child_by_field_name(field) for field in _OUTER_NAME_FIELDS)
    return next((name for name in outer_names if name is not None), None)


JAVA, JAVASCRIPT = (
    Reader(partial(_read_whole, name), partial(_read_hunk, name)) for name in ("java", "javascript")
)
