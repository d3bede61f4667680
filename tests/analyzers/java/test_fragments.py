"""Hunks of Java, torn where diffs tear: what they show is found, what they hide is not made up."""

import csv
import re
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, Fragment, SourceFile, Status
from analyzers.java.pmd import PMD
from analyzers.linter import Linter
from analyzers.syntax.reading import READERS
from crscore_core.change import parse_change
from tests.analyzers.sources import hunk

HUNKS = {
    name: (text, expected.split(", ") if expected else [])
    for name, expected, text in re.findall(
        r"^== (.*): ?(.*)\n((?:(?!==).*\n)+)",
        Path(__file__).with_name("hunks.txt").read_text(),
        re.MULTILINE,
    )
}


@pytest.fixture(scope="module")
def results() -> dict[str, AnalyzerResult]:
    """All hunks in one start of PMD, by name."""
    files = [hunk(text, language="java") for text, _ in HUNKS.values()]
    analyzed = Linter(PMD(), READERS["java"]).analyze(files)
    return dict(zip(HUNKS, analyzed, strict=True))


@pytest.mark.parametrize("name", HUNKS)
def test_a_hunk_gives_what_it_shows_enough_of(
    name: str, results: dict[str, AnalyzerResult]
) -> None:
    result = results[name]
    assert (result.status, result.reason) == (Status.FRAGMENT, None)
    assert [f"{smell.rule} {smell.line}" for smell in result.smells] == HUNKS[name][1]


def test_lines_are_those_of_the_new_file_and_sentences_name_the_method() -> None:
    fragments = (
        Fragment(40, "    void run() {\n        int spare = 3;\n    }\n"),
        Fragment(90, "        go(this.thread.equals(null));\n"),
    )
    file = SourceFile(None, "java", fragments, frozenset({41, 90}))
    (result,) = Linter(PMD(), READERS["java"]).analyze([file])
    assert [(smell.line, smell.text) for smell in result.smells] == [
        (41, "The local variable `spare` is never used in `run`."),
        (
            90,
            "The comparison `this.thread.equals(null)` is never true; compare with `== null`.",
        ),
    ]


def test_the_hunks_of_the_study_are_analysed(study_dir: Path) -> None:
    path = study_dir / "human_study" / "phase2" / "java_marcus_review_qual_final.csv"
    with path.open(newline="", encoding="utf-8") as rows:
        diffs = [row["diff"] for row in csv.DictReader(rows) if row["diff"].strip()]
    files = []
    for diff in diffs:
        (change,) = parse_change(diff, language="java").files
        if change.changed_new_lines:
            sides = [hunk.new_fragment for hunk in change.hunks]
            fragments = tuple(Fragment(side.first_line, side.text) for side in sides)
            files.append(SourceFile(None, "java", fragments, change.changed_new_lines))
    results = Linter(PMD(), READERS["java"]).analyze(files)
    analysed = [result for result in results if result.status is Status.FRAGMENT]
    assert len(files) > 50
    assert len(analysed) >= 0.9 * len(files)
