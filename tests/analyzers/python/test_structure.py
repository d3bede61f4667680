import pytest

from analyzers import AnalyzerResult, Smell, SourceFile, Status
from analyzers.linter import Linter
from analyzers.python.reading import PYTHON
from analyzers.python.structure import THRESHOLDS, PythonStructure
from tests.analyzers.sources import hunk, whole


def structure(files: list[SourceFile]) -> list[AnalyzerResult]:
    return Linter(PythonStructure(), PYTHON).analyze(files)


def smells(text: str, *changed: int) -> tuple[Smell, ...]:
    (result,) = structure([whole(text, *changed)])
    assert (result.name, result.status) == ("python-structure", Status.ANALYSED)
    return result.smells


def function(*body: str, parameters: str = "") -> str:
    return f"def work({parameters}):\n" + "".join(f"    {line}\n" for line in body)


def long_method(size: int) -> str:
    return function(*["f()"] * size)


def long_parameter_list(size: int) -> str:
    return function("pass", parameters=", ".join(f"p{i}" for i in range(size)))


def long_branch(size: int) -> str:
    loops = [part for i in range(size) for part in (f"while a[{i}]:", "    f()")]
    return function(*loops)


def cyclomatic_complexity(size: int) -> str:
    # One for the function, one for the `if` and one for each `and`.
    return function(f"if {' and '.join('abcdefghijklmn'[: size - 1])}:", "    f()")


def long_lambda(size: int) -> str:
    return f"g = lambda: {'a' * (size - len('lambda: '))}\n"


def long_list_comprehension(size: int) -> str:
    return f"g = [a for a in {'b' * (size - len('[a for a in ]'))}]\n"


FIXTURES = {
    "long-method": long_method,
    "long-parameter-list": long_parameter_list,
    "long-branch": long_branch,
    "cyclomatic-complexity": cyclomatic_complexity,
    "long-lambda": long_lambda,
    "long-list-comprehension": long_list_comprehension,
}
SENTENCES = {
    "long-method": (
        "The function `work` is too long: it has 51 statements, more than 50.",
        50,
    ),
    "long-parameter-list": (
        "The function `work` takes too many parameters: 7, more than 6.",
        6,
    ),
    "long-branch": (
        "The function `work` has too many branches: 13, more than 12.",
        12,
    ),
    "cyclomatic-complexity": (
        "The function `work` is too complex: its cyclomatic complexity is 11.",
        10,
    ),
    "long-lambda": (
        "This lambda is 61 characters long; a named function is easier to read.",
        60,
    ),
    "long-list-comprehension": (
        "This list comprehension is 73 characters long; a loop is easier to read.",
        72,
    ),
}


def test_every_threshold_has_a_fixture() -> None:
    assert set(THRESHOLDS) == set(FIXTURES) == set(SENTENCES)


@pytest.mark.parametrize("rule", FIXTURES)
def test_just_over_the_threshold_is_a_smell(rule: str) -> None:
    sentence, most = SENTENCES[rule]
    found = [smell for smell in smells(FIXTURES[rule](most + 1)) if smell.rule == rule]
    assert found == [Smell(sentence, rule, "python-structure", "app.py", 1)]


@pytest.mark.parametrize("rule", FIXTURES)
def test_just_under_the_threshold_is_none(rule: str) -> None:
    _, most = SENTENCES[rule]
    assert [smell for smell in smells(FIXTURES[rule](most)) if smell.rule == rule] == []


def test_what_inner_functions_hold_counts_for_them() -> None:
    inner = ["def inner():", *["    f()"] * 30]
    assert smells(function(*inner, *["f()"] * 30)) == ()


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        (["f()"], 1),
        (["if a:", "    f()", "elif b:", "    f()", "else:", "    f()"], 3),
        (["for a in b:", "    f()", "else:", "    f()"], 3),
        (["try:", "    f()", "except A:", "    f()", "else:", "    f()"], 3),
        (["return [a for a in b if a if c]"], 4),
        (["return a or b and c"], 3),
        (["return a if b else c"], 2),
        (["assert a"], 2),
        (["match a:", "    case 1:", "        f()", "    case 2:", "        f()"], 3),
        (["match a:", "    case 1:", "        f()", "    case _:", "        f()"], 2),
        (["with a:", "    f()", "while b:", "    f()"], 2),
    ],
)
def test_complexity_counts_decisions(body: list[str], complexity: int) -> None:
    missing = 11 - complexity
    padding = ["if a:", "    f()"] * missing
    less = ["if a:", "    f()"] * (missing - 1)
    assert [s.rule for s in smells(function(*body, *padding))] == ["cyclomatic-complexity"]
    assert smells(function(*body, *less)) == ()


def test_a_function_counts_when_a_changed_line_lies_in_it() -> None:
    text = "x = 1\n" + long_method(51)
    assert [smell.line for smell in smells(text, 30)] == [2]
    assert smells(text, 1) == ()


def test_length_is_that_of_the_code_without_its_indentation() -> None:
    comprehension = "g = [\n" + " " * 70 + "a for a in b\n]\n"
    assert smells(comprehension) == ()
    wide = "g = lambda: 'ä" + "ä" * 40 + "'\n"
    assert smells(wide) == ()


def test_a_fragment_that_shows_too_much_is_a_smell_at_its_line() -> None:
    (result,) = Linter(PythonStructure(), PYTHON).analyze(
        [hunk("    return 0\n\n" + long_method(60), 200)]
    )
    assert result.status is Status.FRAGMENT
    assert [(smell.rule, smell.line) for smell in result.smells] == [("long-method", 202)]


def test_the_scaffold_of_a_fragment_is_no_smell() -> None:
    parameters = "".join(f"         p{i}=1,\n" for i in range(9))
    (result,) = Linter(PythonStructure(), PYTHON).analyze(
        [hunk(f"{parameters}         q=1):\n    f()\n")]
    )
    assert (result.status, result.smells) == (Status.FRAGMENT, ())
