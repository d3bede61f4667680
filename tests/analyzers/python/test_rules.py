import re
from pathlib import Path

import pytest

from analyzers import AnalyzerResult
from analyzers.linter import Linter
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import RULES, Ruff
from tests.analyzers.sources import whole

EXAMPLES = {
    rule: (code, int(line), sentence)
    for rule, line, sentence, code in re.findall(
        r"^== (\w+), line (\d+): (.*)\n((?:(?!==).*\n)+)",
        Path(__file__).with_name("rule_examples.txt").read_text(),
        re.MULTILINE,
    )
}
BIDIRECTIONAL = "PLE2502"  # its example would make the file above unreadable


@pytest.fixture(scope="module")
def results() -> dict[str, AnalyzerResult]:
    """All examples in one start of ruff, by rule."""
    files = [whole(code, path=rule) for rule, (code, _, _) in EXAMPLES.items()]
    return {str(result.path): result for result in Linter(Ruff(), PYTHON).analyze(files)}


def test_every_rule_has_an_example() -> None:
    assert set(RULES) == {*EXAMPLES, BIDIRECTIONAL}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_each_rule_gives_its_sentence_at_its_line(
    rule: str, results: dict[str, AnalyzerResult]
) -> None:
    _, line, sentence = EXAMPLES[rule]
    found = [smell for smell in results[rule].smells if smell.rule == rule]
    assert [(smell.line, smell.text) for smell in found] == [(line, sentence)]


def test_sentences_hold_no_rule_and_end_in_a_full_stop() -> None:
    for rule, (_, _, sentence) in EXAMPLES.items():
        assert rule not in sentence
        assert re.fullmatch(r"[A-Z`].*\.", sentence)


def test_control_characters_that_hide_code_are_found() -> None:
    (result,) = Linter(Ruff(), PYTHON).analyze([whole("x = 'a\u202eb'\n")])
    assert [smell.rule for smell in result.smells] == [BIDIRECTIONAL]
    assert "\u202e" not in result.smells[0].text
