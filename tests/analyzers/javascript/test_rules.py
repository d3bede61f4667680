import re
from pathlib import Path

import pytest

from analyzers import AnalyzerResult
from analyzers.batches import NODE_MODULES
from analyzers.javascript.configurations import CONFIGURATIONS, MODERN, ORIGINAL
from analyzers.javascript.jshint import MEASURED, RULES, TELLING, JSHint
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from tests.analyzers.sources import whole

Examples = dict[str, tuple[str, int, str]]


def examples(name: str) -> Examples:
    return {
        rule: (code, int(line), sentence)
        for rule, line, sentence, code in re.findall(
            r"^== (\w+(?: \S+)?), line (\d+): (.*)\n((?:(?!==).*\n)+)",
            Path(__file__).with_name(name).read_text(),
            re.MULTILINE,
        )
    }


# Their examples would make the file below unreadable.
INVISIBLE: Examples = {
    "W048": ("open = /\\\x01/;\n", 1, "The regular expression has a control character in it."),
    "W113": ("size = '\x01';\n", 1, "The string has a control character in it."),
    "W125": ("size =\xa03;\n", 1, "The line has a non-breaking space in it."),
}
EXAMPLES = {
    MODERN: {**examples("rule_examples.txt"), **INVISIBLE},
    # What nobody would raise any more, and what is not read beyond
    ORIGINAL: examples("original_examples.txt"),
}
ALL = [(name, rule) for name in EXAMPLES for rule in EXAMPLES[name]]

# Those that no code brings about, and one that is about JSHint.
NEVER_SAID = {"E004", "E014", "E036", "E040", "I001"}


@pytest.fixture(scope="module")
def results() -> dict[tuple[str, str], AnalyzerResult]:
    """All examples in one start of JSHint for each configuration."""
    found: dict[tuple[str, str], AnalyzerResult] = {}
    for name, of_rules in EXAMPLES.items():
        files = [
            whole(code, path=rule, language="javascript") for rule, (code, _, _) in of_rules.items()
        ]
        for result in Linter(JSHint(name), READERS["javascript"]).analyze(files):
            found[name, str(result.path)] = result
    return found


def test_every_rule_has_an_example() -> None:
    assert set(RULES) == {rule for _, rule in ALL}
    assert len(RULES) == len(ALL)


def test_all_that_jshint_says_has_a_sentence() -> None:
    source = NODE_MODULES / "jshint" / "src"
    names = ("jshint", "lex", "scope-manager", "style")
    code = "".join((source / f"{name}.js").read_text() for name in names)
    said = set(re.findall(r"""["']([EWI]\d{3})["']""", code))
    assert said - NEVER_SAID == {rule[:4] for rule in RULES}


def test_what_is_left_out_exists() -> None:
    left_out = {rule for one in CONFIGURATIONS.values() for rule in one.left_out}
    assert left_out - {"I001"} <= set(RULES)
    assert set(TELLING) | set(MEASURED) <= set(RULES)


@pytest.mark.parametrize(("name", "rule"), ALL)
def test_each_rule_gives_its_sentence_at_its_line(
    name: str, rule: str, results: dict[tuple[str, str], AnalyzerResult]
) -> None:
    _, line, sentence = EXAMPLES[name][rule]
    smells = results[name, rule].smells
    found = [
        (smell.line, smell.text) for smell in smells if smell.rule == rule.split(maxsplit=1)[0]
    ]
    assert found == [(line, sentence)]


def test_sentences_hold_no_rule_and_end_in_a_full_stop() -> None:
    for name, rule in ALL:
        _, _, sentence = EXAMPLES[name][rule]
        assert rule[:4] not in sentence
        assert "esversion" not in sentence.replace("`esversion`", "")
        assert re.fullmatch(r"[A-Z`].*\.", sentence)
