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
from pathlib import Path
from typing import TYPE_CHECKING

from crscore_core.analyzers.brackets import CLOSING, find_unmatched
from crscore_core.analyzers.model import Fragment
from crscore_core.analyzers.reader import (
    Block,
    BlockKind,
    Line,
    ParsedCode,
    Passage,
    Reader,
    fragment_lines,
    with_less_context,
)
from crscore_core.analyzers.tool import NotAnalysedError

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree


@dataclass(frozen=True, slots=True)
class Frame:
    """A place for a hunk, as the first lines of blocks.

    around: the blocks around the hunk, outermost first.
    inside: the blocks that a hunk may close, outermost first; the last one repeats.
    """

    around: tuple[str, ...]
    inside: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The frames, node types and queries of a language.

    module: its tree-sitter parser.
    method: completes an annotation, or the text before the name of a method.
    frames: likeliest first.
    function: opens an anonymous function.
    kinds: kinds of blocks by node type.
    refused: a query for code that the parser accepts, but the language or its tool does not.
    """

    module: str
    method: str
    frames: tuple[Frame, ...]
    function: str
    kinds: Mapping[str, BlockKind]
    refused: str


def _grammar(language: str) -> Grammar:
    folder = Path(__file__).parent / language
    data = json.loads((folder / "grammar.json").read_text(encoding="utf-8"))
    return Grammar(
        module=f"tree_sitter_{language}",
        method=data["method"],
        frames=tuple(Frame(tuple(around), tuple(inside)) for around, inside in data["frames"]),
        function=data["function"],
        kinds={node: BlockKind(kind) for kind, nodes in data["kinds"].items() for node in nodes},
        refused=(folder / "refused.scm").read_text(encoding="utf-8"),
    )


_GAP = r"\}(?>\s|//.*|/\*(?s:.*?)\*/)*+"  # possessive, or a row of slashes takes for ever
_OPENERS = (  # the head of the block that is closed before a clause
    (re.compile(_GAP + r"else\b"), "if (__) {"),
    (re.compile(_GAP + r"(catch|finally)\b"), "try {"),
    (re.compile(_GAP + r"while\s*\([^{]*;"), "do {"),
)
_CLOSERS = (  # the end of a block with a head like this
    (re.compile(r"\btry\b[^{};]*$"), "} finally {}"),
    (re.compile(r"\bdo\s*$"), "} while (__);"),
)
# What may precede a hunk that starts in a comment, template or expression, and a sign of it.
_LEADS = {"": r"", "/*": r"\*/|\A(?:\s*+\*.*+)+\s*\Z", "`": r"`", "__": r"\A\s*[.,+?:&|=*]"}
# What may complete the last expression, and the statement around it.
_TAILS = (("", ""), ("", ";"), ("__", ";"))
_Brackets = tuple[tuple[str, int], ...]
_MAX_CHARACTERS = 50_000  # of a hunk
_SECONDS = 1.0  # of processor time, to parse a text or a hunk in all its frames


def _candidates(grammar: Grammar, lines: list[Line], changed: frozenset[int]) -> Iterator[Passage]:
    """Yield the hunk in each frame, with ever fewer lines of context."""
    for kept in with_less_context(lines, changed):
        text = "\n".join(line for _, line in kept)
        for lead, sign in _LEADS.items():
            if not re.search(sign, text):
                continue
            unmatched = find_unmatched(lead + text)
            if unmatched.is_too_deep:
                raise NotAnalysedError("nested too deeply to parse")
            tails = (*_TAILS, (grammar.method, ""))
            endings = [_ending(unmatched.opened, lead + text, *tail) for tail in tails]
            for frame in grammar.frames:
                openers = _openers(grammar, frame, unmatched.closers, lead + text)
                head = " ".join([*frame.around, *openers, lead])
                around = "".join(opener.count("{") * "}" for opener in frame.around)
                for ending in endings:
                    yield Passage.from_lines([(None, head), *kept, (None, ending + around)])


def _openers(grammar: Grammar, frame: Frame, closers: _Brackets, text: str) -> Iterator[str]:
    """Yield code that opens the brackets that `text` closes, outermost first."""
    inside = [*frame.inside]
    for index in range(len(closers) - 1, -1, -1):
        bracket, offset = closers[index]
        is_argument = closers[index + 1 : index + 2] and closers[index + 1][0] != "}"
        if bracket != "}":
            yield "__(" if bracket == ")" else "__["
        elif is_argument:
            yield grammar.function
            inside = [frame.inside[-1]]
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


def _read_hunk(grammar: Grammar, fragment: Fragment, changed_lines: frozenset[int]) -> ParsedCode:
    """Return a hunk in the likeliest frame without an error.

    Raises:
        NotAnalysedError: each frame has an error; the row is the line of the first one.
    """
    lines = fragment_lines(fragment)
    if len(fragment.text) > _MAX_CHARACTERS:
        raise NotAnalysedError(f"a hunk of more than {_MAX_CHARACTERS:,} characters")
    deadline = time.thread_time() + _SECONDS
    fewest: tuple[int, int] | None = None
    for passage in _candidates(grammar, lines, changed_lines):
        tree = _parse(grammar, passage.text, deadline)
        if tree is None:
            break
        errors = _error_rows(grammar, tree)
        if not errors:
            return ParsedCode.of(passage, _blocks(grammar, passage, tree))
        line = passage.line(errors[0]) or lines[-1][0] or 0
        fewest = min(fewest or (len(errors), line), (len(errors), line))
    raise NotAnalysedError("the hunk cannot be parsed", fewest and fewest[1])


def _read_whole(grammar: Grammar, fragment: Fragment) -> ParsedCode:
    passage = Passage.from_lines(fragment_lines(fragment))
    is_too_deep = find_unmatched(passage.text).is_too_deep
    tree = None if is_too_deep else _parse(grammar, passage.text, time.thread_time() + _SECONDS)
    return ParsedCode.of(passage, _blocks(grammar, passage, tree))  # the tool reports errors


@cache
def _language(module: str) -> "Language":
    from tree_sitter import Language

    return Language(importlib.import_module(module).language())


@cache
def _query(grammar: Grammar) -> "Query":
    from tree_sitter import Query

    return Query(_language(grammar.module), f"(ERROR) @error (MISSING) @error {grammar.refused}")


def _parse(grammar: Grammar, text: str, deadline: float) -> "Tree | None":
    """Parse `text` even if it has errors; return None after the deadline."""
    from tree_sitter import Parser

    source = text.encode("utf-8", "replace")
    try:
        return Parser(_language(grammar.module)).parse(
            lambda offset, _: source[offset : offset + 65_536],
            progress_callback=lambda _, __: time.thread_time() > deadline,
        )
    except ValueError:  # the parser was stopped
        return None


def _error_rows(grammar: Grammar, tree: "Tree") -> list[int]:
    """Return the row, from 1, of each error."""
    from tree_sitter import QueryCursor

    captures = QueryCursor(_query(grammar)).captures(tree.root_node)
    return sorted(node.start_point.row + 1 for nodes in captures.values() for node in nodes)


# Fields of the parent of an anonymous function that may name it.
_OUTER_NAME_FIELDS = ("name", "key", "left", "property")
_LAST_NAME = re.compile(r"([^\W\d][\w$]*)\W*$")
_MAX_NAME_BYTES = 200


def _blocks(grammar: Grammar, passage: Passage, tree: "Tree | None") -> Iterator[Block]:
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


def _name_node(node: "Node") -> "Node | None":
    name = node.child_by_field_name("name")
    if name is not None or node.parent is None:
        return name
    outer_names = (node.parent.child_by_field_name(field) for field in _OUTER_NAME_FIELDS)
    return next((name for name in outer_names if name is not None), None)


JAVA, JAVASCRIPT = (
    Reader(partial(_read_whole, grammar), partial(_read_hunk, grammar))
    for grammar in map(_grammar, ("java", "javascript"))
)
