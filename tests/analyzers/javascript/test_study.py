"""Findings of JSHint 2.13 in the paper's human study, and ours."""

import re
from collections import Counter
from pathlib import Path

import pytest

from analyzers.javascript.configurations import ORIGINAL
from analyzers.javascript.jshint import JSHint
from analyzers.reading import source_lines
from analyzers.tool import Unread

_FINDING = re.compile(r": line (\d+), col \d+, (.*)$", re.MULTILINE)
_COUNT = re.compile(r"^(\d+) errors?$", re.MULTILINE)
# How far a file was read is told in percent of its lines, one more of which is counted where the
# last one ends in a line feed.
_PERCENT = re.compile(r" \(\d+% scanned\)")


@pytest.mark.long
def test_the_findings_of_the_study_are_found_again(released_study: Path) -> None:
    folder = released_study / "experiments" / "javascript_code_smells"
    outputs = {
        path.stem.removeprefix("test"): path.read_text() for path in folder.glob("test*.txt")
    }
    files = released_study / "human_study" / "phase1" / "context_files"
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
