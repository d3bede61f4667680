"""Readers of the languages that tree-sitter knows."""

from collections.abc import Sequence
from functools import partial

from analyzers.context import Context
from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.reading import Reader, UnparsableError
from analyzers.syntax.blocks import blocks
from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages import GRAMMARS
from analyzers.syntax.parsing import is_mostly_code, parse
from analyzers.syntax.scaffold import complete

__all__ = ["READERS"]


def _whole(dialects: Sequence[Grammar], fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    for grammar in dialects:
        tree = parse(grammar, passage.text)
        if tree is not None and not tree.root_node.has_error:
            break
    # What the strict tools cannot read, they say themselves, and better.
    if grammar.may_err and (tree is None or not is_mostly_code(tree)):
        raise UnparsableError(fragment.first_line, f"no {grammar.name} that can be read")
    return Context.of(passage, blocks(tree, grammar.blocks, passage) if tree else ())


READERS: dict[str, Reader] = {
    name: Reader(partial(_whole, dialects), partial(complete, dialects))
    for name, dialects in GRAMMARS.items()
}
"""Readers by language: whole files as they are, hunks in the smallest scaffold that parses."""
