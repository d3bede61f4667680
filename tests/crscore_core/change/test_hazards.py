"""Hazardous diffs: each has one exact reading, or one error with its line."""

from pathlib import Path

import pytest

from crscore_core.change import MAX_BYTES, FileStatus, LineKind, parse_change
from crscore_core.errors import InputError
from tests.cases import cases
from tests.crscore_core.change.reading import reading

_SHORT = {"<hunk>\n": "@@ -1 +1 @@\n-a\n+b\n", "<names>\n": "--- a/x.py\n+++ b/x.py\n"}


def _diff(name: str, text: str) -> str | bytes:
    for short, long in _SHORT.items():
        text = text.replace(short, long)
    return text.encode("latin-1") if name.endswith("bytes") else text


HAZARDS = {
    name: (_diff(name, text), expected)
    for name, text, expected in cases(Path(__file__).with_name("hazards.txt"))
}


@pytest.mark.parametrize(("diff", "expected"), HAZARDS.values(), ids=HAZARDS)
def test_reading(diff: str | bytes, expected: str) -> None:
    assert reading(diff) == expected


@pytest.mark.parametrize("text", ["x", "("])
def test_line_of_50_mb_within_a_raised_limit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_core.change.cursor.MAX_BYTES", 60_000_000)
    long = text * 50_000_000
    change = parse_change(f"@@ -0,0 +1 @@\n+{long}")
    (line,) = change.files[0].added
    assert (line.new, line.text == long, change.warnings) == (1, True, ())


def test_half_a_million_lines() -> None:
    count = 500_000
    change = parse_change(f"@@ -0,0 +1,{count} @@\n" + "+x\n" * count)
    lines = list(change.files[0].lines())
    assert {line.kind for line in lines} == {LineKind.ADDED}
    assert (len(lines), lines[-1].new, lines[-1].position) == (count, count, count + 1)


def test_ten_thousand_files() -> None:
    diff = "".join(
        f"diff --git a/f{i}.py b/f{i}.py\nindex 1..2 100644\n--- a/f{i}.py\n+++ b/f{i}.py\n"
        f"@@ -{i + 1} +{i + 1} @@\n-a\n+b\n"
        for i in range(10_000)
    )
    files = parse_change(diff).files
    assert [file.path for file in files] == [f"f{i}.py" for i in range(10_000)]
    assert {(file.status, file.language) for file in files} == {(FileStatus.MODIFIED, "python")}
    assert [file.changed_new_lines for file in files] == [{i + 1} for i in range(10_000)]


def test_ten_thousand_hunks_in_prose() -> None:
    hunks = "".join(f"@@ -{i} +{i} @@\n-a\n+b\n\n" for i in range(1, 10_001))
    (file,) = parse_change(f"--- a/x\n+++ b/x\n{hunks}").files
    assert file.changed_new_lines == set(range(1, 10_001))


LONG = MAX_BYTES - 200
ENDLESS = {
    "spaces after diff --git": "diff --git " + " " * LONG,
    "words after diff --git": "diff --git " + "a " * (LONG // 2),
    "digits": "@@ -" + "1" * LONG + " +1 @@",
    "backslashes in quotes": 'diff --git "' + "\\" * LONG,
    "no-newline markers": "@@ -1 +1 @@\n" + "\\ No\n" * (LONG // 5),
    "and": "Binary files " + " and " * (LONG // 5) + " differ",
    "prose": "x y\n" * 100_000,
    "fences": "```\n" * 100_000,
    "mail headers": ("Content-Type: " + "x" * 900 + "\n") * 2_000,
    "marked words": "@@ -1,9 +1,9 @@\n x\n" + "[-" * (LONG // 2),
}


@pytest.mark.parametrize("diff", ENDLESS.values(), ids=ENDLESS)
def test_rejects_endless_repetition(diff: str) -> None:
    with pytest.raises(InputError, match=r"^diff, line [1-3]: "):
        parse_change(diff)
