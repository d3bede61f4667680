"""Helpers that create the input of analyzers."""

from crscore_core.analyzers import Fragment, SourceFile


def whole(
    text: str, *changed: int, path: str | None = "app.py", language: str = "python"
) -> SourceFile:
    """Return a whole file; without `changed`, every line counts as changed."""
    lines = changed or range(1, text.count("\n") + 2)
    return SourceFile(path, language, (Fragment(1, text),), frozenset(lines), is_whole=True)


def hunk(
    text: str,
    first_line: int = 1,
    *changed: int,
    language: str = "python",
) -> SourceFile:
    """Return a file with one known hunk; without `changed`, every line counts as changed."""
    lines = changed or range(first_line, first_line + text.count("\n") + 1)
    fragment = Fragment(first_line, text)
    return SourceFile("app.py", language, (fragment,), frozenset(lines))
