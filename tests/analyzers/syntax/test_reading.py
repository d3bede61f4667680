import pytest

from analyzers import Fragment
from analyzers.context import Block, BlockKind, Context
from analyzers.finding import Finding
from analyzers.rule import Sight
from analyzers.syntax.reading import READERS
from tests.analyzers.syntax.samples import SAMPLES

LANGUAGES = "java javascript typescript c cpp csharp go php ruby".split()

# The classes and functions of each sample, with the rows that each begins and ends in.
DEFINITIONS = {
    "c": "class basket 7-10, class state 12-12, compare 16-21, basket_total 23-49",
    "cpp": (
        "class Basket 7-23, Basket 9-9, ~Basket 10-10, add 12-15, empty 17-17, operator<< 25-27, "
        "cheapest 29-39, compare 30-32"
    ),
    "csharp": "class Basket 8-55, Basket 12-16, Add 31-41, ToString 43-54, class State 57-57",
    "go": "class Basket 15-18, class Store 21-24, Add 27-33, names 35-49, - 46-46",
    "java": (
        "class Basket 10-49, State 14-14, Basket 16-18, iterator 21-24, total 26-48, report 41-45"
    ),
    "javascript": (
        "class Basket 9-31, constructor 10-13, total 15-17, save 19-30, show 33-41, load 44-46, "
        "count 47-54"
    ),
    "php": (
        "class Basket 12-53, __construct 18-22, add 24-34, names 36-44, - 39-39, query 46-52, "
        "total 55-63"
    ),
    "ruby": (
        "class Shop 3-48, class Basket 5-47, initialize 10-13, add 15-20, total 22-31, "
        "save 33-39, query 41-46"
    ),
    "typescript": (
        "class Line 3-7, class State 9-12, class BasketService 17-35, constructor 20-23, "
        "add 25-28, total 30-34, describe 37-42"
    ),
}


def whole(language: str, text: str) -> Context:
    return READERS[language].whole(Fragment(1, text))


def definitions(context: Context) -> list[Block]:
    found = {*context.blocks.values(), *context.functions.values()}
    shown = (block for block in found if block.kind is not BlockKind.OTHER)
    return sorted(shown, key=lambda block: (block.first_row, -block.last_row))


def test_there_is_a_reader_and_a_sample_for_each_language() -> None:
    assert sorted(READERS) == sorted(SAMPLES) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_file_stays_as_it_is(language: str) -> None:
    passage = whole(language, SAMPLES[language]).passage
    assert passage.text == SAMPLES[language]
    assert passage.line_numbers == tuple(range(1, SAMPLES[language].count("\n") + 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_classes_and_functions_are_known_by_name_and_extent(language: str) -> None:
    blocks = definitions(whole(language, SAMPLES[language]))
    assert all(block.ends_in_sight for block in blocks)
    shown = [
        f"{'class ' if block.kind is BlockKind.CLASS else ''}{block.name or '-'} "
        f"{block.first_row}-{block.last_row}"
        for block in blocks
    ]
    assert ", ".join(shown) == DEFINITIONS[language]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("javascript", "const f = () => 1;", ["f"]),
        ("javascript", "a.b.f = function () { };", ["f"]),
        ("javascript", "x = { f: function () { }, async g() { }, 'h': () => 1 };", ["h"]),
        ("javascript", "run(function () { });", []),
        ("javascript", "run(function f() { });", ["f"]),
        ("typescript", "class A { f = (): void => {}; }", ["f"]),
        ("java", "@A\n@B(1)\nclass C {\n  @D\n  int f() { return 1; }\n}", ["C", "f"]),
        ("java", "class C { Runnable f = () -> {}; }", ["f"]),
        ("c", "int *f(void) { }\nstatic char **g(int a) { }", ["f", "g"]),
        ("c", "struct a;\nstruct a f(struct a b) { }", ["f"]),
        (
            "cpp",
            "int &A::f() { }\nB::~B() { }\nbool A::operator==(A b) { }",
            ["f", "~B", "operator=="],
        ),
        ("csharp", "class A {\nAction f = () => { };\nC(int a) { }\n}", ["A", "f", "C"]),
        ("php", "<?php\n$f = function () { };", ["f"]),
        ("ruby", "def self.f?\nend\ndef g=(a)\nend", ["f?", "g="]),
        (
            "go",
            "package a\nvar f = func() {\n}\nfunc (a *A) g() {\nh := func() {}\n}",
            ["f", "g", "h"],
        ),
        ("go", "package a\nvar f, g = func() {\n}, func() {\n}", []),
    ],
)
def test_functions_have_the_names_that_people_call_them_by(
    language: str, text: str, names: list[str]
) -> None:
    found = [block.name for block in definitions(whole(language, text))]
    assert [*dict.fromkeys(name for name in found if name)] == names


SIGHTS = {
    "all of a function": ("int f() {\n  a();\n}", 2, Sight.FUNCTION),
    "the end is not shown": ("int f() {\n  a();", 2, Sight.LINE),
    "the header is not shown": ("  a();\n}\n\nint f() {\n}", 1, Sight.BLOCK),
    "the header of a block is not shown": ("  a();\n} else {\n  b();\n}", 1, Sight.BLOCK),
    "all of a loop": ("while (a) {\n  b();\n}\nc();", 2, Sight.BLOCK),
    "beside the loop": ("while (a) {\n  b();\n}\nc();", 4, Sight.LINE),
    "all of a lambda": ("f(() -> {\n  a();\n  b();\n});", 2, Sight.FUNCTION),
    "where a lambda starts": ("f(() -> {\n  a();\n  b();\n});\ng();", 1, Sight.LINE),
    "where a lambda ends": ("f(() -> {\n  a();\n  b();\n});", 4, Sight.LINE),
    "a lambda in one line": ("f(() -> a());\nb();", 1, Sight.LINE),
    "a lambda whose start is not shown": ("  a();\n  b();\n}, c);", 2, Sight.BLOCK),
}


@pytest.mark.parametrize("name", SIGHTS)
def test_what_is_in_sight_around_a_line(name: str) -> None:
    text, row, sight = SIGHTS[name]
    context = READERS["java"].part(Fragment(1, text), frozenset({row}))
    shown_at = context.passage.line_numbers.index(row) + 1
    finding = Finding("rule", "message", shown_at, 1, shown_at, 1)
    assert context.sight(finding) is sight


def test_syntax_errors_in_whole_files_are_left_to_the_tools() -> None:
    context = whole("java", "class A {\n  int f( {\n  }\n  int g() {\n    return 1;\n  }\n}\n")
    assert context.function(5) == Block(BlockKind.FUNCTION, "g", 4, 6, ends_in_sight=True)


def test_components_in_typescript_are_read() -> None:
    text = "const Page = () => {\n  return <Panel title={f<A>()} />;\n};\n"
    (page,) = definitions(whole("typescript", text))
    assert page == Block(BlockKind.FUNCTION, "Page", 1, 3, ends_in_sight=True)
