"""How code and what tools say are put into the sentence of a smell."""

__all__ = ["one_line", "quoted"]

_MAX_LENGTH = 60
_MAX_MESSAGE = 300
_MAX_READ = 3_000  # a file may be one long line, and every smell on it shows it


def quoted(code: str) -> str:
    """`code` between backticks, on one line, shortened, without what could not be shown."""
    return f"`{_shortened(one_line(code).replace('`', chr(39)), _MAX_LENGTH)}`"


def one_line(text: str) -> str:
    """`text` on one line, without what could not be shown."""
    visible = "".join(char if char.isprintable() else " " for char in text.lstrip()[:_MAX_READ])
    return _shortened(" ".join(visible.split()), _MAX_MESSAGE)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
