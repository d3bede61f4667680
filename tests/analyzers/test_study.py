"""Analyzers on the human study: hunks that can be read."""

from collections import Counter
from itertools import chain

import pytest

from benchmarks.fragments import example_hunks
from crscore_core.analyzers import ANALYZERS, Status, analyze_files
from tests.analyzers.sources import require

# What cannot be read of JavaScript is in Ruby, Python and JSX, but for a class with fields.
LEAST = {
    ("py", "python"): {"ruff": 0.95, "python-structure": 0.95},
    ("java", "java"): {"pmd": 0.9, "lizard": 0.9},
    ("js", "javascript"): {"jshint": 0.88, "lizard": 0.88},
}


@pytest.mark.parametrize(("short", "language"), LEAST)
def test_nearly_all_hunks_are_analysed(short: str, language: str) -> None:
    require(ANALYZERS[language][0])
    hunks = [hunk for hunk in example_hunks(short) if hunk.changed_lines]
    assert len(hunks) > 50
    results = [*chain.from_iterable(analyze_files(hunks))]
    assert all(result.reason for result in results if result.status is Status.NOT_ANALYSED)
    read = Counter(result.name for result in results if result.status is Status.FRAGMENT)
    least = LEAST[short, language]
    assert {result.name for result in results} == least.keys()
    assert all(read[name] >= share * len(hunks) for name, share in least.items())
