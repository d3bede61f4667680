"""Hunks of three languages in the scaffold that makes them readable, as text files draw them.

A line starts with a space or a plus as in a diff, with a bar where it is scaffold, and with a
cross where it is left out. Where nothing helps, the line of the error stands below.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from analyzers.python.reading import PYTHON
from analyzers.reading import Context, UnparsableError
from analyzers.syntax.parsing import is_too_deep
from analyzers.syntax.reading import READERS

from analyzers import Fragment

FIRST_LINE = 7
_FOLDER = Path(__file__).parent / "fragments"
_EXAMPLE = re.compile(
    r"== (?P<name>.*)\n@@(?P<heading>.*)\n(?P<drawing>(?:[ +x|].*\n|\n)*?)"
    r"(?:functions: (?P<functions>.*)\n|unreadable: (?P<error>\d+)\n)?\s*(?=== |\Z)"
)


@dataclass(frozen=True, slots=True)
class Example:
    """`functions` are those whose headers are shown; `error` is the line of an error, or 0."""

    language: str
    name: str
    fragment: Fragment
    changed_lines: frozenset[int]
    drawing: str
    functions: str
    error: int


def examples() -> Iterator[Example]:
    """All examples by language."""
    for path in sorted(_FOLDER.glob("*.txt")):
        text = path.read_text("utf-8")
        assert sum(len(found.group()) for found in _EXAMPLE.finditer(text)) == len(text), path.name
        yield from (_example(path.stem, found) for found in _EXAMPLE.finditer(text))


def _example(language: str, found: re.Match[str]) -> Example:
    drawing = found["drawing"].rstrip("\n")
    rows = [row for row in drawing.split("\n") if not row.startswith("|")]
    changed = {FIRST_LINE + index for index, row in enumerate(rows) if row.startswith("+")}
    fragment = Fragment(
        FIRST_LINE, "\n".join(row[1:] for row in rows), found["heading"].strip() or None
    )
    rest = found["functions"] or "", int(found["error"] or 0)
    return Example(language, found["name"], fragment, frozenset(changed), drawing, *rest)


def drawn(context: Context, example: Example) -> str:
    """Draw `context` in the format of `example`."""
    passage = context.passage
    rows = example.fragment.text.split("\n")
    numbers = [number for number in passage.line_numbers if number is not None]
    first, last = numbers[0] - FIRST_LINE, numbers[-1] - FIRST_LINE
    marks = {None: "|"} | {
        number: "+" if number in example.changed_lines else " " for number in numbers
    }
    read = [
        f"{marks[number]}{line}".rstrip() if number is None else f"{marks[number]}{line}"
        for number, line in zip(passage.line_numbers, context.lines, strict=False)
    ]
    above, below = rows[:first], rows[last + 1 :]
    return "\n".join([*(f"x{row}" for row in above), *read, *(f"x{row}" for row in below)])


@pytest.mark.parametrize(
    "example", [*examples()], ids=lambda example: f"{example.language}: {example.name}"
)
def test_the_smallest_scaffold_is_put_around_a_hunk(example: Example) -> None:
    reader = PYTHON if example.language == "python" else READERS[example.language]
    if example.error:
        with pytest.raises(UnparsableError) as caught:
            reader.part(example.fragment, example.changed_lines)
        assert caught.value.line == example.error
        return
    context = reader.part(example.fragment, example.changed_lines)
    assert drawn(context, example) == example.drawing
    if example.functions:
        rows = range(1, len(context.lines) + 1)
        shown = dict.fromkeys(filter(None, map(context.function, rows)))
        names = sorted(function.name for function in shown if function.name)
        assert names == sorted(example.functions.split())


HOSTILE = {
    "a chain": "if (a) { b(); }\n" + "else if (a) { b(); }\n" * 30_000,
    "brackets": "x = " + "(" * 100_000,
    "torn blocks": "}\n{\n" * 50_000,
    "operators": f"x = {'-' * 100_000}1;",
    "comments": "*/ /*" * 100_000,
    "texts": "\"'\\" * 100_000,
    "templates": "`${" * 100_000,
    "a line": "a" * 900_000,
    "torn calls": "});\n" * 19 + "f(a,\n" * 90,
}


@pytest.mark.parametrize("language", ["java", "javascript", "c"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_hunk_is_read_or_reported_as_unreadable(language: str, text: str) -> None:
    try:
        context = READERS[language].part(Fragment(1, text), frozenset({1}))
    except UnparsableError:
        assert language != "c"
    else:
        assert context.passage.line_numbers.count(1) == 1


@pytest.mark.parametrize("opening", ["(;", "[;", "{", "<,", "+"])
def test_code_nested_deeper_than_real_code_is_not_parsed(opening: str) -> None:
    assert not is_too_deep(f"{opening * 4_000};" + "a;" * 10_000)
    assert is_too_deep(f"{opening * 6_000};" + "a;" * 10_000)
