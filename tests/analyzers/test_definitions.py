import dataclasses

import pytest

from analyzers import Fragment, analyzers_with
from analyzers.syntax.reading import READERS
from tests.analyzers.lizard.examples import FUNCTIONS
from tests.analyzers.sources import whole


@pytest.mark.parametrize("language", FUNCTIONS)
def test_a_function_is_found_where_its_body_opens_on_the_same_line(language: str) -> None:
    text = FUNCTIONS[language].text(statements=2).replace("Shop { ", "Shop {\n")
    rows = text.split("\n")
    row = next(number for number, line in enumerate(rows, 1) if "work" in line)
    (context,) = READERS[language].read(whole(text, language=language)).contexts
    definition = context.definition(row)
    assert definition is not None
    assert definition.name == "work"
    assert definition.last_row >= row + 3


def test_a_method_that_grows_too_complex_is_a_smell_where_only_its_body_changes() -> None:
    branch = "        if (a && b) { step(); }\n"
    text = "package shop;\nclass Shop {\n    void big() {\n" + "{}" + "    }\n}\n"
    file = dataclasses.replace(
        whole(text.replace("{}", branch * 8), 5, language="java"),
        old_fragments=(Fragment(1, text.replace("{}", branch)),),
    )
    pmd, lizard = analyzers_with(("category/java/design.xml",))["java"]
    for analyzer, rule in ((pmd, "CyclomaticComplexity"), (lizard, "cyclomatic-complexity")):
        (result,) = analyzer.analyze([file])
        assert [smell.line for smell in result.smells if smell.rule == rule] == [3]
