"""Remarks on a file, and kinds of warnings, counted in a table or in its parts."""

from dataclasses import asdict

import pandas as pd

from crscore_core.analyzers import AnalyzerUse
from crscore_core.change import parse_change
from crscore_core.scoring import read_review
from crscore_eval.table.warning_kinds import count_warnings, remarks, sum_warning_counts


def test_the_kinds_of_parts_add_up_to_those_of_the_table() -> None:
    warnings = [["lines are cut: 3"], ["lines are cut: 40", "no smells"], [], ["no smells"], []]
    reviews = pd.DataFrame({"change": list("aabbc"), "warnings": warnings})
    parts = [reviews[reviews["change"] == change] for change in "abc"]
    kinds = count_warnings(reviews)
    assert kinds[["reviews", "changes"]].to_numpy().tolist() == [[2, 1], [2, 2]]
    summed = sum_warning_counts(map(count_warnings, parts))
    pd.testing.assert_frame_equal(summed, kinds, check_dtype=False)


def test_warnings_that_differ_in_details_are_of_one_kind() -> None:
    warnings = [
        [*parse_change("@@ -1,3 +1,3 @@\n-a\n+b\n").warnings],
        [*parse_change("\n\n@@ -9,2 +9,20 @@\n-a\n+b\n").warnings],
        [
            "not analysed for code smells, no analyzer is used for its language: a.rs",
            "passages hidden: 2, 'one': two",
        ],
        [
            "not analysed for code smells, no analyzer is used for its language: b.rs; c.rs",
            "passages hidden: 3",
        ],
        [*read_review("> x\n\nFine.").warnings],
        [*read_review("Fine.\n```\nx\n```\n> y").warnings],
    ]
    kinds = count_warnings(pd.DataFrame({"change": list("aabcde"), "warnings": warnings}))
    assert kinds["warning"].tolist()[1:3] == [
        "Not analysed for code smells, no analyzer is used for its language",
        "Passages hidden",
    ]
    assert kinds[["reviews", "changes"]].to_numpy().tolist() == [[2, 1], [2, 2], [2, 2], [2, 2]]


def test_remarks_say_what_was_guessed_or_left_out_and_count_it() -> None:
    role = {"column": "a", "read_as": "a", "kind": "label", "filled": 3, "examples": ["1", "2"]}
    note = {"note": "2 cells left blank"}
    rejected = [{"row": row, "reason": "it has no diff"} for row in range(1, 9)]
    said = remarks({
        "columns": [role | note, role | note | {"column": "b"}, role | {"column": "c"}],
        "warnings": ["no column names the system"], "source": {"name": "reviews.csv"},
        "analyzers": [asdict(AnalyzerUse("pmd", None, not_analysed=4))],
        "n_left_out": 1, "n_rejected": 8, "rejected": rejected,
    })  # fmt: skip
    assert said[:2] == ["a, b: label; 2 cells left blank [1 | 2]", "no column names the system"]
    assert said[2].startswith("pmd analysed none of 4 files")
    assert said[3] == "1 change could not be scored"
    assert said[4] == "8 rows of reviews.csv rejected, the first 5:"
    assert said[5:] == [f"row {row} rejected: it has no diff" for row in range(1, 6)]
    assert remarks({}) == []
