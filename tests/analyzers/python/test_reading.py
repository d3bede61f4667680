"""Incomplete, broken and hostile Python files and hunks."""

import re
from pathlib import Path

import pytest
from analyzers.python.reading import PYTHON, repair
from analyzers.reading import MOST_CHARACTERS, UnparsableError

import analyzers
from analyzers import AnalyzerResult, Fragment, SourceFile, Status, analyze_each
from tests.analyzers.sources import hunk, whole

GOOD = "a = 1\n"
BAD = "a b c\n"


@pytest.mark.parametrize(
    ("hunks", "status", "reason"),
    [
        ([GOOD], Status.FRAGMENT, None),
        ([GOOD, GOOD], Status.FRAGMENT, None),
        (
            [GOOD, BAD, GOOD],
            Status.FRAGMENT,
            "1 of 3 hunks could not be parsed: line 20: invalid syntax",
        ),
        ([BAD], Status.NOT_ANALYSED, "the hunk could not be parsed: line 10: invalid syntax"),
        (
            [BAD, BAD],
            Status.NOT_ANALYSED,
            "2 of 2 hunks could not be parsed: line 10: invalid syntax",
        ),
    ],
)
def test_hunks_that_cannot_be_parsed_are_counted(
    hunks: list[str], status: Status, reason: str | None
) -> None:
    fragments = tuple(Fragment(10 * i, text) for i, text in enumerate(hunks, 1))
    changed = frozenset(fragment.first_line for fragment in fragments)
    reading = PYTHON.read(SourceFile("a.py", "python", fragments, changed))
    assert (reading.status, reading.reason) == (status, reason)
    assert len(reading.contexts) == hunks.count(GOOD)


def test_hunks_without_a_changed_line_need_not_be_parsed() -> None:
    fragments = (Fragment(10, BAD), Fragment(20, GOOD))
    reading = PYTHON.read(SourceFile("a.py", "python", fragments, frozenset({20})))
    assert (reading.status, reading.reason) == (Status.FRAGMENT, None)


def test_changed_lines_that_no_hunk_shows_are_not_analysed() -> None:
    reading = PYTHON.read(SourceFile("a.py", "python", (Fragment(10, GOOD),), frozenset({99})))
    assert (reading.status, reading.reason) == (Status.NOT_ANALYSED, "no changed line is shown")


def test_a_whole_file_is_not_completed() -> None:
    file = SourceFile("a.py", "python", (Fragment(1, "    a = 1\n"),), frozenset({1}), True)
    reading = PYTHON.read(file)
    assert (reading.status, reading.reason) == (Status.NOT_ANALYSED, "line 1: unexpected indent")


def test_a_long_hopeless_hunk_is_given_up() -> None:
    text = "x = [\n" + "    y z,\n" * 60_000
    with pytest.raises(UnparsableError):
        repair(Fragment(7, text), frozenset())


@pytest.mark.parametrize("size", [8, 15, 40])
def test_windows_of_real_code_are_read_with_exact_line_numbers(size: int) -> None:
    tried = read = 0
    for path in sorted(Path(analyzers.__file__).parent.rglob("*.py")):
        lines = path.read_text().split("\n")
        for start in range(0, len(lines) - size, 7):
            fragment = Fragment(start + 1, "\n".join(lines[start : start + size]))
            tried += 1
            try:
                repaired, _ = repair(fragment, frozenset(range(start + 4, start + size - 2)))
            except UnparsableError:
                continue
            read += 1
            rows = repaired.text.split("\n")
            for number, row in zip(repaired.line_numbers, rows, strict=False):
                assert number is None or lines[number - 1] == row
    assert tried > 40
    assert read >= 0.95 * tried


def both(file: SourceFile) -> list[AnalyzerResult]:
    names = ("ruff", "python-structure")
    results = [result for result in analyze_each([file])[0] if result.name in names]
    assert len(results) == len(names)
    return results


UNREADABLE = {
    "100,000 minus": ("x = " + "-" * 100_000 + "1\n", "line 1: nested too deeply to read"),
    "parentheses": ("x = " + "(" * 6_000 + ")" * 6_000, "line 1: too many nested parentheses"),
    "dots": ("x = y" + ".a" * 100_000 + "\n", "line 1: nested too deeply to read"),
    "NUL": ("x = 1\ny = '\0'\n", "line 2: a NUL byte"),
    "NUL in the middle": ("x = 1\n" * 20 + "y = '\0'\n" + "x = 1\n" * 20, "line 21: a NUL byte"),
    "lines": ("x\n" * 20_000, "more than 20,000 lines"),
    "signs": ("x;" * 150_001, "more than 300,000 words and signs"),
    "prose": ("a\n\nthis is clearly prose\n", "line 3: invalid syntax"),
    "a line": ("#" * (MOST_CHARACTERS + 1), "more than 1,000,000 characters"),
}


@pytest.mark.parametrize(("text", "reason"), UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("is_whole", [True, False])
def test_unreadable_text_is_not_analysed(text: str, reason: str, *, is_whole: bool) -> None:
    for result in both(whole(text) if is_whole else hunk(text)):
        assert result.status is Status.NOT_ANALYSED
        assert result.smells == ()
        assert result.reason is not None
        assert result.reason.removeprefix("the hunk could not be parsed: ") == reason


@pytest.mark.parametrize("is_whole", [True, False])
def test_code_that_is_too_deep_for_ruff_alone_is_not_analysed(*, is_whole: bool) -> None:
    """Python 3.13 parses it, and ruff runs out of stack; earlier versions refuse it."""
    text = "x = " + "-" * 5_000 + "1\n"
    ruff, _ = both(whole(text) if is_whole else hunk(text))
    assert ruff.status is Status.NOT_ANALYSED
    assert ruff.smells == ()
    assert ruff.reason is not None
    assert re.search("nested too deeply to read|ruff failed", ruff.reason)


def test_an_empty_file_has_no_smells() -> None:
    assert [(r.status, r.smells) for r in both(whole(""))] == [(Status.ANALYSED, ())] * 2
