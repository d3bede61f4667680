"""The name of a change for people, and pseudo-references in a table."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from crscore_core import CRScorer
from crscore_eval import to_frame
from crscore_eval.table.one_review import change_number, change_title, pseudo_reference
from tests.crscore_eval.run.corpus import diff_of
from tests.word_encoder import WordEncoder

HUNK = "@@ -1 +1 @@\n-old\n+new\n"
ONE = f"--- a/src/auth/one.py\n+++ b/src/auth/one.py\n{HUNK}"
TWO = f"{ONE}--- a/two.py\n+++ b/two.py\n{HUNK}"
DELETED = f"--- a/gone.py\n+++ /dev/null\n{HUNK.replace('+1', '+0,0').replace('+new', '')}"
AS_WRITTEN = ("change 12 ", "JIRA-42/FixNPE", "Changelog-7", "Change 7", "change", "change 7 again",
              "007", "STRASSE ß")  # fmt: skip


@pytest.mark.parametrize(("key", "title", "diff", "expected"), [
    ("change 7", "Fix login", ONE, "Fix login"),
    ("JIRA-42", "", ONE, "JIRA-42"), ("0123456789abcdef" * 3, "", ONE, "0123456789"),
    *(("change 7", "", diff, expected) for diff, expected in (
        (ONE, "one.py"), (ONE.replace("one.py", "one.md"), "one.md"),
        (TWO, "one.py and 1 other file"), ("", "Change 7"), ("no diff at all", "Change 7"),
        (TWO.replace("auth/one.py", "one.md"), "one.md and 1 other file"), (DELETED, "gone.py"),
        (TWO + ONE.replace("one", "three"), "one.py and 2 other files"), (HUNK, "Change 7"))),
])  # fmt: skip
def test_a_change_has_a_title(key: str, title: str, diff: str, expected: str) -> None:
    assert change_title(pd.Series({"change": key, "title": title, "diff": diff})) == expected


def test_the_key_of_a_change_is_shown_as_written() -> None:
    assert [*map(change_number, AS_WRITTEN)] == [*AS_WRITTEN]
    assert change_number("change 7") == "7"


@pytest.mark.parametrize("wordings", [None, [], ["w"], np.array(["w", "v"]), np.array([])])
def test_wordings_of_a_pseudo_reference_are_any_sequence(wordings: Sequence[str] | None) -> None:
    values = {"text": "x", "kind": "claim", "source": "s", "path": None, "line": None}
    reference = pseudo_reference({**values, "wordings": wordings})
    assert reference.wordings == (() if wordings is None else tuple(wordings))


def test_scores_become_a_table_with_a_row_for_each_review() -> None:
    scorer = CRScorer(claims=["it renames a function"], encoder=WordEncoder(), tau=0.5)
    many = scorer.score_changes([(diff_of(0), ["it renames", ""]), (diff_of(1), []), ("?", ["a"])])
    table = to_frame(many)
    assert table["change"].tolist() == [1, 1, 2]
    assert table["relevance"].isna().tolist() == [False, True, True]
    assert table["no_threshold"][0] == many[0][0].no_threshold
    assert table["warnings"].map(bool).tolist() == [False, True, True]
    flat = scorer.score_many(diff_of(0), ["it renames", ""])
    assert to_frame(score for score in flat).equals(table[:2])
    assert [*to_frame([]).columns] == [*table.columns]
    streamed = to_frame(scorer.score(diff_of(number), "it renames") for number in range(300))
    assert streamed["change"].tolist() == [*range(1, 301)]
