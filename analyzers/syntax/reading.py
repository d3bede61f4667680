"""Read files and hunks in languages other than Python."""

import re
from functools import partial

from analyzers.model import Fragment
from analyzers.reading import Context, Passage, Reader, source_lines
from analyzers.syntax.completion import complete
from analyzers.syntax.grammar import Grammar
from analyzers.syntax.java import JAVA
from analyzers.syntax.javascript import JAVASCRIPT
from analyzers.syntax.parsing import blocks, parse

# Comments, strings on one line, and braces; an unclosed one ends with its line or the text.
_BRACES = re.compile(
    r"""//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|(?P<brace>[{}])"""
)


def _whole(grammar: Grammar | None, fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    tree = parse(grammar, passage.text) if grammar else None  # the tools report errors better
    return Context.of(passage, blocks(tree, grammar.kinds, passage) if grammar and tree else ())


def _part(grammar: Grammar, fragment: Fragment, changed_lines: frozenset[int]) -> Context:
    passage, tree = complete(grammar, fragment, changed_lines)
    return Context.of(passage, blocks(tree, grammar.kinds, passage))


def _part_as_it_stands(opening: str, fragment: Fragment, _: frozenset[int]) -> Context:
    """Open the braces that a hunk closes, and add a row in which open functions end.

    A function that ends in scaffold does not end in sight.
    """
    lines = enumerate(source_lines(fragment.text), fragment.first_line)
    head = ("" if "<?" in fragment.text else opening) + "{" * _closers(fragment.text)
    return Context.of(Passage.of_lines([(None, head), *lines, (None, ";")]), ())


def _closers(text: str) -> int:
    """Count the braces that `text` closes without opening them."""
    depth = lowest = 0
    for found in _BRACES.finditer(text):
        depth += {"{": 1, "}": -1}.get(found["brace"], 0)
        lowest = min(lowest, depth)
    return -lowest


READERS = {
    **{
        name: Reader(partial(_whole, grammar), partial(_part, grammar))
        for name, grammar in {"java": JAVA, "javascript": JAVASCRIPT}.items()
    },
    **{
        name: Reader(partial(_whole, None), partial(_part_as_it_stands, opening))
        for name, opening in {
            **dict.fromkeys(("c", "cpp", "csharp", "go", "ruby", "typescript"), ""),
            "php": "<?php ",
        }.items()
    },
}
"""Readers by language: whole files as they are, hunks of Java and JavaScript in a scaffold.

Hunks in other languages stay as they are, since their tool reads only tokens.
"""
