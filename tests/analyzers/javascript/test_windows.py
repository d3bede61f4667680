"""What a hunk shows of a file may hide smells, but makes none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, Fragment, SourceFile, Status
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS

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


@pytest.fixture(scope="module")
def whole() -> set[tuple[int, str, str]]:
    linter = Linter(JSHint(), READERS["javascript"])
    (result,) = linter.analyze([part(1, len(LINES), is_whole=True)])
    assert result.status is Status.ANALYSED
    return found(result)


@pytest.fixture(scope="module")
def results() -> list[AnalyzerResult]:
    return Linter(JSHint(), READERS["javascript"]).analyze([*windows()])


def test_the_sample_has_smells_of_many_kinds(whole: set[tuple[int, str, str]]) -> None:
    assert len({rule for _, rule, _ in whole}) >= 18


def test_no_window_has_a_smell_that_the_file_has_not(
    whole: set[tuple[int, str, str]], results: list[AnalyzerResult]
) -> None:
    assert {smell for result in results for smell in found(result)} - whole == set()


def test_nearly_all_windows_are_analysed(results: list[AnalyzerResult]) -> None:
    analysed = [result for result in results if result.status is Status.FRAGMENT]
    assert len(analysed) >= 0.98 * len(results)


def test_windows_show_most_kinds_of_smells(
    whole: set[tuple[int, str, str]], results: list[AnalyzerResult]
) -> None:
    shown = {smell for result in results for smell in found(result)}
    # What these are about is out of sight in all of them.
    kinds_out_of_sight = {"E013", "W117", "W128"}
    assert {rule for _, rule, _ in whole} - {rule for _, rule, _ in shown} == kinds_out_of_sight
