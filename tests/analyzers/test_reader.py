"""Hunks of three languages in the frames that make them readable."""

from pathlib import Path

import pytest

from crscore_core import analyzers
from crscore_core.analyzers import Fragment, SourceFile
from crscore_core.analyzers.lizard import token_reader
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.reader import MAX_CHARACTERS, ParsedCode, Reader
from crscore_core.analyzers.tool import NotAnalysedError
from crscore_core.analyzers.tree_sitter_reader import JAVA, JAVASCRIPT
from tests.analyzers.sources import hunk, whole
from tests.cases import cases

READERS = {"java": JAVA, "javascript": JAVASCRIPT, "python": PYTHON}
FIRST_LINE = 7
HUNKS = [
    (language, *case)
    for language in READERS
    for case in cases(Path(__file__).parent / "frames" / f"{language}.txt")
]
GOOD, BAD = "a = 1\n", "a = 1\na b c\n"
UNREADABLE = {
    "100,000 minus": "x = " + "-" * 100_000 + "1\n", "NUL": "x = 1\ny = '\0'\n",
    "lines": "x\n" * 20_000, "prose": "a\n\nthis is clearly prose\n",
    "a line": "#" * (MAX_CHARACTERS + 1),
}  # fmt: skip
HOSTILE = {
    "brackets": "x = " + "(" * 100_000, "torn blocks": "}\n{\n" * 10_000,
    "operators": f"x = {'-' * 20_000}1;", "comments": "*/ /*" * 5_000,
    "stars": "  * * * * * * * *\n" * 12 + "open();\n", "templates": "`${" * 10_000,
    "torn calls": "});\n" * 19 + "f(a,\n" * 90,
}  # fmt: skip


def check_rows(parsed: ParsedCode, lines: list[str], changed: frozenset[int], first: int) -> None:
    """Check that each row is a line of the hunk or scaffold, and that no changed line is lost."""
    passage = parsed.passage
    for number, row in zip(passage.line_numbers, passage.text.split("\n"), strict=False):
        assert number is None or lines[number - first] == row
    assert changed <= set(passage.line_numbers)


@pytest.mark.parametrize(("language", "name", "drawing", "expected"), HUNKS)
def test_a_hunk_is_read_in_its_frame(language: str, name: str, drawing: str, expected: str) -> None:
    rows = drawing.removesuffix("\n").split("\n")
    changed = frozenset(FIRST_LINE + i for i, row in enumerate(rows) if row.startswith("+"))
    lines = [row[1:] for row in rows]
    fragment = Fragment(FIRST_LINE, "\n".join(lines))
    if expected == "unreadable":
        with pytest.raises(NotAnalysedError):
            READERS[language].part(fragment, changed)
        return
    parsed = READERS[language].part(fragment, changed)
    check_rows(parsed, lines, changed, FIRST_LINE)
    functions = {parsed.function(row) for row in range(1, len(parsed.lines) + 1)}
    names = sorted(one.name for one in functions if one is not None and one.name)
    assert names == expected.removeprefix("functions:").split(), name


@pytest.mark.parametrize("size", [8, 15, 40])
@pytest.mark.parametrize(("reader", "files"), [(PYTHON, "*.py"), (JAVASCRIPT, "javascript/*.cjs")])
def test_windows_of_code_have_exact_line_numbers(reader: Reader, files: str, size: int) -> None:
    tried = read = 0
    for path in sorted(Path(analyzers.__file__).parent.glob(files)):
        lines = path.read_text().split("\n")
        for start in range(0, len(lines) - size, 7):
            window = lines[start : start + size]
            changed = frozenset(range(start + 5, start + size - 2))
            tried += 1
            try:
                parsed = reader.part(Fragment(start + 1, "\n".join(window)), changed)
            except NotAnalysedError:
                continue
            read += 1
            check_rows(parsed, window, changed, start + 1)
    assert read >= 0.9 * tried > 10


@pytest.mark.parametrize(("hunks", "changed", "n_read", "errors"), [
    ([GOOD, GOOD], {0, 10}, 2, []),
    ([GOOD, BAD, GOOD], {0, 11, 20}, 2, ["line 11"]),
    ([BAD, BAD], {1, 11}, 0, ["line 1", "line 11"]),
    ([BAD, GOOD], {10}, 1, []),
    ([BAD, GOOD], {99}, 0, ["no changed line is shown"]),
])  # fmt: skip
def test_each_hunk_with_a_changed_line_is_parsed_or_has_an_error(
    hunks: list[str], changed: set[int], n_read: int, errors: list[str]
) -> None:
    fragments = tuple(Fragment(10 * i, text) for i, text in enumerate(hunks))
    reading = PYTHON.read(SourceFile("a.py", "python", fragments, frozenset(changed)))
    assert len(reading.new) == n_read
    assert [error.partition(":")[0] for error in reading.errors] == errors


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_text_is_not_analysed(text: str) -> None:
    for reading in (PYTHON.read(whole(text)), PYTHON.read(hunk(text))):
        assert (reading.new, len(reading.errors)) == ((), 1)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("reader", [JAVA, JAVASCRIPT, token_reader("c")], ids=["java", "js", "c"])
def test_a_hostile_hunk_is_read_or_reported_as_unreadable(reader: Reader, text: str) -> None:
    reading = reader.read(SourceFile("a", "x", (Fragment(1, text),), frozenset({1})))
    assert reading.new or reading.errors
