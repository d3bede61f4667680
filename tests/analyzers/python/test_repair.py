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


# (what a hunk shows, what is read): the arithmetic of the line numbers is in the marks.
CASES = {
    "as it is": ("a = 1\nb = 2", "7:a = 1\n8:b = 2"),
    "indented": ("    a = 1\n    b = 2", "|if 1:\n7:    a = 1\n8:    b = 2"),
    "tabs": ("\t\ta = 1\n\tb", "|if 1:\n|\tif 1:\n7:\t\ta = 1\n8:\tb"),
    "falls out of its blocks": (
        "        a\n    b\nc",
        "|if 1:\n|    if 1:\n7:        a\n8:    b\n9:c",
    ),
    "starts with else": ("else:\n    a", "|if 1:\n| pass\n7:else:\n8:    a"),
    "starts with elif, indented": (
        "    elif a:\n        b",
        "|if 1:\n|    if 1:\n|     pass\n7:    elif a:\n8:        b",
    ),
    "starts with except": ("except A:\n    a", "|try:\n| pass\n7:except A:\n8:    a"),
    "else of a block above": ("    a\nelse:\n    b", "|if 1:\n7:    a\n8:else:\n9:    b"),
    "except of a block above": ("    a\nexcept A:\n    b", "|try:\n7:    a\n8:except A:\n9:    b"),
    "ends with a header": ("def f():", "7:def f():\n| pass"),
    "ends with try": ("try:", "7:try:\n| pass\n|finally:\n| pass"),
    "ends in nested try": (
        "try:\n    try:\n        a",
        "7:try:\n8:    try:\n9:        a\n|    finally:\n|     pass\n|finally:\n| pass",
    ),
    "try with its handler": ("try:\n    a\nexcept A:\n    b", None),
    "ends with a decorator": ("@a", "7:@a\n|def _(): pass"),
    "ends in a call": ("a = f(\n    b,", "7:a = f(\n8:    b,\n|)"),
    "ends in nested brackets": ("a = f([{", "7:a = f([{\n|}])"),
    "ends before a value": ("f(a=", "7:f(a=\n|_)"),
    "ends in a parameter list": ("def f(\n    a,", "7:def f(\n8:    a,\n|):\n| pass"),
    "ends with a backslash": ("a = b + \\", "7:a = b + \\\n|_"),
    "ends in a docstring": ('def f():\n    """A', '7:def f():\n8:    """A\n|"""'),
    "starts in a docstring": ('A text.\n"""\na = 1', '|"""\n7:A text.\n8:"""\n9:a = 1'),
    "starts in an indented docstring": (
        "    It's so.\n    '''\n    a = 1",
        "|if 1:\n|    '''\n7:    It's so.\n8:    '''\n9:    a = 1",
    ),
    "starts with the end of a docstring": (
        '"""\na = 1\nb = 2',
        '|"""\n7:"""\n8:a = 1\n9:b = 2',
    ),
    "ends with the start of a docstring": (
        'a = 1\nb = 2\n"""',
        '7:a = 1\n8:b = 2\n9:"""\n|"""',
    ),
    "starts in a text argument": (
        'SELECT 1\n""".format(a))\nb',
        '|_("""\n7:SELECT 1\n8:""".format(a))\n9:b',
    ),
    "starts in a call": ("    a,\n    b=1)\nc", "|_(\n7:    a,\n8:    b=1)\n9:c"),
    "starts in a parameter list": (
        "          a=1,\n          b=2):\n    c",
        "|def _(\n7:          a=1,\n8:          b=2):\n9:    c",
    ),
    "starts in a condition": (
        "        a and\n        b):\n    c",
        "|if (\n7:        a and\n8:        b):\n9:    c",
    ),
    "starts in a dictionary": ("    'a': 1,\n}", "|_ = {\n7:    'a': 1,\n8:}"),
    "starts in nested brackets": ("    'a',\n])\nb", "|_([\n7:    'a',\n8:])\n9:b"),
    "starts in an import": ("    a as b,\n)", "|from _ import (\n7:    a as b,\n8:)"),
    "lies in a dictionary": ("    'a': 1,\n    'b': 2,", None),
    "lies in a call": ("    a,\n    *b,\n    c=1,\n", None),
    "brackets and quotes in texts": ("a = '(['\nb = \"'''\"  # {\nc = 1", None),
    "blank and comment lines": ("\n# a\n\n", None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_smallest_scaffold_is_put_around_a_hunk(name: str) -> None:
    text, expected = CASES[name]
    repaired = mended(text)
    shown = [row.partition(":")[2] for row in repaired.split("\n") if not row.startswith("|")]
    assert shown == text.removesuffix("\n").split("\n")
    if expected is not None:
        assert repaired == expected


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
