"""Hazardous diffs: each has one exact reading, or one error with its line."""

import re
from pathlib import Path

import pytest

from crscore_core.change import (
    MAX_DIFF_BYTES,
    ChangedLine,
    FileChange,
    Hunk,
    LineKind,
    parse_change,
)
from crscore_core.errors import InputError
from tests.cases import cases

_SHORT = {"<hunk>\n": "@@ -1 +1 @@\n-a\n+b\n", "<names>\n": "--- a/x.py\n+++ b/x.py\n"}
LONG = MAX_DIFF_BYTES - 200
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
    "line feeds": "\n" * LONG + "x",
    "marked words": "@@ -1,9 +1,9 @@\n x\n" + "[-" * (LONG // 2),
}


def reading(diff: str | bytes) -> str:
    """Format the files, hunks, lines and warned lines of a diff, or the line of its error."""
    try:
        change = parse_change(diff)
    except InputError as error:
        return f"error, {_place(str(error).removeprefix('diff, '))}"
    rows = [row for file in change.files for row in (_file(file), *map(_hunk, file.hunks))]
    places = (_place(text.partition(": ")[2]) for text in change.warnings)
    return "\n".join([*rows, *(f"warning, {place}" for place in places)])


def _place(message: str) -> str:
    match = re.match(r"lines? (\d+)", message)
    return f"line {match[1]}" if match else "no line"


def _file(file: FileChange) -> str:
    modes = f"mode {file.old_mode} -> {file.new_mode}" if file.old_mode or file.new_mode else ""
    name = f"{file.status} {file.old_path!r} -> {file.new_path!r}"
    return ", ".join(filter(None, [name, file.language, modes, "binary" * file.is_binary]))


def _hunk(hunk: Hunk) -> str:
    ranges = f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}"
    return "; ".join([f"@@ {ranges} @@ {hunk.section!r}", *map(_line, hunk.lines)])


def _line(line: ChangedLine) -> str:
    """Format position, kind, old and new line number, and text."""
    numbers = f"{line.old}/{line.new}" if line.kind is LineKind.CONTEXT else line.old or line.new
    return f"{line.position}: {line.kind}{numbers} {line.text!r}"


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


def test_an_ampersand_that_is_escaped_twice_in_a_row_is_no_code() -> None:
    assert "+1 'a && b'" in reading("@@ -1 +1 @@\n-a\n+a &amp;&amp; b")


def test_ten_thousand_hunks_in_prose() -> None:
    hunks = "".join(f"@@ -{i} +{i} @@\n-a\n+b\n\n" for i in range(1, 10_001))
    (file,) = parse_change(f"--- a/x\n+++ b/x\n{hunks}").files
    assert [line.new for line in file.added] == list(range(1, 10_001))


@pytest.mark.parametrize(("diff", "advice"), [
    ('[{"d": "@@ -1 +1 @@\\n-a"}]', r"\.\. \| \.d\?"), ('[{"a": "b"}]', "a unified diff$"),
    ("QEAgLTEgKzEgQEAK" * 5, "base64 -d"), ("10:00Z @@ -1 +1 @@\n-a\n+b\n", "quoted"),
    ("commit 1234567 (from 2345678)\n@@ -1 +1 @@\n-a\n+b\n", "--first-parent"),
    ("Merge: 1234567 2345678\n", "--first-parent"), ("1:  1234567 < -:  ------- A\n", "range-diff"),
    (" a.py | 2 +-\n 1 file changed, 1 insertion(+)\n", "diff -p"), ("M\ta.py\n", "diff -p"),
    ("Modified regular file a.py:\n   1    1: x\n", "jj diff --git"),
    ("a.py --- 1/2 --- C++\n1 x   1 y\n", "--no-ext-diff"),
    ("\x1b[1m@@ -1,2 +1,2 @@\x1b[m\nold\x1b[31mnew\x1b[m\n", "word diff"),
    ("*** a\n--- b\n***************\n", "diff -u"), ("1,2c3\n< a\n---\n> b\n", "diff -u"),
    ("==== //a.c#1 ====\n2c2\n< a\n", "p4 diff -du"), ("Only in new: a.py\n", "without lines"),
    ("@@ -1,2 +1,2 @@\n-a\n\xa0b\n", r"'\\xa0'"), ("<<<<<<< SEARCH\na\n", "agent"),
    ("*** Begin Patch\n@@ f\n-a\n", "line 1: .*agent"), ("7:@@ -1 +1 @@\n8:-a\n", "numbered"),
    ("> @@ -1 +1 @@\n>> @@ -7 +7 @@\n", "quoted"), ("@@\xa0-1 +1 @@\n-a\n+b", r"'@@\\xa0-1"),
])  # fmt: skip
def test_an_error_says_what_to_do(diff: str, advice: str) -> None:
    with pytest.raises(InputError, match=advice):
        parse_change(diff)


@pytest.mark.parametrize("diff", ENDLESS.values(), ids=ENDLESS)
def test_rejects_endless_repetition(diff: str) -> None:
    with pytest.raises(InputError, match=r"^diff, line [1-3]: "):
        parse_change(diff)
