"""Lines of a diff for display, numbered where the diff can be read."""

from crscore_core.change import LineKind
from pages.components.diff_lines import MAX_WIDTH, DiffLine, diff_lines
from pages.components.text import cut

DIFF = f"--- a/x.go\n+++ b/x.go\n@@ -3 +3,2 @@\n-a\n+b\n+{'x' * (MAX_WIDTH + 7)}\n"
NAMES = DiffLine(None, "--- a/x.go"), DiffLine(None, "+++ b/x.go"), DiffLine(None, "@@ -3 +3,2 @@")
REMOVED, ADDED = LineKind.REMOVED, LineKind.ADDED


def test_lines_of_hunks_are_numbered_and_the_rest_stays_as_typed() -> None:
    shown = diff_lines(DIFF)
    assert shown.lines == (
        *NAMES,
        DiffLine(REMOVED, "a", 3, None, "x.go", "go"),
        DiffLine(ADDED, "b", None, 3, "x.go", "go"),
        DiffLine(ADDED, cut("x" * (MAX_WIDTH + 7), MAX_WIDTH), None, 4, "x.go", "go"),
    )
    assert (shown.left_out, shown.problem) == (0, None)
    assert [line.is_hunk_header for line in shown.lines] == [False, False, True, *[False] * 3]


def test_lines_beyond_the_limit_are_counted() -> None:
    shown = diff_lines(DIFF, max_lines=4)
    assert (len(shown.lines), shown.left_out) == (4, 2)


def test_an_unreadable_diff_has_kinds_and_a_problem() -> None:
    shown = diff_lines(DIFF.replace("@@ -3 +3,2", "@@ -0 +3,2"), language="go")
    assert shown.lines[3:5] == (DiffLine(REMOVED, "a"), DiffLine(ADDED, "b"))
    assert "line 3" in str(shown.problem)
