"""Readers of the languages that tree-sitter knows."""

from functools import partial

from analyzers.context import Context
from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.reading import Reader
from analyzers.syntax.blocks import blocks
from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages import GRAMMARS
from analyzers.syntax.parsing import parse
from analyzers.syntax.scaffold import complete

__all__ = ["READERS"]


def _whole(grammar: Grammar, fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    tree = parse(grammar, passage.text)
    return Context.of(passage, blocks(tree, grammar.blocks, passage) if tree else ())


def _part(grammar: Grammar, fragment: Fragment, changed_lines: frozenset[int]) -> Context:
    passage, tree = complete(grammar, fragment, changed_lines)
    return Context.of(passage, blocks(tree, grammar.blocks, passage))


READERS: dict[str, Reader] = {
    name: Reader(partial(_whole, grammar), partial(_part, grammar))
    for name, grammar in GRAMMARS.items()
}
"""Readers by language: whole files as they are, hunks in the smallest scaffold that parses."""
