"""A diff as HTML: escaped text, line numbers, colours, and what is left out."""

import html
import re

import pytest

from crscore_core.change import LANGUAGE_TITLES
from crscore_core.claims import PseudoReference, ReferenceKind
from pages.components.diff_view import MAX_WIDTH, Marks, colour_line, diff_markup, places_of
from tests.crscore_core.changes import PYTHON

HEAD = "--- a/x.py\n+++ b/x.py\n"


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def rows_of(markup: str) -> list[list[str]]:
    rows = re.findall(r"<tr class=.*?</tr>", markup, re.DOTALL)
    return [[text_of(cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]


def test_a_diff_has_marks_numbers_and_its_headers_as_typed() -> None:
    rows = rows_of(diff_markup(PYTHON, None, max_lines=99))
    texts = PYTHON.removesuffix("\n").split("\n")
    assert [row[0] if len(row) == 1 else row[2] + row[3] for row in rows] == texts
    numbered = [row[:2] for row in rows if len(row) > 1]
    assert numbered[:5] == [["10", "10"], ["11", "11"], ["12", ""], ["", "12"], ["", "13"]]


@pytest.mark.parametrize(("marks", "lines"), [
    ([("x.py", 1, 0), ("x.py", 1, 2), ("y.py", 2, 1), ("x.py", 9, 3)],
     ["a P1, P3", "b", "c", "d", "e", "f"]),
    # Marks of removed code are at its first line.
    ([("x.py", 2, 0), ("x.py", 3, 1), ("x.py", 1, 2)],
     ["a P3", "b P1", "c", "d", "e", "f P2"]),
])  # fmt: skip
def test_lines_have_the_marks_of_their_place(marks: Marks, lines: list[str]) -> None:
    diff = f"{HEAD}@@ -1,5 +1,3 @@\n a\n-b\n-c\n d\n-e\n+f\n"
    rows = rows_of(diff_markup(diff, None, (*marks,)))
    assert [row[3] for row in rows if len(row) > 1] == lines


@pytest.mark.parametrize(("text", "line", "places"), [
    ("`x` and `y = 2` are added", 2, [("x.py", 2), ("x.py", 3)]),
    ("`x` is added", 2, [("x.py", 2)]),
    ("`import json` is added, in 2 files", 1, [("x.py", 1), ("x.py", 4), ("y.py", 1)]),
    ("`import json` is added to `f` and `g`", 1, [("x.py", 1), ("x.py", 4)]),
    ("`p` is renamed to `r` in several places in `f`", 5, [("x.py", 5), ("x.py", 6)]),
    ("`r` replaces `p` in several places", 6, [("x.py", 6), ("x.py", 5)]),
    ("`a.p({…})`, `q = 0` and 2 more are removed", 1, [("x.py", 1), ("x.py", 5)]),
    ("Passages are added: “x = 1” and “y = …”", 2, [("x.py", 2), ("x.py", 3)]),
])  # fmt: skip
def test_a_claim_of_the_rules_marks_all_its_places(
    text: str, line: int, places: list[tuple[str, int]]
) -> None:
    diff = f"{HEAD}@@ -1,5 +1,8 @@\n-p({{}})\n+import json\n+x = 1\n+y = 2\n+import json\n"
    diff += "-q = 0\n-f(p)\n-g(p)\n+f(r)\n+g(r)\n+h(r)\n end\n"
    diff += "--- a/y.py\n+++ b/y.py\n@@ -1 +1,2 @@\n+import json\n end\n"
    claim = PseudoReference(text, ReferenceKind.CLAIM, "symbolic", "x.py", line)
    assert [*places_of(diff, None, claim)] == places
    given = PseudoReference(text, ReferenceKind.CLAIM, "given", "x.py", line)
    assert [*places_of(diff, None, given)] == places[:1]


@pytest.mark.parametrize(("text", "lines"), [
    ("no diff", ["no diff"]), ("", [""]), ("+a\n-b\n c", ["+a", "-b", " c"]),
    ("a\r\nb\rc\0", ["a", "bU+000DcU+0000"]),  # Windows' line ends are line ends, others shown
])  # fmt: skip
def test_text_that_is_not_a_diff_is_shown_line_by_line(text: str, lines: list[str]) -> None:
    markup = diff_markup(text, "python", max_lines=99)
    assert ["".join(row) for row in rows_of(markup)] == lines
    assert "cannot be read as a diff" in markup


@pytest.mark.parametrize(("language", "lines", "n_rows", "words"), [
    ("python", "x = 1\n", 2, ""),
    ("python", "x = 1\n+" * 1999 + "x = 1\n", 101, "1,900 more lines are not shown."),
    (None, "x" * 5_000, 2, "x" * MAX_WIDTH + " … 3,000 more characters are not shown"),
])  # fmt: skip
def test_counts_what_is_left_out(language: str | None, lines: str, n_rows: int, words: str) -> None:
    diff = f"@@ -0,0 +1,{lines.count('+') + 1} @@\n+{lines}"
    markup = diff_markup(diff, language, max_lines=101)
    assert len(re.findall("<tr class=", markup)) == n_rows
    assert words in text_of(markup)
    assert ("not shown" in markup) is bool(words)


@pytest.mark.parametrize(("line", "language", "is_coloured"), [
    ("  return 'x'  ", "java", True), ("return " + "x" * 400, "java", False),
    ("", "java", False), ("return 1", "klingon", False),
    *(('return "x"', language, True) for language in LANGUAGE_TITLES),
])  # fmt: skip
def test_a_short_line_is_coloured_on_its_own(line: str, language: str, is_coloured: bool) -> None:
    coloured = colour_line(line, language)
    assert ("code-k" in coloured) is is_coloured
    assert text_of(coloured) == line
