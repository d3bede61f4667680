"""What languages have in common that took it from C."""

from analyzers.syntax.grammar import Quote

__all__ = ["BLOCK_COMMENT", "CHARACTERS", "TEXT"]

BLOCK_COMMENT = Quote(r"/\*", r"(?s:.*?)", r"\*/", ("/*",), "*/", is_comment=True)
TEXT = Quote('"', r'(?:\\.|[^"\\\n])*', '"')
CHARACTERS = Quote("'", r"(?:\\.|[^'\\\n])*", "'")
