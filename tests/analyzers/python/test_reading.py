import pytest

from analyzers import Fragment, SourceFile, Status
from analyzers.python.reading import PYTHON

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


def test_a_whole_file_is_not_mended() -> None:
    file = SourceFile("a.py", "python", (Fragment(1, "    a = 1\n"),), frozenset({1}), True)
    reading = PYTHON.read(file)
    assert (reading.status, reading.reason) == (Status.NOT_ANALYSED, "line 1: unexpected indent")
