"""A hunk may hide smells of the whole file, but adds none."""

from collections.abc import Iterator
from pathlib import Path

from analyzers.syntax.reading import READERS

from analyzers import AnalyzerResult, Fragment, SourceFile, Status
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter

LINES = Path(__file__).with_name("sample.txt").read_text().splitlines()
HEIGHTS = (1, 2, 3, 5, 8, 13, 21, 34)


def part(first: int, last: int, *, is_whole: bool = False) -> SourceFile:
    """The lines from `first` to `last`, all of them changed."""
    text = "\n".join(LINES[first - 1 : last]) + "\n"
    changed = frozenset(range(first, last + 1))
    fragment = Fragment(first, text)
    return SourceFile("sample.js", "javascript", (fragment,), changed, is_whole)


def windows() -> Iterator[SourceFile]:
    for height in HEIGHTS:
        for first in range(1, len(LINES) - height + 2, max(1, height // 3)):
            yield part(first, first + height - 1)


def found(result: AnalyzerResult) -> set[tuple[int, str, str]]:
    return {(smell.line, smell.rule, smell.text) for smell in result.smells}


def test_a_window_hides_smells_but_adds_none() -> None:
    files = [part(1, len(LINES), is_whole=True), *windows()]
    of_file, *of_windows = Linter(JSHint(), READERS["javascript"]).analyze(files)
    assert of_file.status is Status.ANALYSED
    whole = found(of_file)
    rules = {rule for _, rule, _ in whole}
    assert len(rules) >= 18
    shown = {smell for result in of_windows for smell in found(result)}
    assert shown - whole == set()
    # What these are about is out of sight in all windows.
    assert rules - {rule for _, rule, _ in shown} == {"E013", "W117", "W128"}
    analysed = [result for result in of_windows if result.status is Status.FRAGMENT]
    assert len(analysed) >= 0.98 * len(of_windows)
