"""Tables of the languages that tree-sitter reads."""

from analyzers.syntax.grammar import Grammar
from analyzers.syntax.languages.c import CPP, C
from analyzers.syntax.languages.csharp import CSHARP
from analyzers.syntax.languages.go import GO
from analyzers.syntax.languages.java import JAVA
from analyzers.syntax.languages.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from analyzers.syntax.languages.php import PHP
from analyzers.syntax.languages.ruby import RUBY

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
