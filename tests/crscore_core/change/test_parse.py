"""Decoding and unwrapping; no text breaks the parser."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crscore_core.change import MAX_DIFF_BYTES, CodeChange, LineKind, parse_change
from crscore_core.errors import InputError
from tests.crscore_core.change.test_hazards import HAZARDS

NAMED = (
    "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n"
    "@@ -1,4 +1,4 @@ def f():\n a\n-b\n+größe\n c\n d\n\\ No newline at end of file\n"
)
PROSE = "Hello,\n--- a note\n```diff\n"
HEADER = "From: A <a@b>\nSubject: x\n\n> old text\n\n~~~diff\n"
WRAPPED: dict[str, tuple[str | bytes, int]] = {
    "UTF-8": (NAMED.encode(), 0),
    "UTF-8 with a byte order mark": (NAMED.encode("utf-8-sig"), 0),
    "UTF-16, little end first": (f"\ufeff{NAMED}".encode("utf-16-le"), 0),
    "UTF-16, big end first": (f"\ufeff{NAMED}".encode("utf-16-be"), 0),
    "CRLF of the transport": (NAMED.replace("\n", "\r\n"), 0),
    "colours": (re.sub("(?m)^(.+)$", "\x1b[1;38;5;9m\\1\x1b[m\x1b[K", NAMED), 0),
    "fence in prose": (f"{PROSE}{NAMED}```\n\nI think:\n- it is fine\n+ or not\n", 3),
    "fence in a mail": (f"{HEADER}{NAMED}~~~\n-- \nA\n", 6),
}
"""Wrapped diffs, and the number of lines above the diff."""


@pytest.mark.parametrize(("diff", "above"), WRAPPED.values(), ids=WRAPPED)
def test_wrappers_of_a_diff_are_stripped(diff: str | bytes, above: int) -> None:
    change = parse_change(diff)
    assert change.warnings == ()
    lines = [replace(line, position=line.position - above) for line in change.files[0].lines()]
    assert lines == list(parse_change(NAMED).files[0].lines())


def test_the_limit_is_in_bytes_of_utf_8() -> None:
    head = "@@ -0,0 +1 @@\n+"
    room = MAX_DIFF_BYTES - len(head)
    for fits in (head + "x" * room, head + "ä" * (room // 2), (head + "x" * room).encode()):
        assert len(parse_change(fits).files[0].added) == 1
    for too_large in (head + "x" * (room + 1), head + "ä" * (room // 2 + 1), b"x" * 2_000_001):
        with pytest.raises(InputError, match="2,000,000"):
            parse_change(too_large)


def _spliced(diff: str, pieces: list[str], start: int, count: int) -> str:
    lines = diff.split("\n")
    lines[start : start + count] = pieces
    return "\n".join(lines)


PIECES = st.sampled_from([
    "@@ -1 +1 @@", "@@ -1,2 +1,0 @@ f", "@@ -0,0 +1 @@", "@@", "@@@ -1 -1 +1 @@@", "-a", "+b", " c",
    "--- a/x", "+++ b/x", "--- ", "+++ ", "--- /dev/null", "\\ No newline at end of file", "",
    "\r", "diff --git a/x b/x", 'diff --git "a/\\303" "b/\\t"', "rename from x", "rename to x",
    "new file mode 100644", "deleted file mode 100644", "old mode 1", "index 1..2 120000",
    "Binary files a/x and b/x differ", "GIT binary patch", "literal 3", "-- ", "Index: x", "=====",
    "Content-Type: text/plain;", "```", "\x1b[1m@@ -1 +1 @@\x1b[m", "\ufeff", "\0", "\ud800",
])  # fmt: skip
SPLICED = st.builds(
    _spliced,
    st.sampled_from([diff for diff, _ in HAZARDS.values() if isinstance(diff, str)]),
    st.lists(st.one_of(PIECES, PIECES, st.text(max_size=8)), max_size=14),
    st.integers(0, 20),
    st.integers(0, 3),
)


@settings(derandomize=True, max_examples=300)
@given(st.one_of(st.text(), st.binary(), SPLICED))
def test_any_text_is_read_or_rejected(diff: str | bytes) -> None:
    """Lines of a hazard are replaced by pieces of diffs; some of each stay readable."""
    try:
        _check_counts(parse_change(diff))
    except InputError as error:
        line = re.match(r"diff, line (\d+): ", str(error))
        feeds = diff.count("\n") if isinstance(diff, str) else diff.count(b"\n")
        assert line is None or 1 <= int(line[1]) <= feeds + 1


def _check_counts(change: CodeChange) -> None:
    assert change.files
    for file in change.files:
        for hunk in file.hunks:
            old = [line.old for line in hunk.lines if line.kind is not LineKind.ADDED]
            new = [line.new for line in hunk.lines if line.kind is not LineKind.REMOVED]
            assert old == list(range(hunk.old_start, hunk.old_start + hunk.old_count))
            assert new == list(range(hunk.new_start, hunk.new_start + hunk.new_count))
            assert all("\n" not in line.text for line in hunk.lines)
            positions = [line.position for line in hunk.lines]
            assert positions == sorted(set(positions))
