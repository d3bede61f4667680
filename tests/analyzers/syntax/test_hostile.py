"""Texts made to break readers, of each language."""

from itertools import cycle

import pytest

from analyzers import Fragment
from analyzers.context import Context
from analyzers.passage import source_lines
from analyzers.reading import UnparsableError
from analyzers.syntax.languages import GRAMMARS
from analyzers.syntax.nesting import is_too_deep
from analyzers.syntax.reading import READERS
from tests.analyzers.syntax.samples import attempt

# What may take long, is deep, or tears brackets, quotes and lines.
TEXTS = {
    "parentheses": "(" * 100_000,
    "parentheses that match": f"x = {'(' * 50_000}1{')' * 50_000};",
    "closing brackets": ")}]" * 30_000,
    "opening brackets": "{[(" * 30_000,
    "opening and separating": "f(;" * 6_000,
    "generics": "A<B," * 6_000,
    "comparisons": "a<" * 6_000,
    "choices": "a ? b : " * 6_000,
    "negations": "!" * 11_000,
    "lambdas": "(a) -> " * 6_000,
    "quotes": '"' * 5_000,
    "quotes in lines": "\"'`\n" * 3_000,
    "comments that do not end": "/*\n" * 500,
    "templates in templates": "`${" * 4_000,
    "heredocs": "f(<<A, <<~B, <<<C)\n" * 300,
    "directives": "#if A\n" * 3_000,
    "ends of directives": "#endif\n" * 3_000,
    "blocks of words": "do begin if\n" * 3_000,
    "ends of blocks": "end\n" * 3_000,
    "backslashes": "\\" * 50_000,
    "words": "a b c d ) e f g = h i j\n" * 2_000,
    "a hunk of words": "a b c d ) e f g = h i j\n" * 40,
    "hopeless lines": "x = [\n" + "    y z,\n" * 60,
    "blank": " \t\n" * 20_000,
    "nothing": "",
}


# Each text in one of all languages in turn, and in the one with most ways to read it.
CASES = [
    *zip(TEXTS, cycle(sorted(READERS)), strict=False),
    *((name, "javascript") for name in TEXTS),
]


def read(language: str, text: str) -> Context | None:
    """The context of a hunk, which is fine to have none."""
    lines = source_lines(text)
    found = attempt(language, Fragment(1, text), frozenset({1 + len(lines) // 2}))
    if isinstance(found, Context):
        return found
    assert 1 <= found.line <= len(lines)
    assert found.reason == "syntax error"
    return None


def assert_shown(context: Context, text: str) -> None:
    passage = context.passage
    rows = passage.text.split("\n")
    shown = {number: row for number, row in zip(passage.line_numbers, rows, strict=False) if number}
    lines = source_lines(text)
    assert shown == {number: lines[number - 1] for number in shown}


@pytest.mark.parametrize(("name", "language"), CASES)
def test_a_hostile_hunk_is_read_or_not(name: str, language: str) -> None:
    context = read(language, TEXTS[name])
    if context is not None:
        assert_shown(context, TEXTS[name])


@pytest.mark.parametrize(("name", "language"), CASES)
def test_a_hostile_file_stays_as_it_is(name: str, language: str) -> None:
    context = READERS[language].whole(Fragment(1, TEXTS[name]))
    assert context.passage.text == "\n".join([*source_lines(TEXTS[name]), ""])


@pytest.mark.parametrize("language", sorted(READERS))
@pytest.mark.parametrize(
    "odd",
    ["a\0b", "\ud800", "a\rb", "\f\x0b\x1c\x85\u2028", "\ufeff", "\U0001f600é"],
)
def test_odd_characters_move_no_line(language: str, odd: str) -> None:
    comment = "# " if language == "ruby" else "// "
    text = f"{comment}{odd}\r\n{comment}\r\n\r\n{comment}{odd}"
    context = read(language, text)
    assert context is not None
    assert_shown(context, text)


def test_names_are_read_behind_characters_of_many_bytes() -> None:
    text = "/* 😀é */ int f() {\n  /* é */ g();\n}\n"
    context = READERS["c"].whole(Fragment(1, text))
    found = context.function(2)
    assert found is not None
    assert (found.name, found.first_row, found.last_row) == ("f", 1, 3)


@pytest.mark.parametrize(
    ("text", "is_deep"),
    [
        ("(" * 10_001, True),
        ("f(); " * 10_001, False),
        ("a < " * 10_001, True),
        ("if (a < b) { c(); }\n" * 10_001, False),
        ("[1, -2, 3], " * 10_001, False),
        ("a = " * 10_001, True),
        ("x" * 100_000, False),
        ("(" * 4_000, False),
    ],
)
def test_what_may_be_nested_too_deep_is_seen_before_it_is_parsed(
    text: str, *, is_deep: bool
) -> None:
    assert is_too_deep(text) is is_deep


def test_a_hunk_that_nothing_helps_is_not_read() -> None:
    with pytest.raises(UnparsableError) as caught:
        READERS["java"].part(Fragment(11, "int f() {\n}\nthis is clearly prose\n"), frozenset({13}))
    assert (caught.value.line, caught.value.reason) == (13, "syntax error")


def test_prose_is_no_code_where_no_errors_are_put_up_with() -> None:
    prose = "\n".join(
        ["Dear reader, here it is. You (and I) know:", "it isn't code; nobody would say so!"] * 3
    )
    strict = [name for name, dialects in GRAMMARS.items() if not dialects[0].may_err]
    assert strict == ["java", "javascript"]
    for language in strict:
        assert read(language, prose) is None
