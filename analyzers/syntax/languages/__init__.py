"""The tables of each language."""

from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages.c import C
from analyzers.syntax.languages.cpp import CPP
from analyzers.syntax.languages.csharp import CSHARP
from analyzers.syntax.languages.go import GO
from analyzers.syntax.languages.java import JAVA
from analyzers.syntax.languages.javascript import JAVASCRIPT
from analyzers.syntax.languages.php import PHP
from analyzers.syntax.languages.ruby import RUBY
from analyzers.syntax.languages.typescript import TSX, TYPESCRIPT

__all__ = ["GRAMMARS"]

GRAMMARS: dict[str, tuple[Grammar, ...]] = {
    "c": (C,),
    "cpp": (CPP,),
    "csharp": (CSHARP,),
    "go": (GO,),
    "java": (JAVA,),
    "javascript": (JAVASCRIPT,),
    "php": (PHP,),
    "ruby": (RUBY,),
    "typescript": (TYPESCRIPT, TSX),
}
"""The dialects of each language, the likeliest first, by the names that source files carry."""
