"""What the human study of the paper was given by JSHint 2.13, and what we find."""

import csv
import re
from collections import Counter
from pathlib import Path

from analyzers import Status
from analyzers.javascript.configurations import ORIGINAL
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.reading import source_lines
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from crscore_core.change import parse_change
from crscore_core.scoring.smells import find_smells

_FINDING = re.compile(r": line (\d+), col \d+, (.*)$", re.MULTILINE)
_COUNT = re.compile(r"^(\d+) errors?$", re.MULTILINE)
# How far a file was read is told in percent of its lines, one more of which is counted where the
# last one ends in a line feed.
_PERCENT = re.compile(r" \(\d+% scanned\)")


def test_the_findings_of_the_study_are_found_again(study_dir: Path) -> None:
    folder = study_dir / "experiments" / "javascript_code_smells"
    outputs = {
        path.stem.removeprefix("test"): path.read_text() for path in folder.glob("test*.txt")
    }
    files = study_dir / "human_study" / "phase1" / "context_files"
    texts = [(files / f"test{number}_new.js").read_text() for number in outputs]
    reports = JSHint(ORIGINAL).report(["\n".join(source_lines(text)) for text in texts])
    missing: Counter[tuple[int, str]] = Counter()
    more: Counter[tuple[int, str]] = Counter()
    total = 0
    for output, report in zip(outputs.values(), reports, strict=True):
        assert not isinstance(report, Unread)
        theirs = Counter(
            (int(row), _PERCENT.sub("", said)) for row, said in _FINDING.findall(output)
        )
        ours = Counter((one.first_row, _PERCENT.sub("", one.message)) for one in report)
        assert theirs.total() == sum(map(int, _COUNT.findall(output)))
        missing += theirs - ours
        more += ours - theirs
        total += theirs.total()
    # All 3,239 of them in 55 files, at their lines and in their words.
    assert (len(outputs), total) == (55, 3239)
    assert missing.total() == 0
    assert more.total() == 0


def test_nearly_all_hunks_of_the_study_are_analysed(study_dir: Path) -> None:
    linter = Linter(JSHint(), READERS["javascript"])
    path = study_dir / "human_study" / "phase2" / "js_marcus_review_qual_final.csv"
    with path.open(newline="", encoding="utf-8") as file:
        diffs = [row["diff"] for row in csv.DictReader(file) if row["diff"].strip()]
    hunks = [
        result
        for diff in diffs
        for result in find_smells(parse_change(diff, language="js"), {}, {"javascript": (linter,)})
    ]
    asked = [result for result in hunks if result.name == "jshint"]
    analysed = [result for result in asked if result.status is Status.FRAGMENT]
    # The others are in Ruby, Python and JSX, but for one with a field of a class.
    assert (len(analysed), len(asked)) == (48, 53)
    assert all(result.reason for result in asked if result not in analysed)
