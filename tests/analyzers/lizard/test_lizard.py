import importlib.metadata
import sys
from pathlib import Path

import pytest

from analyzers.lizard import LANGUAGES, LIMITS, Lizard
from analyzers.tool import Unread
from tests.analyzers.lizard.examples import FUNCTIONS


def found(language: str, text: str) -> list[tuple[str, int | None]]:
    (outcome,) = Lizard(language).lint([text])
    assert not isinstance(outcome, Unread)
    return [(finding.rule, finding.measure) for finding in outcome]


def test_every_language_has_an_example() -> None:
    assert set(FUNCTIONS) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("over", [0, 1])
def test_a_function_is_too_much_from_just_over_each_threshold(language: str, over: int) -> None:
    function = FUNCTIONS[language]
    lines = LIMITS["long-function"].most + over
    parameters = LIMITS["long-parameter-list"].most + over
    complexity = LIMITS["cyclomatic-complexity"].most + over
    for text, rule, measure in (
        (function.text(statements=lines - 2), "long-function", lines),
        (function.text(parameters=parameters), "long-parameter-list", parameters),
        (function.text(decisions=complexity - 1), "cyclomatic-complexity", complexity),
    ):
        assert found(language, text) == ([(rule, measure)] if over else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_names_the_function_and_its_rows(language: str) -> None:
    function = FUNCTIONS[language]
    (outcome,) = Lizard(language).lint([function.text(statements=3, parameters=9)])
    assert not isinstance(outcome, Unread)
    (finding,) = outcome
    assert "work" in finding.names[0]
    assert finding.first_row == function.head_rows
    assert finding.last_row == function.head_rows + 4


C = FUNCTIONS["c"].text(parameters=9)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("// #lizard forgives\n", ""),
        ("/* #lizard forgives */\n", ""),
        ("// #lizard forgive global\n", ""),
        ("// GENERATED CODE\n", ""),
        ("", "// #lizard forgives(parameter_count)\n"),
    ],
)
def test_a_comment_silences_nothing(before: str, after: str) -> None:
    text = before + C.replace("{\n", "{\n" + after)
    assert found("c", text) == [("long-parameter-list", 9)]


def test_comments_keep_the_rows() -> None:
    (outcome,) = Lizard("c").lint(["/* one\n two\n three */\n// four\n" + C])
    assert not isinstance(outcome, Unread)
    assert [finding.first_row for finding in outcome] == [5]


def test_a_function_without_a_name_is_described() -> None:
    (outcome,) = Lizard("javascript").lint(["go(function (a, b, c, d, e, f, g) { });\n"])
    assert not isinstance(outcome, Unread)
    assert [finding.message for finding in outcome] == [
        "This function takes too many parameters: 7, more than 6."
    ]


def test_many_texts_go_through_few_starts() -> None:
    outcomes = Lizard("go").lint([FUNCTIONS["go"].text(parameters=n % 2 * 9) for n in range(40)])
    assert [bool(outcome) for outcome in outcomes] == [False, True] * 20


def test_it_knows_its_version() -> None:
    assert Lizard("c").version == importlib.metadata.version("lizard")


_REPORT = 'import json, sys\nfor name in sys.argv[1:]: print(json.dumps({{"file": name, {}}}))'


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ('"functions": []', "did not report what it has to report"),
        ('"functions": [{}]', "unreadable output"),
        ('"functions": 3', "unreadable output"),
        ('"error": "X"', "did not report what it has to report"),
    ],
)
def test_a_report_has_to_be_complete(tmp_path: Path, report: str, reason: str) -> None:
    program = tmp_path / "fake.py"
    program.write_text(_REPORT.format(report))
    (outcome,) = Lizard("c", (sys.executable, "-I", str(program))).lint([C])
    assert isinstance(outcome, Unread)
    assert reason in outcome.reason


_HARMS = ["(" * 6_000, "{" * 100_000, "'" * 999, "\x0c\u2028\r", "\0", "\udcff", "\ufeff", "/*"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_odd_text_costs_the_others_nothing(language: str) -> None:
    smelly = FUNCTIONS[language].text(parameters=9)
    texts = [part for harm in [*_HARMS, "`", "<<A"] for part in (f"{smelly}\n{harm}\n", smelly)]
    for after in Lizard(language).lint(texts)[1::2]:
        assert not isinstance(after, Unread)
        assert [finding.rule for finding in after] == ["long-parameter-list"]
