"""Structural smells of Python functions and classes, in whole files and in hunks."""

from collections.abc import Callable
from dataclasses import replace
from textwrap import indent

import pytest

from crscore_core.analyzers import AnalyzerResult, Fragment, Smell, SourceFile, Status
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.python.ruff import Ruff
from crscore_core.analyzers.python.structure import CLASSES, FUNCTIONS, PythonStructure
from crscore_core.analyzers.tool import Tool
from tests.analyzers.sources import hunk, whole

NEED_THE_END = {"cyclomatic-complexity", "class-cohesion"}


def structure(file: SourceFile, old: str | None = None, tool: Tool | None = None) -> AnalyzerResult:
    if old is not None:
        file = replace(file, old_fragments=(Fragment(file.fragments[0].first_line, old),))
    (result,) = Linter(tool or PythonStructure(), PYTHON).analyze([file])
    return result


def smells(file: SourceFile) -> list[tuple[str, int | None]]:
    result = structure(file)
    assert result.status is (Status.ANALYSED if file.is_whole else Status.FRAGMENT)
    return [(smell.rule, smell.line) for smell in result.smells]


def rows(head: str, row: str) -> Callable[[int], str]:
    """Return a function from a size to code that repeats `row` for each number below it."""
    return lambda size: head + "".join(row.format(i, " " * 4 * (i + 1)) for i in range(size))


def cohesive_but_for(size: int) -> str:
    """One method and a hundred attributes, so that each pair makes up 1%."""
    uses = "; ".join(f"self.a{i}" for i in range(size, 100))
    return rows("class Order:\n", "    a{} = 0\n")(100) + f"    def m(self):\n        {uses}\n"


_PAY = "class Order:\n    def pay(self):\n"
FIXTURES: dict[str, tuple[Callable[[int], str], int, int, str]] = {
    "deep-nesting": (lambda size: rows("def work():\n", "{1}if a:\n")(size) + f"{' ' * 40}f()\n",
        5, 1, "The code of `work` is nested too deeply: 6 levels, more than 5."),
    "shotgun-surgery": (rows(_PAY, "        shop.f{}()\n"), 5, 2,
        "The method `pay` depends on too many functions outside of its class: 6, more than 5."),
    "cyclomatic-complexity": (  # one for the function, one for the `if` and one for each `and`
        lambda size: f"def work():\n    if {' and '.join('a' * (size - 1))}:\n        f()\n",
        10, 1, "The function `work` is too complex: its cyclomatic complexity is 11."),
    "many-attributes": (rows(_PAY, "        self.a{} = 0\n"), 7, 1,
        "The class `Order` has too many attributes: 8, more than 7."),
    "many-methods": (rows("class Order:\n", "    def m{}(self): pass\n"), 20, 1,
        "The class `Order` has too many public methods: 21, more than 20."),
    "class-cohesion": (cohesive_but_for, 70, 1,
        "The class `Order` has low cohesion: its methods ignore 71% of its attributes."),
    "long-lambda": (lambda size: f"g = lambda: {'a' * (size - len('lambda: '))}\n", 60, 1,
        "This lambda is 61 characters long; a named function is easier to read."),
    "long-list-comprehension": (
        lambda size: f"g = [a for a in {'b' * (size - len('[a for a in ]'))}]\n", 72, 1,
        "This list comprehension is 73 characters long; a loop is easier to read."),
}  # fmt: skip
"""For each rule: code by size, the largest accepted size, and the line and sentence beyond it."""

_LARGE = {
    "a chain": ("def f():\n    if a: b\n" + "    elif a: b\n" * 400, 1),
    "one line": (f"x = [{', '.join(['lambda: ' + 'ä' * 60] * 2_000)}]\n", 2_000),
    "deep": (f"class A:\n    a: b{'[0]' * 900}{'.c' * 900}\n    def f(self): a{'.b()' * 900}\n", 0),
    "classes": (FIXTURES["many-attributes"][0](8) * 500, 500),
}
OF_DEFINITIONS = [*FUNCTIONS, *CLASSES]


@pytest.mark.parametrize("rule", PythonStructure.rules)
def test_a_measure_just_over_the_limit_is_a_smell_if_any_of_its_lines_changes(rule: str) -> None:
    code, most, line, sentence = FIXTURES[rule]
    smell = Smell(sentence, rule, "python-structure", "app.py", line)
    assert structure(whole(code(most + 1))).smells == (smell,)
    assert smells(whole(code(most))) == []
    text = f"x = 1\n{code(most + 1)}y = 2\n"
    last = text.count("\n") - 1
    assert smells(whole(text, last)) == [(rule, line + 1)]
    assert smells(whole(text, 1, last + 1)) == []


@pytest.mark.parametrize("read", [whole, hunk])
@pytest.mark.parametrize("rule", [*OF_DEFINITIONS, "PLR0915"])
def test_smells_of_the_old_side_do_not_count(rule: str, read: Callable[[str], SourceFile]) -> None:
    tool: Tool = PythonStructure() if rule in FIXTURES else Ruff()
    code, most, *_ = FIXTURES.get(rule, (rows("def work():\n", "    f()\n"), 50))
    for before, after, is_found in ((0, 1, True), (1, 1, False), (2, 1, False), (1, 2, True)):
        old, new = (f"{code(most + over)}x = 1\n" for over in (before, after))
        found = {smell.rule for smell in structure(read(new), old, tool).smells}
        assert (rule in found) is is_found, (before, after)


def test_a_method_of_the_same_name_in_another_class_is_a_different_one() -> None:
    old = FIXTURES["shotgun-surgery"][0](6)
    assert structure(whole(old.replace("Order", "Shop")), old).smells


@pytest.mark.parametrize("rule", OF_DEFINITIONS)
@pytest.mark.parametrize("end", ["", "x = 1\n"], ids=["end hidden", "end shown"])
def test_only_some_measures_need_the_end_of_the_function(rule: str, end: str) -> None:
    code, most, line, _ = FIXTURES[rule]
    found = smells(hunk(f"    return 0\n\n{code(most + 1)}{end}", 200))
    assert found == ([(rule, 201 + line)] if end or rule not in NEED_THE_END else [])


def test_a_method_is_recognised_by_its_parameter_without_its_class() -> None:
    text = FIXTURES["shotgun-surgery"][0](6).removeprefix("class Order:\n")
    headless = f"{cohesive_but_for(71)}\nx = 1\n".removeprefix("class Order:\n")
    assert smells(hunk(text, 40)) == [("shotgun-surgery", 40)]
    for other in (text.replace("self", "order"), text.replace("pay", "test_pay"), headless):
        assert smells(hunk(other, 40)) == []


@pytest.mark.parametrize("rule", FUNCTIONS)
def test_async_decorated_and_inner_functions_are_functions(rule: str) -> None:
    code, most, _, _ = FIXTURES[rule]
    inner = indent(code(most + 1), "    ").replace("def ", "async def ", 1)
    found = smells(whole(f"def outer():\n    @decorated\n{inner}"))
    assert [name for name, _ in found] == [rule]


@pytest.mark.parametrize(("text", "n_smells"), _LARGE.values(), ids=_LARGE)
def test_large_files_are_measured(text: str, n_smells: int) -> None:
    result = structure(whole(text))
    assert (result.status, len(result.smells)) == (Status.ANALYSED, n_smells)
