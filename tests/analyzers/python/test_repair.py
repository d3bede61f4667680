import textwrap
from pathlib import Path

import pytest

import analyzers
from analyzers import Fragment
from analyzers.python.reading import repair
from analyzers.reading import Passage, UnparsableError


def mended(text: str, heading: str | None = None, changed: frozenset[int] = frozenset()) -> str:
    """The repaired text, scaffold marked by a bar and the lines numbered from 7."""
    repaired, _ = repair(Fragment(7, text, heading), changed)
    rows = repaired.text.split("\n")
    numbers = repaired.line_numbers
    marks = [f"{n}:" if n else "|" for n in numbers]
    return "\n".join(f"{mark}{row}" for mark, row in zip(marks, rows, strict=False))


def test_lines_that_cannot_be_completed_are_cut_off_the_ends() -> None:
    assert mended("of the text.' + b\na = 1\nb = ?") == "8:a = 1"


def test_a_changed_line_is_never_cut() -> None:
    with pytest.raises(UnparsableError) as caught:
        mended("a = 1\nb = ?", changed=frozenset({8}))
    assert caught.value.line == 8


def test_the_inside_of_a_text_is_read_where_the_heading_opens_it() -> None:
    sql = "    `name` text,\n    PRIMARY KEY (`id`),"
    assert mended(sql, 'TABLE = """') == f'|"""\n7:{sql.replace(chr(10), chr(10) + "8:")}\n|"""'
    for heading in (None, "class A:", 'TABLE = """a"""', "TABLE = '"):
        with pytest.raises(UnparsableError):
            mended(sql, heading)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\n" * 20 + "b c d\n" + "e = 2\n" * 20, 27),
        ("a = (1]\n" * 20, 7),
        ("print 'a'\n" * 20, 7),
        ("x = 1\n" * 20 + "y = '\0'\n" + "x = 1\n" * 20, 27),
    ],
)
def test_what_is_broken_inside_stays_unreadable(text: str, line: int) -> None:
    with pytest.raises(UnparsableError) as caught:
        mended(text)
    assert caught.value.line == line


def test_a_long_hopeless_hunk_is_given_up() -> None:
    text = "x = [\n" + "    y z,\n" * 60_000
    with pytest.raises(UnparsableError):
        mended(text)


def windows(lines: list[str], size: int) -> list[Fragment]:
    return [
        Fragment(start + 1, "\n".join(lines[start : start + size]))
        for start in range(0, len(lines) - size, 7)
    ]


def attempt(fragment: Fragment) -> Passage | None:
    inner = range(fragment.first_line + 3, fragment.first_line + fragment.text.count("\n") - 2)
    try:
        return repair(fragment, frozenset(inner))[0]
    except UnparsableError:
        return None


@pytest.mark.parametrize("size", [8, 15, 40])
def test_windows_of_real_code_are_read_with_exact_line_numbers(size: int) -> None:
    tried = read = 0
    for path in sorted(Path(analyzers.__file__).parent.rglob("*.py")):
        lines = path.read_text().split("\n")
        for fragment in windows(lines, size):
            tried += 1
            repaired = attempt(fragment)
            if repaired is None:
                continue
            read += 1
            rows = repaired.text.split("\n")
            for number, row in zip(repaired.line_numbers, rows, strict=False):
                assert number is None or lines[number - 1] == row
    assert tried > 40
    assert read >= 0.95 * tried


def test_the_tree_is_that_of_the_repaired_text() -> None:
    repaired, tree = repair(Fragment(3, textwrap.indent("a = 1\nb = 2", "    ")), frozenset())
    assert [node.lineno for node in tree.body] == [1]
    assert repaired.line_numbers == (None, 3, 4)
