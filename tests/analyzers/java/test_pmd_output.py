"""What of PMD's JSON is believed."""

import json
from typing import Any

import pytest

from analyzers.batches import GarbageError
from analyzers.java.pmd import ConfigurationError, outcomes
from analyzers.java.rulesets import READ
from analyzers.tool import Finding, Unread

TEXTS = {"source0.java": "class A { }\n", "source1.java": 'String s = "😀ä"; int x;\n'}


def violation(**changes: object) -> dict[str, object]:
    plain = {
        "beginline": 1,
        "begincolumn": 1,
        "endline": 1,
        "endcolumn": 2,
        "description": "Avoid unused things such as 'x'.",
        "rule": "UnusedThing",
    }
    return {**plain, **changes}


AT = "in file 'source0.java' at line 3, column 7"
UNEXPECTED = Unread('PMD cannot read this Java: unexpected "{"', 3)
READ_MARK = violation(rule=READ, description="Read.")


def report(**changes: object) -> dict[str, Any]:
    files = [{"filename": f"/tmp/{name}", "violations": [READ_MARK]} for name in TEXTS]
    plain = {
        "formatVersion": 0,
        "pmdVersion": "7.28.0",
        "timestamp": "2024-01-01T00:00:00.000Z",
        "files": files,
        "suppressedViolations": [],
        "processingErrors": [],
        "configurationErrors": [],
    }
    return {**plain, **changes}


def of_first(**changes: object) -> dict[str, Any]:
    whole = report()
    whole["files"][0]["violations"].append(violation(**changes))
    return whole


def error(message: object, filename: object = "source0.java") -> dict[str, Any]:
    return report(processingErrors=[{"filename": filename, "message": message, "detail": ""}])


@pytest.mark.parametrize(
    "said",
    [
        "",
        "PMD",
        "[" * 100_000,
        json.dumps(report())[:-20],
        "null",
        "[]",
        "{}",
        json.dumps(report(formatVersion=1)),
        json.dumps(report(pmdVersion=None)),
        json.dumps(report(files=None)),
        json.dumps(report(files=[])),
        json.dumps(report(files=[None])),
        json.dumps(report(files=[{"filename": "source0.java", "violations": [READ_MARK]}])),
        json.dumps(report(files=[{"filename": "source0.java"}])),
        json.dumps(report(suppressedViolations=7)),
        json.dumps(report(processingErrors=[{}])),
        json.dumps(error("x", "/etc/passwd")),
        json.dumps(error("x", None)),
        json.dumps(of_first(rule=None) | {"files": [{"filename": "x", "violations": []}]}),
        json.dumps(of_first(beginline=0)),
        json.dumps(of_first(beginline=3, endline=3)),
        json.dumps(of_first(beginline="1")),
        json.dumps(of_first(beginline=True)),
        json.dumps(of_first(beginline=1.5)),
        json.dumps(of_first(begincolumn=0)),
        json.dumps(of_first(begincolumn=5)),
        json.dumps(of_first(endline=None)),
        json.dumps(of_first(endline=10**30)),
    ],
)
def test_no_other_output_is_believed(said: str) -> None:
    with pytest.raises(GarbageError):
        outcomes(said, TEXTS)


def test_findings_belong_to_their_files_in_order() -> None:
    whole = report(
        files=[
            {"filename": "./source1.java", "violations": [violation(), READ_MARK]},
            {"filename": "source0.java", "violations": [READ_MARK]},
        ]
    )
    expected = Finding(
        "UnusedThing", "Avoid unused things such as 'x'.", 1, 1, 1, 2, ("x",), measure=None
    )
    assert outcomes(json.dumps(whole), TEXTS) == [[], [expected]]


def test_columns_count_characters() -> None:
    place = {"begincolumn": 23, "endcolumn": 24}  # Java counts two for the emoji
    whole = report()
    whole["files"][1]["violations"].append(violation(**place))
    _, findings = outcomes(json.dumps(whole), TEXTS)
    assert isinstance(findings, list)
    line = TEXTS["source1.java"]
    assert line[findings[0].first_column - 1 : findings[0].last_column - 1] == "x"


@pytest.mark.parametrize(
    ("kind", "expected"), [("annotation", 1), ("nopmd", 0), ("Regex", 0), ("XPath", 0)]
)
def test_what_an_annotation_silences_is_brought_back(kind: str, expected: int) -> None:
    silenced = {"filename": "source0.java", "violations": [violation(suppressiontype=kind)]}
    findings, _ = outcomes(json.dumps(report(suppressedViolations=[silenced])), TEXTS)
    assert isinstance(findings, list)
    assert len(findings) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (f'ParseException: Parse exception {AT}: Encountered "{{".\nWas expecting:', UNEXPECTED),
        (f'LexException: Lexical error {AT}: "{{" (123), after : ""', UNEXPECTED),
        (
            f'LexException: Lexical error {AT}: <EOF> after : ""',
            Unread("PMD cannot read this Java: unexpected <EOF>", 3),
        ),
        (
            f"ParseException: Parse exception {AT}: Unnamed variables are missing\nthere",
            Unread("PMD cannot read this Java: Unnamed variables are missing", 3),
        ),
        ("StackOverflowError: null", Unread("PMD could not get through it (StackOverflowError)")),
        ("", Unread("PMD could not get through it ()")),
    ],
)
def test_an_error_costs_its_file_alone(message: str, expected: Unread) -> None:
    assert outcomes(json.dumps(error(message)), TEXTS) == [expected, []]


def test_a_file_with_an_error_counts_as_unread_whatever_else_was_found_in_it() -> None:
    whole = of_first() | {
        "processingErrors": [{"filename": "source0.java", "message": "StackOverflowError: null"}]
    }
    first, second = outcomes(json.dumps(whole), TEXTS)
    assert isinstance(first, Unread)
    assert second == []


def test_a_rule_that_cannot_work_is_said() -> None:
    broken = [{"rule": "Loose", "ruleset": "Design", "message": "No packages specified"}]
    with pytest.raises(ConfigurationError, match="Loose: No packages specified"):
        outcomes(json.dumps(report(configurationErrors=broken)), TEXTS)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("The class name 'shop_cart' doesn't match '[A-Z]*'", ("shop_cart", "[A-Z]*")),
        ("Could be written as: `String::trim`", ("String::trim",)),
        ("Avoid unused private methods such as 'clear(int)'.", ("clear(int)",)),
        ("Dont do that", ()),
    ],
)
def test_names_are_what_stands_in_quotes(message: str, names: tuple[str, ...]) -> None:
    findings, _ = outcomes(json.dumps(of_first(description=message)), TEXTS)
    assert isinstance(findings, list)
    assert findings[0].names == names


@pytest.mark.parametrize(
    ("rule", "message", "measure"),
    [
        ("CyclomaticComplexity", "The method 'f2(int)' has a cyclomatic complexity of 12.", 12),
        ("GodClass", "Possible God Class (WMC=50, ATFD=7, TCC=12.500%)", 50),
        ("CyclomaticComplexity", "The method 'f2(int)' is complex.", None),
        ("UnusedThing", "There are 7.", None),
    ],
)
def test_measures_are_read_where_there_are_some(
    rule: str, message: str, measure: int | None
) -> None:
    findings, _ = outcomes(json.dumps(of_first(rule=rule, description=message)), TEXTS)
    assert isinstance(findings, list)
    assert findings[0].measure == measure
