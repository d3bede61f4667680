"""Accepted and rejected output of the tools."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from analyzers.batches import GarbageError
from analyzers.java.pmd import ConfigurationError
from analyzers.java.pmd import outcomes as pmd_outcomes
from analyzers.java.rulesets import READ
from analyzers.javascript.jshint import outcomes as jshint_outcomes
from analyzers.python.ruff import _findings_by_file
from analyzers.tool import Finding, Outcome, Unread

Read = Callable[[str], Sequence[Outcome]]

JAVA = {"source0.java": "class A { }\n", "source1.java": 'String s = "😀ä"; int x;\n'}
_PLACE = {"beginline": 1, "begincolumn": 1, "endline": 1, "endcolumn": 2}
VIOLATION = {**_PLACE, "description": "Avoid unused things such as 'x'.", "rule": "UnusedThing"}
READ_MARK = {**VIOLATION, "rule": READ, "description": "Read."}
AT = "in file 'source0.java' at line 3, column 7"
UNEXPECTED = Unread('PMD cannot read this Java: unexpected "{"', 3)


def pmd_report(**changes: object) -> dict[str, Any]:
    files = [{"filename": f"/tmp/{name}", "violations": [READ_MARK]} for name in JAVA]
    lists = ("suppressedViolations", "processingErrors", "configurationErrors")
    rest: dict[str, object] = {name: [] for name in lists}
    return {"formatVersion": 0, "pmdVersion": "7.28.0", "files": files, **rest, **changes}


def of_first(**changes: object) -> dict[str, Any]:
    whole = pmd_report()
    whole["files"][0]["violations"].append({**VIOLATION, **changes})
    return whole


def error(message: object, filename: object = "source0.java") -> dict[str, Any]:
    return pmd_report(processingErrors=[{"filename": filename, "message": message, "detail": ""}])


def read_pmd(output: object) -> list[Any]:
    return pmd_outcomes(output if isinstance(output, str) else json.dumps(output), JAVA)


JAVASCRIPT = {"source0.js": "\topen();\nclose();\n", "source1.js": ""}
FINDING = {
    "code": "W075",
    "message": "Duplicate key 'size'.",
    "row": 1,
    "character": 5,
    "names": ["key", "size"],
    "scope": [1, 2],
}


def of_file(*findings: object, file: object = "source0.js") -> str:
    return json.dumps({"file": file, "findings": findings})


EMPTY = of_file(file="source1.js")


def read_jshint(output: str) -> list[Any]:
    return jshint_outcomes(output, JAVASCRIPT)


_START = {"row": 1, "column": 1}
ENTRY = {"code": "E711", "message": "no", "location": _START, "end_location": _START}
NAMED = {"filename": "/somewhere/source0.py", **ENTRY}


def read_ruff(output: object) -> Sequence[Outcome]:
    return _findings_by_file(json.dumps(output), ["a.py", "source0.py"])


GARBAGE: dict[Callable[[Any], Sequence[Outcome]], list[object]] = {
    read_pmd: [
        *("", "PMD", "[" * 100_000, json.dumps(pmd_report())[:-20], None, [], {}),
        pmd_report(formatVersion=1),
        pmd_report(pmdVersion=None),
        *(
            pmd_report(files=files)
            for files in (
                None,
                [],
                [None],
                [{"filename": "source0.java", "violations": [READ_MARK]}],
                [{"filename": "source0.java"}],
            )
        ),
        pmd_report(suppressedViolations=7),
        pmd_report(processingErrors=[{}]),
        error("x", "/etc/passwd"),
        error("x", None),
        of_first() | {"files": [{"filename": "x", "violations": []}]},
        *(of_first(beginline=line) for line in (0, "1", True, 1.5)),
        of_first(beginline=3, endline=3),
        of_first(begincolumn=0),
        of_first(begincolumn=5),
        of_first(endline=None),
        of_first(endline=10**30),
    ],
    read_jshint: [
        *("", "\n", "All fine!\n", "[]\n[]\n", "null\nnull\n", "[" * 100_000 + "\n" + EMPTY),
        *(of_file(), f"{of_file()}\n", f"{of_file()}\n{EMPTY}\n{EMPTY}\n", f"{EMPTY}\n{of_file()}"),
        f"{of_file()}\n{EMPTY[:-5]}",
        *(
            f"{line}\n{EMPTY}\n"
            for line in (
                of_file(file="/etc/passwd"),
                of_file(file=0),
                json.dumps({"file": "source0.js"}),
                json.dumps({"file": "source0.js", "findings": None}),
                json.dumps({"file": "source0.js", "findings": {}}),
                of_file(None),
                of_file({}),
                *(of_file({**FINDING, "row": row}) for row in (0, 4, 10**30, "1", None)),
                of_file({**FINDING, "character": None}),
                of_file({**FINDING, "names": None}),
                of_file({**FINDING, "names": []}),
                of_file({**FINDING, "code": "W119", "names": ["class", "six"]}),
                of_file({**FINDING, "code": "W119", "names": ["class"]}),
                *(of_file({**FINDING, "scope": scope}) for scope in (None, [1], [1, "2"])),
            )
        ),
    ],
    read_ruff: [
        *(None, {}, [None], [{}], [ENTRY]),
        [{**NAMED, "filename": "/etc/passwd"}],
        [{**NAMED, "filename": 3}],
        [{**NAMED, "location": None}],
        [{**NAMED, "location": {"row": "x", "column": 1}}],
    ],
}


@pytest.mark.parametrize(
    ("read", "output"), [(read, output) for read, outputs in GARBAGE.items() for output in outputs]
)
def test_any_other_output_is_rejected(read: Read, output: str) -> None:
    with pytest.raises(GarbageError):
        read(output)


def test_findings_belong_to_their_files_in_order() -> None:
    assert read_ruff([NAMED]) == [[], [Finding("E711", "no", 1, 1, 1, 1)]]
    second = {"filename": "./source1.java", "violations": [VIOLATION, READ_MARK]}
    first = {"filename": "source0.java", "violations": [READ_MARK]}
    finding = Finding("UnusedThing", "Avoid unused things such as 'x'.", 1, 1, 1, 2, ("x",))
    assert read_pmd(pmd_report(files=[second, first])) == [[], [finding]]
    unread = json.dumps({"file": "source1.js", "error": "too deep"})
    finding = Finding("W075", "Duplicate key 'size'.", 1, 2, 1, 2, ("size", "key"), None, (1, 2))
    assert read_jshint(f"{of_file(FINDING)}\n{unread}\n") == [[finding], Unread("too deep")]


def test_columns_of_pmd_count_characters() -> None:
    whole = pmd_report()
    # Java counts two for the emoji.
    whole["files"][1]["violations"].append({**VIOLATION, "begincolumn": 23, "endcolumn": 24})
    _, (finding,) = read_pmd(whole)
    line = JAVA["source1.java"]
    assert line[finding.first_column - 1 : finding.last_column - 1] == "x"


@pytest.mark.parametrize(
    ("kind", "expected"), [("annotation", 1), ("nopmd", 0), ("Regex", 0), ("XPath", 0)]
)
def test_findings_suppressed_by_an_annotation_are_restored(kind: str, expected: int) -> None:
    violations = [{**VIOLATION, "suppressiontype": kind}]
    silenced = [{"filename": "source0.java", "violations": violations}]
    findings, _ = read_pmd(pmd_report(suppressedViolations=silenced))
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
        ("StackOverflowError: null", Unread("PMD could not process it (StackOverflowError)")),
        ("", Unread("PMD could not process it ()")),
    ],
)
def test_an_error_affects_only_its_own_file(message: str, expected: Unread) -> None:
    assert read_pmd(error(message)) == [expected, []]
    found = of_first() | {"processingErrors": error(message)["processingErrors"]}
    assert read_pmd(found) == [expected, []]


def test_an_unusable_rule_is_reported() -> None:
    broken = [{"rule": "Loose", "ruleset": "Design", "message": "No packages specified"}]
    with pytest.raises(ConfigurationError, match="Loose: No packages specified"):
        read_pmd(pmd_report(configurationErrors=broken))


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
    (finding,), _ = read_pmd(of_first(rule=rule, description=message))
    assert (finding.names, finding.measure) == (names, measure)


def test_a_measure_of_jshint_is_among_the_names() -> None:
    finding = {**FINDING, "code": "W119", "names": ["class", "6"]}
    (found, _) = read_jshint(f"{of_file(finding)}\n{EMPTY}\n")
    assert (found[0].names, found[0].measure) == (("class", "6"), 6)


def test_unicode_line_separators_do_not_end_lines() -> None:
    finding = {**FINDING, "message": "a\u2028b"}
    line = json.dumps({"file": "source0.js", "findings": [finding]}, ensure_ascii=False)
    (found, _) = read_jshint(f"{line}\n{EMPTY}\n")
    assert found[0].message == "a\u2028b"
