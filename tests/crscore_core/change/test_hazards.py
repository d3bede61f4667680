"""Hazardous diffs: each has one exact reading, or one error with its line."""

from pathlib import Path

import pytest

from crscore_core.change import (
    MAX_BYTES,
    ChangedLine,
    CodeChange,
    FileChange,
    FileStatus,
    LineKind,
    parse_change,
)
from crscore_core.errors import InputError
from crscore_core.text import visible_text
from tests.cases import cases

HAZARDS = {
    name: (text.encode("latin-1") if name.endswith("bytes") else text, reading)
    for name, text, reading in cases(Path(__file__).with_name("hazards.txt"))
}


def shown(change: CodeChange) -> str:
    """Format everything in a change, on a line each: files, hunks, lines and warnings."""
    parts = []
    for file in change.files:
        parts.append(_shown_file(file))
        for hunk in file.hunks:
            ranges = f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}"
            parts.append(f"@@ {ranges} @@ {visible_text(hunk.section)}".rstrip())
            parts += map(_shown_line, hunk.lines)
    return "\n".join([*parts, *(f"warning: {warning}" for warning in change.warnings)])


def _shown_file(file: FileChange) -> str:
    parts = [f"{file.status} {file.old_path!r} -> {file.new_path!r}"]
    if file.language:
        parts.append(f"{file.language} by {file.language_source}")
    if file.old_mode or file.new_mode:
        parts.append(f"mode {file.old_mode} -> {file.new_mode}")
    if file.is_binary:
        parts.append("binary")
    return ", ".join(parts)


def _shown_line(line: ChangedLine) -> str:
    """Format position, kind, old and new line number, and text."""
    numbers = f"{line.old}/{line.new}" if line.kind is LineKind.CONTEXT else line.old or line.new
    end = " without newline" if line.ends_without_newline else ""
    return f"{line.position}: {line.kind}{numbers} {line.text!r}{end}"


@pytest.mark.parametrize(("diff", "reading"), HAZARDS.values(), ids=HAZARDS)
def test_reading(diff: str | bytes, reading: str) -> None:
    if not reading.startswith("diff"):
        assert shown(parse_change(diff)) == reading
        return
    with pytest.raises(InputError) as caught:
        parse_change(diff)
    assert str(caught.value) == reading
    assert caught.value.line is None or reading.startswith(f"diff, line {caught.value.line}:")


@pytest.mark.parametrize("text", ["x", "("])
def test_a_line_of_50_mb_within_a_raised_limit(text: str) -> None:
    long = text * (50_000_000 // len(text))
    change = parse_change(f"@@ -0,0 +1 @@\n+{long}", max_bytes=60_000_000)
    (line,) = change.files[0].added
    assert (line.new, line.text == long, change.warnings[1:]) == (1, True, ())


def test_half_a_million_lines() -> None:
    count = 500_000
    change = parse_change(f"@@ -0,0 +1,{count} @@\n" + "+x\n" * count)
    (file,) = change.files
    lines = list(file.lines())
    assert len(lines) == count
    assert {line.kind for line in lines} == {LineKind.ADDED}
    assert (lines[-1].old, lines[-1].new, lines[-1].position) == (None, count, count + 1)


def test_ten_thousand_files() -> None:
    count = 10_000
    diff = "".join(
        f"diff --git a/f{i}.py b/f{i}.py\nindex 1..2 100644\n--- a/f{i}.py\n+++ b/f{i}.py\n"
        f"@@ -{i + 1} +{i + 1} @@\n-a\n+b\n"
        for i in range(count)
    )
    files = parse_change(diff).files
    assert [file.path for file in files] == [f"f{i}.py" for i in range(count)]
    assert {file.status for file in files} == {FileStatus.MODIFIED}
    assert [file.changed_new_lines for file in files] == [{i + 1} for i in range(count)]


LONG = MAX_BYTES - 200
ENDLESS = {
    "spaces after diff --git": ("diff --git " + " " * LONG, "line 1: the file name is longer"),
    "spaces as a name": ("--- " + " " * LONG, "line 1: the file name is longer"),
    "spaces before a stamp": (
        "--- x" + " " * LONG + "2020-01-01 10:00:00\n+++ x\n",
        "line 1: the file name is longer",
    ),
    "spaces in a hunk header": ("@@ -1 +1" + " " * LONG, "line 1: malformed hunk header"),
    "digits": ("@@ -" + "1" * LONG + " +1 @@", "line 1: a number in the hunk header is too"),
    "at signs": ("@" * LONG, "line 1: a combined diff"),
    "at signs in a hunk header": ("@@ -1 +1 " + "@" * LONG, "line 1: the text ends inside"),
    "backslashes in quotes": ('--- "' + "\\" * LONG, "line 1: the file name is longer"),
    "backslashes in short quotes": (
        'diff --git "a/' + "\\" * 9_001,
        "line 1: the quoted file name has no closing quote",
    ),
    "a name of 5,000 characters": (
        f"--- a/{'x' * 5_000}\n+++ b/x\n",
        "line 1: the file name is longer than 4096 characters",
    ),
    "no-newline markers": ("@@ -1 +1 @@\n-a\n" + "\\ No\n" * (LONG // 5), "line 4: a no-newline"),
    "and": ("Binary files " + " and " * (LONG // 5) + " differ", "line 1: the file name is longer"),
    "and without an end": ("Binary files " + " and " * (LONG // 5), "line 1: no diff found"),
    "prose": ("x y\n" * 500_000, "line 1: no diff found"),
    "fences": ("```\n" * (LONG // 4), "line 1: no diff found"),
    "colours": ("\x1b[m" * (LONG // 3), "line 1: no diff found"),
    "unfinished colours": ("\x1b[" * (LONG // 2), "line 1: no diff found"),
    "mail headers": (("Content-Type: " + "x" * 900 + "\n") * 2_000, "line 1: no diff found"),
}


@pytest.mark.parametrize(("diff", "message"), ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_repetition_is_rejected(diff: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_change(diff)


def test_hunks_apart_are_many() -> None:
    count = 50_000
    hunks = (f"@@ -{i} +{i} @@\n-a\n+b\n\n" for i in range(1, count + 1))
    (file,) = parse_change("--- a/x\n+++ b/x\n" + "".join(hunks)).files
    assert file.changed_new_lines == set(range(1, count + 1))
