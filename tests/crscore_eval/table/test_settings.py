"""Settings of runs: reading them, and whether two runs were scored alike."""

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from crscore_core.analyzers import AnalyzerUse
from crscore_core.errors import InputError
from crscore_eval.table import ColumnRole, FileLayout, columns_by_name_in_file
from crscore_eval.table.measures import find_measure
from crscore_eval.table.settings import (
    RunSettings,
    example_run,
    parse_settings,
    scoring_differences,
)

STORED: dict[str, Any] = {
    "name": "A", "encoder": "words", "claims": "symbolic", "tau": 0.3, "version": "0.2.0",
    "scoring_version": 1, "claims_version": 1, "with_analyzers": True, "analyzers": [],
}  # fmt: skip
MISSING_PMD = AnalyzerUse("pmd", "7.28.0", not_analysed=12)


def settings(*uses: AnalyzerUse, **changed: object) -> RunSettings:
    stored = {**STORED, "analyzers": [asdict(use) for use in uses], **changed}
    return parse_settings(json.dumps(stored).encode())


def pmd(changes: int, *, files: int = 0, version: str = "7.28.0", **counts: int) -> AnalyzerUse:
    return AnalyzerUse("pmd", version, changes, files or changes, **counts)


@pytest.mark.parametrize(("baseline", "run", "same_changes", "difference"), [
    (settings(), settings(version="0.9"), True, None),
    (settings(), settings(name="B", tau=0.5), True, None),  # both are read at one tau
    (settings(), settings(claims="given", claims_version=None), True,
     "claims: symbolic: given"),
    (settings(), settings(claims_version=2), True, "claims version: 1: 2"),
    (settings(), settings(scoring_version=2), True, "scoring version: 1: 2"),
    (settings(), settings(with_analyzers=False), True, "with analyzers: True: False"),
    (settings(pmd(12)), settings(MISSING_PMD), True, "pmd: hunks with version 7.28.0: none"),
    (settings(MISSING_PMD), settings(pmd(1)), False, "pmd: none: hunks with version 7.28.0"),
    (settings(pmd(12)), settings(pmd(12, version="7.29.0")), False, "pmd: 7.28.0: 7.29.0"),
    (settings(pmd(12)), settings(pmd(6), pmd(6, version="7.29.0")), False,
     "pmd: hunks: hunks with version 7.28.0; hunks with version 7.29.0"),
    (settings(pmd(3)), settings(pmd(5, complete=5)), False, "pmd: hunks: complete files"),
    (settings(pmd(12)), settings(pmd(7, not_analysed=2)), False, None),
    (settings(pmd(12)), settings(), False, None),  # other changes, none of them in Java
    (settings(pmd(12)), settings(), True, "pmd: hunks: none"),
])  # fmt: skip
def test_scoring_differences_are_named(
    baseline: RunSettings, run: RunSettings, same_changes: bool, difference: str | None
) -> None:
    differences = scoring_differences(run, baseline, same_changes=same_changes)
    if difference is None:
        assert not differences
    else:
        subject, *values = difference.split(": ")
        (one,) = (one for one in differences if re.match(f"{subject}( analysed)?:", one))
        sides = one.split(" in the baseline, ")
        assert all(value in side for value, side in zip(values, sides, strict=bool(values)))


@pytest.mark.parametrize(("content", "words"), [
    (b"", "EOF"),
    (b"[" * 200_000, "recursion"),
    (b'{"a":' * 200_000, "recursion"),
    (b"\xff\xfe", "expected"),
    (b"[]", "object"),
    *((json.dumps({name: STORED[name] for name in STORED if name != missing}).encode(),
         f"{missing} is missing")
        for missing in ("name", "encoder", "claims", "tau", "scoring_version")
    ),
    *((json.dumps({**STORED, name: value}).encode(), name)
        for name, values in dict[str, tuple[Any, ...]]({
            "tau": ("0.3", None, 5, float("nan"), float("inf"), True),
            "encoder": (None, 5, ["a"]),
            "created": (5, "tomorrow", "9999-99-99"),
            "version": (1,),
            "analyzers": (None, "all", [1], [{"name": "pmd"}], [{"name": 1, "version": "7"}]),
            "rejected": ([1], [{"row": "a"}], {"row": 1}),
            "columns": ([{}], "review"),
            "n_reviews": (-1, "9", 1.5),
            "n_rejected": (None,),
            "is_finished": ("yes",),
            "warnings": ("text", [1]),
            "source": ([], {"name": 5}),
        }).items()
        for value in values
    ),
])  # fmt: skip
def test_rejects_settings_that_are_not_a_run_s(content: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_settings(content)


def test_a_rater_s_column_does_not_stand_for_the_mean_of_several() -> None:
    roles = [ColumnRole(rater, f"label_worth:{rater}", "rating", 2) for rater in ("ann", "bob")]
    run = example_run(FileLayout((*roles,)))
    assert columns_by_name_in_file(run.settings) == {}
    assert find_measure(run.reviews, "worth").name == "label_worth"
    reviews = run.reviews.assign(**{"label_worth:ann": 2.0})
    assert find_measure(reviews, "worth:ann").name == "label_worth:ann"
