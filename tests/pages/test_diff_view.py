"""A diff as HTML: escaped text, line numbers, colours, and what is left out."""

import html
import re

import pytest

from crscore_core.change import LANGUAGE_TITLES
from crscore_core.claims import PseudoReference, ReferenceKind
from pages.components.diff_view import MAX_WIDTH, Marks, colour_line, diff_markup, places_of
from tests.crscore_core.changes import PYTHON


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def test_windows_line_ends_are_line_ends_and_others_are_shown() -> None:
    rows = rows_of(diff_markup("a\r\nb\rc\0", None))
    assert rows == [["a"], ["bU+000DcU+0000"]]


def rows_of(markup: str) -> list[list[str]]:
    rows = re.findall(r"<tr class=.*?</tr>", markup, re.DOTALL)
    return [[text_of(cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]


def test_a_diff_has_marks_numbers_and_its_headers_as_typed() -> None:
    rows = rows_of(diff_markup(PYTHON, None, max_lines=99))
    texts = PYTHON.removesuffix("\n").split("\n")
    assert [row[0] if len(row) == 1 else row[2] + row[3] for row in rows] == texts
    numbered = [row[:2] for row in rows if len(row) > 1]
    assert numbered[:5] == [["10", "10"], ["11", "11"], ["12", ""], ["", "12"], ["", "13"]]


def test_lines_have_the_marks_of_their_place() -> None:
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"
    marks = (("x.py", 1, "P1"), ("x.py", 1, "P3"), ("y.py", 2, "P2"), ("x.py", 9, "P4"))
    rows = rows_of(diff_markup(diff, None, marks))
    assert [row[3] for row in rows if len(row) > 1] == ["a", "b P1, P3", "c"]


@pytest.mark.parametrize(
    ("marks", "n_above"),
    [
        ((), 0),
        ((("x.py", 30, "P1"),), 3),
        ((("x.py", 30, "P1, → P2"), ("x.py", 39, "→ P2")), 3 + 3 + 30 - 4),  # 3 lines are shown
        ((("x.py", 2, "→ P1"),), 3),
    ],
)
def test_a_diff_starts_at_its_first_file_or_a_chosen_mark(marks: Marks, n_above: int) -> None:
    diff = "From: a\n\n\n--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,40 @@\n" + "+x = 1\n" * 40
    markup = diff_markup(diff, None, marks)
    above = markup.partition("</details>")[0] if n_above else ""
    assert len(rows_of(above)) == n_above
    assert (f"Lines above: {n_above}" in markup) is bool(n_above)
    assert len(rows_of(markup)) == diff.count("\n")


def test_marks_of_removed_code_are_at_its_first_line() -> None:
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1,5 +1,3 @@\n a\n-b\n-c\n d\n-e\n+f\n"
    marks = (("x.py", 2, "P1"), ("x.py", 3, "P2"), ("x.py", 1, "P3"))
    rows = rows_of(diff_markup(diff, None, marks))
    assert [row[3] for row in rows if len(row) > 1] == ["a P3", "b P1", "c", "d", "e", "f P2"]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("`x` and `y = 2` are added", 2, [("a.py", 2), ("a.py", 3)]),
        ("`x` is added", 2, [("a.py", 2)]),
        ("`import json` is added, in 2 files", 1, [("a.py", 1), ("a.py", 4), ("b.py", 1)]),
        ("`import json` is added in `f` and `g`", 1, [("a.py", 1), ("a.py", 4)]),
    ],
)
def test_a_claim_about_several_places_marks_all_of_them(
    text: str, line: int, expected: list[tuple[str, int]]
) -> None:
    diff = (
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1,5 @@\n+import json\n+x = 1\n+y = 2\n+import json\n end\n"
    )
    diff += "--- a/b.py\n+++ b/b.py\n@@ -1 +1,2 @@\n+import json\n end\n"
    claim = PseudoReference(text, ReferenceKind.CLAIM, "symbolic", "a.py", line)
    assert [*places_of(diff, None, claim)] == expected


@pytest.mark.parametrize("text", ["no diff", "", "+a\n-b\n c"])
def test_text_that_is_not_a_diff_is_shown_line_by_line(text: str) -> None:
    markup = diff_markup(text, "python", max_lines=99)
    rows = rows_of(markup)
    assert ["".join(row) for row in rows] == text.split("\n")
    assert "cannot be read as a diff" in markup


@pytest.mark.parametrize(
    ("markup", "n_rows", "words"),
    [
        (diff_markup("@@ -0,0 +1 @@\n+x = 1\n", "python"), 2, ""),
        (
            diff_markup("@@ -0,0 +1,2000 @@\n" + "+x = 1\n" * 2000, "python", max_lines=101),
            101,
            "1,900 more lines are not shown.",
        ),
        (
            diff_markup("@@ -0,0 +1 @@\n+" + "x" * 5_000, None, max_lines=9),
            2,
            "x" * MAX_WIDTH + " … 3,000 more characters are not shown",
        ),
    ],
)
def test_what_is_left_out_is_counted(markup: str, n_rows: int, words: str) -> None:
    assert len(re.findall("<tr class=", markup)) == n_rows
    assert words in text_of(markup)
    assert ("not shown" in markup) is bool(words)


@pytest.mark.parametrize(
    ("line", "language", "is_coloured"),
    [
        ("  return 'x'  ", "java", True),
        ("return " + "x" * 400, "java", False),
        ("", "java", False),
        ("return 1", "klingon", False),
        *(('return "x"', language, True) for language in LANGUAGE_TITLES),
    ],
)
def test_a_short_line_of_a_known_language_is_coloured_by_itself(
    line: str, language: str, *, is_coloured: bool
) -> None:
    coloured = colour_line(line, language)
    assert ("code-k" in coloured) is is_coloured
    assert text_of(coloured) == line
