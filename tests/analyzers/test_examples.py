"""Examples in text files: rules with their sentences, hunks and files with their smells."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from crscore_core.analyzers import ANALYZERS, AnalyzerResult, Status
from crscore_core.analyzers.java.pmd import PMD
from crscore_core.analyzers.javascript.jshint import JSHint
from crscore_core.analyzers.lizard import Lizard
from crscore_core.analyzers.python.ruff import Ruff
from crscore_core.analyzers.python.structure import PythonStructure
from crscore_core.analyzers.tool import Rule
from tests.analyzers.sources import hunk, require, whole
from tests.cases import cases

LANGUAGES = ("python", "java", "javascript")
FILES = {"rule": "rule_examples.txt", "hunk": "hunks.txt", "file": "files.txt"}
EXAMPLES = [
    (language, kind, *case)
    for language in LANGUAGES
    for kind, name in FILES.items()
    for case in cases(Path(__file__).parent / language / name)
]


@cache
def results(language: str) -> dict[tuple[str, str], AnalyzerResult]:
    """Analyse all examples of a language in one run of its first tool, keyed by kind and name."""
    files = {
        (kind, name): (hunk if kind == "hunk" else whole)(code, language=language)
        for its_language, kind, name, code, _ in EXAMPLES
        if its_language == language
    }
    return dict(zip(files, ANALYZERS[language][0].analyze([*files.values()]), strict=True))


@pytest.mark.parametrize(
    ("language", "kind", "name", "expected"), [(*one[:3], one[4]) for one in EXAMPLES]
)
def test_examples_have_expected_smells(language: str, kind: str, name: str, expected: str) -> None:
    require(ANALYZERS[language][0])
    result = results(language)[kind, name]
    if kind == "rule":
        found = {f"{one.rule} {one.line}: {one.text}" for one in result.smells}
        assert found >= {*expected.splitlines()}
    elif expected.startswith("not analysed") or result.status is Status.NOT_ANALYSED:
        assert expected.startswith("not analysed")
        assert (result.status, result.smells) == (Status.NOT_ANALYSED, ())
        assert str(result.reason).startswith(expected.removeprefix("not analysed").strip(": "))
    else:
        assert result.status is (Status.FRAGMENT if kind == "hunk" else Status.ANALYSED)
        assert [f"{one.rule} {one.line}" for one in result.smells] == expected.splitlines()


@pytest.mark.parametrize(
    "rules", [tool.rules for tool in (Ruff, PMD, JSHint, PythonStructure, Lizard)]
)
def test_the_sentences_of_rules_are_complete(rules: Mapping[str, Rule]) -> None:
    for name, rule in rules.items():
        values = {"code": "`c`", "line": "`l`", "measure": 7, "where": " in `f`", "message": "m."}
        sentence = rule.sentence.format("`n`", **values)
        assert re.fullmatch(r"[A-Z`].*\.", sentence), name
        assert name.split()[0] not in sentence
