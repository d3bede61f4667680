"""What of PMD's JSON is believed."""

import json
from typing import Any

import pytest

from analyzers.batches import GarbageError
from analyzers.java.pmd import ConfigurationError, outcomes
from analyzers.java.rulesets import READ
from analyzers.tool import Finding, Unread

TEXTS = {"source0.java": "class A { }\n", "source1.java": 'String s = "😀ä"; int x;\n'}
_PLACE = {"beginline": 1, "begincolumn": 1, "endline": 1, "endcolumn": 2}
VIOLATION = {**_PLACE, "description": "Avoid unused things such as 'x'.", "rule": "UnusedThing"}
READ_MARK = {**VIOLATION, "rule": READ, "description": "Read."}
AT = "in file 'source0.java' at line 3, column 7"
UNEXPECTED = Unread('PMD cannot read this Java: unexpected "{"', 3)


def report(**changes: object) -> dict[str, Any]:
    files = [{"filename": f"/tmp/{name}", "violations": [READ_MARK]} for name in TEXTS]
    lists = ("suppressedViolations", "processingErrors", "configurationErrors")
    rest: dict[str, object] = {name: [] for name in lists}
    return {"formatVersion": 0, "pmdVersion": "7.28.0", "files": files, **rest, **changes}


def of_first(**changes: object) -> dict[str, Any]:
    whole = report()
    whole["files"][0]["violations"].append({**VIOLATION, **changes})
    return whole


def error(message: object, filename: object = "source0.java") -> dict[str, Any]:
    return report(processingErrors=[{"filename": filename, "message": message, "detail": ""}])


def read(whole: object) -> list[Any]:
    return outcomes(json.dumps(whole), TEXTS)


@pytest.mark.parametrize("output", ["", "PMD", "[" * 100_000, json.dumps(report())[:-20]])
def test_other_text_is_not_believed(output: str) -> None:
    with pytest.raises(GarbageError, match="not JSON"):
        outcomes(output, TEXTS)


@pytest.mark.parametrize(
    "whole",
    [
        None,
        [],
        {},
        report(formatVersion=1),
        report(pmdVersion=None),
        report(files=None),
        report(files=[]),
        report(files=[None]),
        report(files=[{"filename": "source0.java", "violations": [READ_MARK]}]),
        report(files=[{"filename": "source0.java"}]),
        report(suppressedViolations=7),
        report(processingErrors=[{}]),
        error("x", "/etc/passwd"),
        error("x", None),
        of_first() | {"files": [{"filename": "x", "violations": []}]},
        *(
            of_first(**change)
            for change in (
                {"beginline": 0},
                {"beginline": 3, "endline": 3},
                {"beginline": "1"},
                {"beginline": True},
                {"beginline": 1.5},
                {"begincolumn": 0},
                {"begincolumn": 5},
                {"endline": None},
                {"endline": 10**30},
            )
        ),
    ],
    ids=lambda whole: json.dumps(whole)[-60:],
)
def test_no_other_report_is_believed(whole: object) -> None:
    with pytest.raises(GarbageError):
        read(whole)


def test_findings_belong_to_their_files_in_order() -> None:
    second = {"filename": "./source1.java", "violations": [VIOLATION, READ_MARK]}
    first = {"filename": "source0.java", "violations": [READ_MARK]}
    finding = Finding("UnusedThing", "Avoid unused things such as 'x'.", 1, 1, 1, 2, ("x",))
    assert read(report(files=[second, first])) == [[], [finding]]


def test_columns_count_characters() -> None:
    whole = report()
    # Java counts two for the emoji.
    whole["files"][1]["violations"].append({**VIOLATION, "begincolumn": 23, "endcolumn": 24})
    _, (finding,) = read(whole)
    line = TEXTS["source1.java"]
    assert line[finding.first_column - 1 : finding.last_column - 1] == "x"


@pytest.mark.parametrize(
    ("kind", "expected"), [("annotation", 1), ("nopmd", 0), ("Regex", 0), ("XPath", 0)]
)
def test_what_an_annotation_silences_is_brought_back(kind: str, expected: int) -> None:
    violations = [{**VIOLATION, "suppressiontype": kind}]
    silenced = [{"filename": "source0.java", "violations": violations}]
    findings, _ = read(report(suppressedViolations=silenced))
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
def test_an_error_costs_its_file_alone_whatever_else_was_found_in_it(
    message: str, expected: Unread
) -> None:
    assert read(error(message)) == [expected, []]
    found = of_first() | {"processingErrors": error(message)["processingErrors"]}
    assert read(found) == [expected, []]


def test_a_rule_that_cannot_work_is_said() -> None:
    broken = [{"rule": "Loose", "ruleset": "Design", "message": "No packages specified"}]
    with pytest.raises(ConfigurationError, match="Loose: No packages specified"):
        read(report(configurationErrors=broken))


@pytest.mark.parametrize(
    ("rule", "message", "names", "measure"),
    [
        ("Odd", "The name 'shop_cart' doesn't match '[A-Z]*'", ("shop_cart", "[A-Z]*"), None),
        ("Odd", "Could be written as: `String::trim`", ("String::trim",), None),
        ("Odd", "Avoid unused private methods such as 'clear(int)'.", ("clear(int)",), None),
        ("Odd", "There are 7.", (), None),
        ("CyclomaticComplexity", "The method 'f2(int)' has 12.", ("f2(int)",), 12),
        ("CyclomaticComplexity", "The method 'f2(int)' is complex.", ("f2(int)",), None),
        ("GodClass", "Possible God Class (WMC=50, ATFD=7, TCC=12.500%)", (), 50),
    ],
)
def test_names_stand_in_quotes_and_a_measure_is_the_first_number(
    rule: str, message: str, names: tuple[str, ...], measure: int | None
) -> None:
    (finding,), _ = read(of_first(rule=rule, description=message))
    assert (finding.names, finding.measure) == (names, measure)
