"""Kinds of warnings, counted in a table or in its parts."""

import pandas as pd

from crscore_eval.table import kinds_of_warnings, sum_kinds


def test_the_kinds_of_parts_add_up_to_those_of_the_table() -> None:
    warnings = [["3 lines are cut"], ["40 lines are cut", "no smells"], [], ["no smells"], []]
    reviews = pd.DataFrame({"change": list("aabbc"), "warnings": warnings})
    parts = [reviews[reviews["change"] == change] for change in "abc"]
    kinds = kinds_of_warnings(reviews)
    assert kinds[["reviews", "changes"]].to_numpy().tolist() == [[2, 1], [2, 2]]
    summed = sum_kinds(map(kinds_of_warnings, parts))
    pd.testing.assert_frame_equal(summed, kinds, check_dtype=False)
