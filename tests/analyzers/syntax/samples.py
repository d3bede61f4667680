"""A file of each language, and a way to read hunks that need not be readable."""

from pathlib import Path

from analyzers import Fragment
from analyzers.context import Context
from analyzers.reading import UnparsableError
from analyzers.syntax.reading import READERS

__all__ = ["SAMPLES", "attempt"]

SAMPLES = {
    path.stem: path.read_text("utf-8")
    for path in sorted((Path(__file__).parent / "samples").glob("*.txt"))
}


def attempt(
    language: str, fragment: Fragment, changed_lines: frozenset[int]
) -> Context | UnparsableError:
    """The context of a hunk, or why it has none."""
    try:
        return READERS[language].part(fragment, changed_lines)
    except UnparsableError as error:
        return error
