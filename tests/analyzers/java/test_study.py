"""Reproduce the findings of PMD 7.0.0 on whole files of the human study."""

import re
from collections import Counter
from pathlib import Path

import pytest

from analyzers.java.pmd import PMD
from analyzers.reading import source_lines
from analyzers.tool import Unread

# Rules that PMD has replaced since, as its own rule sets say; the reason is what the new one does
# better.
REPLACED = {
    "AvoidCatchingThrowable": "AvoidCatchingGenericException",  # which takes a list of types
    "AvoidProtectedFieldInFinalClass": "ProtectedMemberInFinalClass",  # fields, methods, classes
    "GenericsNaming": "TypeParameterNamingConventions",  # a pattern that can be configured
    "SwitchStmtsShouldHaveDefault": "NonExhaustiveSwitch",  # statements and expressions
    "UnnecessaryLocalBeforeReturn": "VariableCanBeInlined",  # before `throw` too
    "UseUtilityClass": "InstantiableUtilityClass",  # the name says what is wrong
}
# PMD no longer calls an import unused where it cannot find what is imported, and without the
# class path of the reviewed project it finds little.
UNRESOLVED = "UnnecessaryImport"
_LINE = re.compile(r".*?:(\d+):\t(\w+):\t")
_Counts = Counter[tuple[str, int]]


@pytest.mark.long
def test_the_findings_of_the_study_are_found_again(released_study: Path) -> None:
    texts: list[str] = []
    reports: list[list[str]] = []
    for path in sorted((released_study / "experiments" / "java_code_smells").glob("test*.txt")):
        code = released_study / "human_study" / "phase1" / "context_files" / f"{path.stem}_new.java"
        texts.append("\n".join(source_lines(code.read_text(encoding="utf-8"))))
        reports.append(path.read_text(encoding="utf-8").splitlines())
    expected, again, unread = _Counts(), _Counts(), []
    for lines, outcome in zip(reports, PMD().lint(texts), strict=True):
        found = [match for line in lines if (match := _LINE.match(line))]
        theirs = _Counts((REPLACED.get(match[2], match[2]), int(match[1])) for match in found)
        expected += theirs
        # A line that is no finding says that the file could not be read.
        assert isinstance(outcome, Unread) == (len(found) < len(lines))
        if isinstance(outcome, Unread):
            unread.append(outcome)
        else:
            again += theirs & _Counts((finding.rule, finding.first_row) for finding in outcome)
    imports, imports_again = (
        sum(count for (rule, _), count in counts.items() if rule == UNRESOLVED)
        for counts in (expected, again)
    )
    assert (expected.total(), imports, len(unread)) == (547, 81, 4)
    assert again.total() - imports_again >= 0.95 * (expected.total() - imports)
    assert imports_again >= 0.1 * imports
