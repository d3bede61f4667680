"""The tables of each language."""

from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages.java import JAVA
from analyzers.syntax.languages.javascript import JAVASCRIPT

__all__ = ["GRAMMARS"]

GRAMMARS: dict[str, Grammar] = {grammar.name: grammar for grammar in (JAVA, JAVASCRIPT)}
"""By the names that source files carry."""
