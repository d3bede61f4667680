"""Read files and hunks of the languages that tree-sitter knows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from analyzers.model import Fragment
from analyzers.reading import (
    Block,
    BlockKind,
    Context,
    Passage,
    Reader,
    UnparsableError,
    source_lines,
)
from analyzers.syntax.candidates import Candidate, Torn, candidates
from analyzers.syntax.grammar import Grammar, Quote
from analyzers.syntax.languages import GRAMMARS
from analyzers.syntax.outline import outline
from analyzers.syntax.parsing import Judge, first_error, is_mostly_code, parse

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

# Fields of a node that hold its name, and fields of the parent of a function without a name.
_NAME_FIELDS = ("name", "declarator")
_OUTER_NAME_FIELDS = ("name", "key", "left", "property", "declarator")
_LAST_NAME = re.compile(r"(operator\s*\W+|~?[^\W\d][\w$]*[?!=]?)\W*$")
_MOST_DECLARATORS = 20
_MOST_BYTES = 200


def blocks(tree: "Tree", kinds: Mapping[str, BlockKind], passage: Passage) -> Iterator[Block]:
    """Yield blocks from the outside in, by the `kinds` of nodes.

    A block begins at its name, so that lines above a function or class are not in it. It ends
    in sight if its last line is shown.
    """
    source = passage.text.encode("utf-8", "replace")
    for node, parent in _nodes(tree):
        kind = kinds.get(node.type)
        if kind is None or not node.is_named or _only_names_a_type(node):
            continue
        named = None if kind is BlockKind.OTHER else _name_node(node, parent)
        first_row = (named or node).start_point.row + 1
        last_row = node.end_point.row + 1
        is_shown = passage.line(last_row) is not None
        yield Block(
            kind,
            named and _name(source[named.start_byte : named.end_byte]),
            first_row,
            last_row,
            is_shown,
        )


def _nodes(tree: "Tree") -> "Iterator[tuple[Node, Node | None]]":
    """Yield all nodes from the outside in, each with its parent."""
    cursor = tree.walk()
    parents: list[Node] = []
    while (node := cursor.node) is not None:
        yield node, parents[-1] if parents else None
        if cursor.goto_first_child():
            parents.append(node)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            parents.pop()


def _only_names_a_type(node: "Node") -> bool:
    """Return True for a type without a body, such as C's `struct name` in a declaration."""
    return node.type.endswith("_specifier") and node.child_by_field_name("body") is None


def _name_node(node: "Node", parent: "Node | None") -> "Node | None":
    own = _first_field(node, _NAME_FIELDS)
    if own is not None and not own.type.startswith("abstract_"):
        return _innermost_declarator(own)
    return None if parent is None else _first_field(parent, _OUTER_NAME_FIELDS)


def _first_field(node: "Node", fields: tuple[str, ...]) -> "Node | None":
    found = (node.child_by_field_name(field) for field in fields)
    return next((one for one in found if one is not None), None)


def _innermost_declarator(node: "Node") -> "Node":
    for _ in range(_MOST_DECLARATORS):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "reference_declarator":
            inner = node.named_child(0)
        if inner is None:
            break
        node = inner
    return node


def _name(code: bytes) -> str | None:
    found = _LAST_NAME.search(code[-_MOST_BYTES:].decode("utf-8", "replace"))
    return found.group(1) if found else None


_MAX_CUT = 6
_MAX_LENGTH_TO_CUT = 20_000  # in characters: nothing is cut off a longer hunk
# In reports of the parser: what is tried in all, so that a hopeless hunk does not take long.
_PARSE_BUDGET = 20_000

_MOST_FLAWED = 4
_RANK_COST = 0.02  # in shares of errors


_Line = tuple[int | None, str]
_Found = tuple[Passage, "Tree"]


def complete(
    dialects: Sequence[Grammar], fragment: Fragment, changed_lines: frozenset[int]
) -> Context:
    """Find the least change of `fragment`'s ends that makes it code of one of `dialects`.

    Nothing inside it is altered and no changed line is left out. In this order: as it is or in
    a scaffold, with what its first and last statement lack; then with up to six lines of
    context off its ends.

    Raises:
        UnparsableError: nothing helped; the line is that of the new file.
    """
    lines: list[_Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    heading = fragment.heading or ""
    first_error: UnparsableError | None = None
    for lenient in (False, True):
        judges = [Judge(grammar, _PARSE_BUDGET, lenient=lenient) for grammar in dialects]
        for kept in _cuts(lines, changed_lines):
            for judge in judges:
                found = _read(kept, heading, judge)
                if not isinstance(found, Passage):
                    passage, tree = found
                    return Context.of(passage, blocks(tree, judge.grammar.blocks, passage))
                first_error = first_error or _error(dialects[0], found)
            if judges[0].is_tired:
                break
        if not any(judge.was_strict or _has_markup(judge.grammar, fragment) for judge in judges):
            break
    raise first_error or UnparsableError(fragment.first_line, "syntax error")


def _has_markup(grammar: Grammar, fragment: Fragment) -> bool:
    return grammar.markup is not None and re.search(grammar.markup, fragment.text) is not None


def _cuts(lines: list[_Line], changed_lines: frozenset[int]) -> Iterator[list[_Line]]:
    """Yield all lines, then fewer and fewer of them."""
    may_cut = sum(len(text) for _, text in lines) <= _MAX_LENGTH_TO_CUT
    for count in range(_MAX_CUT + 1 if may_cut else 1):
        for top in range(count + 1):
            end = len(lines) - (count - top)
            left_out = lines[:top] + lines[end:]
            if top < end and not any(number in changed_lines for number, _ in left_out):
                yield lines[top:end]


def _read(lines: list[_Line], heading: str, judge: Judge) -> "_Found | Passage":
    """Return the likeliest passage that is code, with its tree; else the likeliest passage."""
    text = "".join(f"{line}\n" for _, line in lines)
    likeliest: list[Passage] = []
    for torn in _readings(judge.grammar, text, heading):
        found = candidates(torn, judge)
        likeliest += [_passage(torn, one, lines)[0] for one in found[:_MOST_FLAWED]]
        hopeless: set[tuple[str, ...]] = set()
        for candidate in found:
            if candidate.start in hopeless:
                continue
            passage, rows_before_tail = _passage(torn, candidate, lines)
            verdict = judge.verdict(passage.text)
            if verdict.tree is not None:
                return passage, verdict.tree
            if verdict.read < _bytes(passage.text, rows_before_tail):
                hopeless.add(candidate.start)
            if judge.is_tired:
                break
    return _least_flawed(likeliest, judge) or next(iter(likeliest), Passage.of_lines(lines))


def _error(grammar: Grammar, passage: Passage) -> UnparsableError:
    """Return the first error in `passage`, at its line of the new file or the line before."""
    tree = parse(grammar, passage.text)
    row = first_error(tree) if tree is not None else None
    numbers = passage.line_numbers
    before = [number for number in reversed(numbers[: row or 0]) if number is not None]
    line = next(number for number in (*before, *numbers) if number is not None)
    return UnparsableError(line, "syntax error")


def _least_flawed(passages: list[Passage], judge: Judge) -> "_Found | None":
    """Return the likeliest passage with small errors, if any; fewer errors are likelier."""
    flawed = [(passage, judge.flaws(passage.text)) for passage in passages]
    rated = [
        (rank * _RANK_COST + found[1], passage, found[0])
        for rank, (passage, found) in enumerate(flawed)
        if found is not None
    ]
    return min(rated, key=lambda one: one[0])[1:] if rated else None


def _bytes(text: str, rows: int) -> int:
    """Count the bytes of the first `rows` of `text`."""
    shown = "\n".join(text.split("\n")[:rows])
    return len(shown.encode("utf-8", "replace"))


def _passage(torn: Torn, candidate: Candidate, lines: list[_Line]) -> tuple[Passage, int]:
    """Return the lines in the scaffold, and the number of rows before the added end."""
    before = [*candidate.start]
    for closers in torn.shape.directives:
        # A directive goes around all that is opened after it.
        before.insert(len(before) - 1 - closers, "#if 1")
    after = [*candidate.tail.split("\n"), *candidate.after]
    head: list[_Line] = [*((None, line) for line in before if line), *lines]
    return Passage.of_lines([*head, *((None, line) for line in after if line)]), len(head)


def _readings(grammar: Grammar, text: str, heading: str) -> list[Torn]:
    """Return the ways to read the start: as code, or as the end of a torn comment or text.

    Ways with fewer lines in torn comments and texts come first.
    """
    starts: list[Quote | None] = [None, *(quote for quote in grammar.lexis.quotes if quote.leads)]
    shapes = [outline(grammar.lexis, text, start) for start in starts]
    fine = sorted((one for one in shapes if one is not None), key=lambda one: one.torn_lines)
    return [Torn(grammar, text, shape, heading) for shape in fine]


def _whole(dialects: Sequence[Grammar], fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    for grammar in dialects:
        tree = parse(grammar, passage.text)
        if tree is not None and not tree.root_node.has_error:
            break
    # The strict tools report errors themselves, and better.
    if grammar.may_err and (tree is None or not is_mostly_code(tree)):
        raise UnparsableError(fragment.first_line, f"no {grammar.name} that can be read")
    return Context.of(passage, blocks(tree, grammar.blocks, passage) if tree else ())


READERS: dict[str, Reader] = {
    name: Reader(partial(_whole, dialects), partial(complete, dialects))
    for name, dialects in GRAMMARS.items()
}
"""Readers by language: whole files as they are, hunks in the smallest scaffold that parses."""
