"""Accepted and rejected output of the tools."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from analyzers.batches import GarbageError
from analyzers.java.rulesets import READ

from analyzers.java.pmd import ConfigurationError
from analyzers.java.pmd import outcomes as pmd_outcomes
from analyzers.javascript.jshint import outcomes as jshint_outcomes
from analyzers.python.ruff import _findings_by_file
from analyzers.tool import Finding, Outcome, Unread

Read = Callable[[Any], Sequence[Outcome]]

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
    whole["files"][0]["violations"] = [READ_MARK, {**VIOLATION, **changes}]
    return whole


def error(message: object, filename: object = "source0.java") -> dict[str, Any]:
    return pmd_report(processingErrors=[{"filename": filename, "message": message}])


def read_pmd(output: object) -> list[Any]:
    return pmd_outcomes(output if isinstance(output, str) else json.dumps(output), JAVA)


JAVASCRIPT = {"source0.js": "\topen();\nclose();\n", "source1.js": ""}
FINDING = {
    "code": "W075", "message": "Duplicate key 'size'.", "row": 1, "character": 5,
    "names": ["key", "size"], "scope": [1, 2],
}  # fmt: skip
EMPTY: dict[str, Any] = {"file": "source1.js", "findings": []}


def of_file(**changes: object) -> list[dict[str, Any]]:
    return [{"file": "source0.js", "findings": [FINDING | changes]}, EMPTY]


def read_jshint(lines: str | Sequence[object]) -> list[Any]:
    output = lines if isinstance(lines, str) else "\n".join(map(json.dumps, lines))
    return jshint_outcomes(output, JAVASCRIPT)


_START = {"row": 1, "column": 1}
ENTRY = {"code": "E711", "message": "no", "location": _START, "end_location": _START}
NAMED = {"filename": "/somewhere/source0.py", **ENTRY}


def read_ruff(output: object) -> Sequence[Outcome]:
    return _findings_by_file(json.dumps(output), ["a.py", "source0.py"])


GARBAGE: dict[Read, list[object]] = {
    read_pmd: [
        *("", "PMD", "[" * 100_000, json.dumps(pmd_report())[:-20], None, [], {}),
        pmd_report(formatVersion=1),
        pmd_report(files=[]),
        pmd_report(files=[{"filename": "source0.java", "violations": [READ_MARK]}]),
        pmd_report(files=[{"filename": "x", "violations": []}]),
        error("x", "/etc/passwd"),
        *(of_first(beginline=line) for line in (0, "1", True, 1.5)),
        of_first(beginline=3, endline=3),
        of_first(begincolumn=0),
        of_first(begincolumn=5),
        of_first(endline=10**30),
    ],
    read_jshint: [
        *("", "\n", "All fine!\n", "[]\n[]\n", "null\nnull\n"),
        f"{'[' * 100_000}\n{json.dumps(EMPTY)}",
        *([], [EMPTY], [*of_file(), EMPTY], of_file()[::-1]),
        f"{json.dumps(of_file()[0])}\n{json.dumps(EMPTY)[:-5]}",
        [{"file": "/etc/passwd", "findings": []}, EMPTY],
        *(of_file(row=row) for row in (0, 4, 10**30, "1")),
        *(of_file(scope=scope) for scope in ([1], [1, "2"])),
        *(of_file(code="W119", names=["class", *more]) for more in ([], ["six"])),
        of_file(names=[]),
    ],
    read_ruff: [
        *(None, {}, [ENTRY]),
        [{**NAMED, "filename": "/etc/passwd"}],
        [{**NAMED, "location": {"row": "x", "column": 1}}],
    ],
}


@pytest.mark.parametrize(
    ("read", "output"), [(read, output) for read, outputs in GARBAGE.items() for output in outputs]
)
def test_any_other_output_is_rejected(read: Read, output: object) -> None:
    with pytest.raises(GarbageError):
        read(output)


TEXTS = {"code", "description", "message", "rule"}
"""Parts of a report that hold any text."""


def tampered(part: object) -> Iterator[Any]:
    """Yield `part` without one of its parts, and with nothing or a table in its place."""
    if isinstance(part, dict):
        for key in part.keys() - TEXTS:
            yield {name: part[name] for name in part.keys() - {key}}
            for other in (None, {}, *tampered(part[key])):
                yield part | {key: other}
    elif isinstance(part, list) and not all(isinstance(one, str) for one in part):
        for at, one in enumerate(part):
            yield from (
                [*part[:at], other, *part[at + 1 :]] for other in (None, {}, *tampered(one))
            )


@pytest.mark.parametrize(
    ("read", "report"),
    [
        (read_pmd, of_first()),
        (read_pmd, error("x")),
        (read_jshint, of_file()),
        (read_ruff, [NAMED]),
    ],
)
def test_a_report_with_a_part_missing_or_of_another_type_is_rejected(
    read: Read, report: object
) -> None:
    read(report)
    for one in tampered(report):
        with pytest.raises(GarbageError):
            print(one, read(one))  # shown where it is accepted


def test_findings_belong_to_their_files_in_order() -> None:
    assert read_ruff([NAMED]) == [[], [Finding("E711", "no", 1, 1, 1, 1)]]
    second = {"filename": "./source1.java", "violations": [VIOLATION, READ_MARK]}
    first = {"filename": "source0.java", "violations": [READ_MARK]}
    finding = Finding("UnusedThing", "Avoid unused things such as 'x'.", 1, 1, 1, 2, ("x",))
    assert read_pmd(pmd_report(files=[second, first])) == [[], [finding]]
    unread = {"file": "source1.js", "error": "too deep"}
    finding = Finding("W075", "Duplicate key 'size'.", 1, 2, 1, 2, ("size", "key"), None, (1, 2))
    assert read_jshint([of_file()[0], unread]) == [[finding], Unread("too deep")]


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
    (found, _) = read_jshint(of_file(code="W119", names=["class", "6"]))
    assert (found[0].names, found[0].measure) == (("class", "6"), 6)


def test_unicode_line_separators_do_not_end_lines() -> None:
    lines = (json.dumps(line, ensure_ascii=False) for line in of_file(message="a\u2028b"))
    (found, _) = read_jshint("\n".join(lines))
    assert found[0].message == "a\u2028b"
