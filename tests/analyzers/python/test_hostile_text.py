"""Texts made to break parsers, read by every Python analyzer."""

import pytest

from analyzers import AnalyzerResult, SourceFile, Status, analyze
from analyzers.reading import MAX_CHARACTERS
from tests.analyzers.sources import hunk, whole

ANALYSED = Status.ANALYSED
NOT_ANALYSED = Status.NOT_ANALYSED


def both(file: SourceFile) -> list[AnalyzerResult]:
    results = analyze([file])
    assert [result.name for result in results] == ["ruff", "python-structure"]
    return results


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = " + "-" * 5_000 + "1\n", "line 1: nested too deeply to read"),
        ("x = " + "-" * 100_000 + "1\n", "line 1: nested too deeply to read"),
        ("x = " + "(" * 6_000 + ")" * 6_000 + "\n", "line 1: too many nested parentheses"),
        ("x = y" + ".a" * 100_000 + "\n", "line 1: nested too deeply to read"),
        ("x = 1\ny = '\0'\n", "line 2: a NUL byte"),
        ("x = 1\n" * 200_000, f"larger than {MAX_CHARACTERS:,} characters"),
        ("a\n\nthis is clearly prose\n", "line 3: invalid syntax"),
        ("#" * (MAX_CHARACTERS + 1), f"larger than {MAX_CHARACTERS:,} characters"),
    ],
    ids=["5,000 minus", "100,000 minus", "parentheses", "dots", "NUL", "lines", "prose", "line"],
)
@pytest.mark.parametrize("is_whole", [True, False])
def test_unreadable_text_is_not_analysed(text: str, reason: str, *, is_whole: bool) -> None:
    for result in both(whole(text) if is_whole else hunk(text)):
        assert result.status is Status.NOT_ANALYSED
        assert result.smells == ()
        assert result.reason is not None
        assert result.reason.removeprefix("the hunk could not be parsed: ") == reason


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff{}",
        "{}# \udcff lone surrogate\n",
        "{}# a carriage return\r inside\r\n",
        "z = '\udfff'\r\n{}",
        "{}# \x0b \x0c \x85 \u2028 breaks that no diff knows\n",
        "# -*- coding: rot13 -*-\n{}",
        "x = '\\d'\n{}",
    ],
)
def test_odd_characters_move_no_line(text: str) -> None:
    code = text.format("y = 1\nz = y == None\n")
    ruff, _ = both(whole(code))
    line = 1 + code.replace("\r\n", "\n").split("\n").index("z = y == None")
    assert ("E711", line) in [(smell.rule, smell.line) for smell in ruff.smells]


def test_an_empty_file_has_no_smells() -> None:
    assert [(r.status, r.smells) for r in both(whole(""))] == [(ANALYSED, ())] * 2
