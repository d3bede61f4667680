from dataclasses import replace
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, Fragment, SourceFile, Status
from analyzers.java import pmd as pmd_module
from analyzers.java.pmd import PMD
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from tests.analyzers.kits import at
from tests.analyzers.sources import whole

SMELLY = "class Cache {\n    private int size;\n}\n"
FRAGMENTS = SourceFile(
    "fragments",
    "java",
    (
        Fragment(40, "    void run() {\n        int spare = 3;\n    }\n"),
        Fragment(90, "        go(this.thread.equals(null));\n"),
    ),
    frozenset({41, 90}),
)


def java(text: str, *changed: int, path: str) -> SourceFile:
    return whole(text, *changed, path=path, language="java")


_STATIC = "    static int half(int angle) {\n        return angle / 2;\n    }\n"
_ANGLES = "package a;\n\nclass Angles {\n    int size;\n\n" + _STATIC + "}\n"
_ONLY_STATIC = _ANGLES.replace("    int size;\n\n", "")


def test_java_home_takes_precedence_over_the_search_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own, other = tmp_path / "bin" / "java", tmp_path / "path" / "java"
    for path in (own, other):
        path.parent.mkdir()
        path.write_text("")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert pmd_module._installed_java() == str(own)
    monkeypatch.setenv("JAVA_HOME", str(own.parent))
    assert pmd_module._installed_java() == str(other)


LONG = {
    "a comment": f"/* {'x' * 900_000} */ {SMELLY}",
    "a text": SMELLY.replace(";", f'; String a = "{"x" * 900_000}";'),
}
DEEP = {
    "parentheses": f"class A {{ int a = {'(' * 6_000}1{')' * 6_000}; }}\n",
    "braces": f"class A {{ void f() {'{' * 100_000}{'}' * 100_000} }}\n",
}


@pytest.fixture(scope="module")
def results() -> dict[str, AnalyzerResult]:
    """Results by the name of a text, all from one run."""
    files = [java(text, path=name) for name, text in {**LONG, **DEEP}.items()]
    files += [
        replace(java(_ONLY_STATIC, 5, path=name), old_fragments=(Fragment(1, old),))
        for name, old in (("made", _ANGLES), ("was there", _ONLY_STATIC))
    ]
    analyzer = Linter(PMD(), READERS["java"])
    return {str(result.path): result for result in analyzer.analyze([*files, FRAGMENTS])}


def test_a_class_smell_counts_unless_the_old_side_had_it(
    results: dict[str, AnalyzerResult],
) -> None:
    assert at(results["made"]) == [("InstantiableUtilityClass", 3)]
    assert at(results["was there"]) == []


@pytest.mark.parametrize("name", LONG)
def test_long_java_is_read(name: str, results: dict[str, AnalyzerResult]) -> None:
    assert at(results[name]) == [("NoPackage", 1), ("UnusedPrivateField", 2)]


@pytest.mark.parametrize("name", DEEP)
def test_deep_java_is_reported_and_does_not_affect_others(
    name: str, results: dict[str, AnalyzerResult]
) -> None:
    result = results[name]
    assert (result.status, result.smells) == (Status.NOT_ANALYSED, ())
    assert str(result.reason).startswith("PMD could not process it (")


def test_lines_are_those_of_the_new_file_and_sentences_name_the_method(
    results: dict[str, AnalyzerResult],
) -> None:
    assert [(smell.line, smell.text) for smell in results["fragments"].smells] == [
        (41, "The local variable `spare` is never used in `run`."),
        (90, "The comparison `this.thread.equals(null)` is never true; compare with `== null`."),
    ]
