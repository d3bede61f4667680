"""Helpers that create the input of analyzers, and skip tests of tools that are missing."""

import os
from typing import Any

import pytest

from crscore_core.analyzers import Analyzer, Fragment, SourceFile
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.tool import NotAnalysedError


def require(analyzer: Analyzer) -> None:
    """Skip the test if the tool of an analyzer is not installed, except in CI."""
    assert isinstance(analyzer, Linter)
    tool: Any = analyzer.tool
    try:
        tool.command()
    except NotAnalysedError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(f"{analyzer.name}: {error.reason}")


def whole(
    text: str, *changed: int, path: str | None = "app.py", language: str = "python"
) -> SourceFile:
    """Return a whole file; without `changed`, every line counts as changed."""
    lines = changed or range(1, text.count("\n") + 2)
    return SourceFile(path, language, (Fragment(1, text),), frozenset(lines), is_whole=True)


def hunk(text: str, first_line: int = 1, *changed: int, language: str = "python") -> SourceFile:
    """Return a file with one known hunk; without `changed`, every line counts as changed."""
    lines = changed or range(first_line, first_line + text.count("\n") + 1)
    return SourceFile("app.py", language, (Fragment(first_line, text),), frozenset(lines))
