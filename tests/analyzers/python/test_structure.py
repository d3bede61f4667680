"""Structural smells of Python functions and classes, in whole files and in hunks."""

import dataclasses
import re
from collections.abc import Callable
from textwrap import indent

import pytest

from crscore_core.analyzers import AnalyzerResult, Fragment, Smell, SourceFile, Status
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.python.structure import CLASSES, EXPRESSIONS, FUNCTIONS, PythonStructure
from tests.analyzers.sources import hunk, whole


def structure(file: SourceFile, old: str | None = None) -> AnalyzerResult:
    if old is not None:
        fragment = Fragment(file.fragments[0].first_line, old)
        file = dataclasses.replace(file, old_fragments=(fragment,))
    (result,) = Linter(PythonStructure(), PYTHON).analyze([file])
    return result


def smells(text: str, *changed: int) -> tuple[Smell, ...]:
    result = structure(whole(text, *changed))
    assert (result.name, result.status) == ("python-structure", Status.ANALYSED)
    return result.smells


def function(*body: str) -> str:
    return "def work():\n" + "".join(f"    {line}\n" for line in body)


def deep_nesting(size: int) -> str:
    return function(*("    " * depth + "if a:" for depth in range(size)), "    " * size + "f()")


def shotgun_surgery(size: int) -> str:
    calls = "".join(f"        shop.f{i}()\n" for i in range(size))
    return f"class Order:\n    def pay(self):\n{calls}"


def cyclomatic_complexity(size: int) -> str:
    # One for the function, one for the `if` and one for each `and`.
    return function(f"if {' and '.join('abcdefghijklmn'[: size - 1])}:", "    f()")


def many_attributes(size: int) -> str:
    values = "".join(f"        self.a{i} = {i}\n" for i in range(size))
    return f"class Order:\n    def __init__(self):\n{values}"


def many_methods(size: int) -> str:
    return "class Order:\n" + "".join(f"    def m{i}(self): pass\n" for i in range(size))


def class_cohesion(size: int) -> str:
    """Ten attributes and ten methods, so that each of a hundred pairs is one per cent."""
    pairs = [(method, attribute) for method in range(10) for attribute in range(10)]
    uses = [f"        self.a{attribute}\n" for _, attribute in pairs[: 100 - size]]
    attributes = "".join(f"    a{i} = {i}\n" for i in range(10))
    bodies = ("".join(uses[10 * i : 10 * i + 10]) or "        pass\n" for i in range(10))
    methods = "".join(f"    def m{i}(self):\n{body}" for i, body in enumerate(bodies))
    return f"class Order:\n{attributes}{methods}"


def long_lambda(size: int) -> str:
    return f"g = lambda: {'a' * (size - len('lambda: '))}\n"


def long_list_comprehension(size: int) -> str:
    return f"g = [a for a in {'b' * (size - len('[a for a in ]'))}]\n"


FIXTURES: dict[str, tuple[Callable[[int], str], int, int, str]] = {
    make.__name__.replace("_", "-"): (make, most, line, sentence)
    for make, most, line, sentence in (
        (deep_nesting, 5, 1, "The code of `work` is nested too deeply: 6 levels, more than 5."),
        (shotgun_surgery, 5, 2,
         "The method `pay` depends on too many functions outside of its class: 6, more than 5."),
        (cyclomatic_complexity, 10, 1,
         "The function `work` is too complex: its cyclomatic complexity is 11."),
        (many_attributes, 7, 1, "The class `Order` has too many attributes: 8, more than 7."),
        (many_methods, 20, 1, "The class `Order` has too many public methods: 21, more than 20."),
        (class_cohesion, 70, 1,
         "The class `Order` has low cohesion: its methods ignore 71% of its attributes."),
        (long_lambda, 60, 1,
         "This lambda is 61 characters long; a named function is easier to read."),
        (long_list_comprehension, 72, 1,
         "This list comprehension is 73 characters long; a loop is easier to read."),
    )
}  # fmt: skip
"""For each rule: code by size, the largest acceptable size, and line and sentence above it."""


def test_every_limit_has_a_fixture() -> None:
    assert {**FUNCTIONS, **CLASSES, **EXPRESSIONS}.keys() == FIXTURES.keys()


@pytest.mark.parametrize("rule", FIXTURES)
def test_a_measure_just_over_the_limit_is_a_smell(rule: str) -> None:
    code, most, line, sentence = FIXTURES[rule]
    assert smells(code(most + 1)) == (Smell(sentence, rule, "python-structure", "app.py", line),)
    assert smells(code(most)) == ()
    assert rule not in sentence
    assert re.fullmatch(r"[A-Z`].*[^.]\.", sentence)


OF_DEFINITIONS = [*FUNCTIONS, *CLASSES]


@pytest.mark.parametrize("rule", FIXTURES)
def test_a_smell_is_reported_if_any_of_its_lines_changes(rule: str) -> None:
    code, most, line, _ = FIXTURES[rule]
    text = f"x = 1\n{code(most + 1)}y = 2\n"
    last = text.count("\n") - 1
    assert [smell.line for smell in smells(text, last)] == [line + 1]
    assert smells(text, 1, last + 1) == ()


@pytest.mark.parametrize("read", [whole, hunk])
@pytest.mark.parametrize("rule", OF_DEFINITIONS)
def test_smells_of_the_old_side_are_not_attributed_to_the_change(
    rule: str, read: Callable[[str], SourceFile]
) -> None:
    code, most, _, _ = FIXTURES[rule]
    for before, after, is_found in ((0, 1, True), (1, 1, False), (2, 1, False), (1, 2, True)):
        old, new = (f"{code(most + over)}x = 1\n" for over in (before, after))
        assert bool(structure(read(new), old).smells) is is_found, (before, after)


NEED_THE_END = {"cyclomatic-complexity", "class-cohesion"}


@pytest.mark.parametrize("rule", OF_DEFINITIONS)
@pytest.mark.parametrize("end", ["", "x = 1\n"], ids=["end hidden", "end shown"])
def test_only_some_measures_need_the_end_of_the_function(rule: str, end: str) -> None:
    code, most, line, _ = FIXTURES[rule]
    result = structure(hunk(f"    return 0\n\n{code(most + 1)}{end}", 200))
    found = [(smell.rule, smell.line) for smell in result.smells]
    assert result.status is Status.FRAGMENT
    assert found == ([(rule, 201 + line)] if end or rule not in NEED_THE_END else [])


def test_cohesion_needs_the_header_of_the_class() -> None:
    text = f"{class_cohesion(71)}\nx = 1\n"
    assert [smell.rule for smell in structure(hunk(text)).smells] == ["class-cohesion"]
    assert structure(hunk(text.removeprefix("class Order:\n"))).smells == ()


def test_a_method_is_recognised_by_its_parameter_without_its_class() -> None:
    text = shotgun_surgery(6).removeprefix("class Order:\n")
    assert [smell.rule for smell in structure(hunk(text, 40)).smells] == ["shotgun-surgery"]
    assert structure(hunk(text.replace("self", "order"), 40)).smells == ()


def test_the_scaffold_of_a_fragment_is_not_a_smell() -> None:
    parameters = "".join(f"         p{i}=1,\n" for i in range(9))
    result = structure(hunk(f"{parameters}         q=1):\n    f()\n"))
    assert (result.status, result.smells) == (Status.FRAGMENT, ())


@pytest.mark.parametrize("rule", FUNCTIONS)
def test_async_decorated_and_inner_functions_are_functions(rule: str) -> None:
    code, most, _, _ = FIXTURES[rule]
    inner = indent(code(most + 1), "    ").replace("def ", "async def ", 1)
    text = f"def outer():\n    @decorated\n{inner}"
    assert [smell.rule for smell in smells(text)] == [rule]


def test_code_between_definitions_has_no_smells() -> None:
    lines = [line for i in range(60) for line in (f"if a{i}:\n", f"    f{i}()\n")]
    module, body = "".join(lines), "".join(f"    {line}" for line in lines)
    assert smells(f"{module}class Order:\n    x = 1\n{body}{module}") == ()


def test_large_and_strange_files_are_measured() -> None:
    chain = "def f():\n    if a: b\n" + "    elif a: b\n" * 400
    assert [smell.rule for smell in smells(chain)] == ["cyclomatic-complexity"]
    one_line = f"x = [{', '.join(['lambda: ' + 'ä' * 60] * 2_000)}]\n"
    assert len(smells(one_line)) == 2_000
    deep = f"class A:\n    a: b{'[0]' * 900}{'.c' * 900}\n    def f(self): a{'.b()' * 900}\n"
    assert smells(deep) == ()
    many = "".join(many_attributes(8).replace("Order", f"Order{i}") for i in range(500))
    assert len(smells(many)) == 500
