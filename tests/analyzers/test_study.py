"""Analyzers on the human study: hunks that can be read, and findings of the released study."""

import re
import shutil
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from analyzers.javascript.configurations import ORIGINAL
from analyzers.reading import source_lines

from analyzers import Status, analyze_each
from analyzers.java.pmd import PMD
from analyzers.javascript.jshint import JSHint
from analyzers.tool import Unread
from benchmarks.fragments import hunks_of

# What cannot be read of JavaScript is in Ruby, Python and JSX, but for a class with fields.
LEAST = {
    ("py", "python"): {"ruff": 0.95, "python-structure": 0.95},
    ("java", "java"): {"pmd": 0.9, "lizard": 0.9},
    ("js", "javascript"): {"jshint": 0.88, "lizard": 0.88},
}

pytestmark = pytest.mark.skipif(
    not (shutil.which("java") and shutil.which("node")), reason="tools are missing"
)


@pytest.mark.parametrize(("short", "language"), LEAST)
def test_nearly_all_hunks_are_analysed(short: str, language: str) -> None:
    hunks = [hunk for hunk in hunks_of(short) if hunk.changed_lines]
    assert len(hunks) > 50
    results = [*chain.from_iterable(analyze_each(hunks))]
    assert all(result.reason for result in results if result.status is Status.NOT_ANALYSED)
    read = Counter(result.name for result in results if result.status is Status.FRAGMENT)
    least = LEAST[short, language]
    assert {result.name for result in results} == least.keys()
    assert all(read[name] >= share * len(hunks) for name, share in least.items())


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
_PMD_LINE = re.compile(r".*?:(\d+):\t(\w+):\t")
_JSHINT_LINE = re.compile(r": line (\d+), col \d+, (.*)$", re.MULTILINE)
_JSHINT_COUNT = re.compile(r"^(\d+) errors?$", re.MULTILINE)
# JSHint tells how far a file was read in percent of its lines, one more of which is counted where
# the last one ends in a line feed.
_PERCENT = re.compile(r" \(\d+% scanned\)")
_Counts = Counter[tuple[str, int]]


def reported(study: Path, language: str, suffix: str) -> tuple[list[str], list[str]]:
    """Whole files of the study, and the output of the tool for each."""
    texts, outputs = [], []
    for path in sorted((study / "experiments" / f"{language}_code_smells").glob("test*.txt")):
        name = f"{path.stem}_new.{suffix}"
        code = (study / "human_study" / "phase1" / "context_files" / name).read_text("utf-8")
        texts.append("\n".join(source_lines(code)))
        outputs.append(path.read_text(encoding="utf-8"))
    return texts, outputs


@pytest.mark.long
def test_findings_of_pmd_7_0_are_found_again(released_study: Path) -> None:
    texts, outputs = reported(released_study, "java", "java")
    expected, again, unread = _Counts(), _Counts(), []
    for output, outcome in zip(outputs, PMD().lint(texts), strict=True):
        lines = output.splitlines()
        found = [match for line in lines if (match := _PMD_LINE.match(line))]
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


@pytest.mark.long
def test_findings_of_jshint_2_13_are_found_again_in_their_words(released_study: Path) -> None:
    texts, outputs = reported(released_study, "javascript", "js")
    counts = []
    for output, report in zip(outputs, JSHint(ORIGINAL).report(texts), strict=True):
        assert not isinstance(report, Unread)
        theirs = _Counts(
            (_PERCENT.sub("", said), int(row)) for row, said in _JSHINT_LINE.findall(output)
        )
        assert theirs.total() == sum(map(int, _JSHINT_COUNT.findall(output)))
        assert theirs == _Counts((_PERCENT.sub("", one.message), one.first_row) for one in report)
        counts.append(theirs.total())
    assert (len(counts), sum(counts)) == (55, 3239)
