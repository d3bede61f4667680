"""The name of a change for people, and pseudo-references in a table."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from crscore_core import CRScorer
from crscore_eval.table.one_review import (
    change_number,
    change_title,
    pseudo_reference,
    to_frame,
)
from tests.crscore_eval.run.corpus import diff_of
from tests.word_encoder import WordEncoder

HUNK = "@@ -1 +1 @@\n-old\n+new\n"
ONE = f"--- a/src/auth/one.py\n+++ b/src/auth/one.py\n{HUNK}"
TWO = f"{ONE}--- a/two.py\n+++ b/two.py\n{HUNK}"


@pytest.mark.parametrize(
    ("title", "diff", "expected"),
    [
        ("Fix login", ONE, "Fix login"),
        ("", ONE, "one.py"),
        ("", TWO, "one.py and 1 other file"),
        ("", TWO.replace("auth/one.py", "one.md"), "two.py and 1 other file"),
        ("", ONE.replace("one.py", "one.md"), "one.md"),
        ("", TWO + ONE.replace("one", "three"), "one.py and 2 other files"),
        (
            "",
            f"--- a/gone.py\n+++ /dev/null\n{HUNK.replace('+1', '+0,0').replace('+new', '')}",
            "gone.py",
        ),
        ("", HUNK, "Change 7"),
        ("", "", "Change 7"),
        ("", "no diff at all", "Change 7"),
    ],
)
def test_a_change_has_a_title(title: str, diff: str, expected: str) -> None:
    change = pd.Series({"change": "change 7", "title": title, "diff": diff})
    assert change_title(change) == expected


def test_a_change_with_a_name_of_its_own_is_not_called_by_its_files() -> None:
    change = pd.Series({"change": "JIRA-42", "title": "", "diff": ONE})
    assert change_title(change) == "JIRA-42"


@pytest.mark.parametrize(("key", "number"), [
    ("change 7", "7"), ("change 12 ", "change 12 "), ("JIRA-42/FixNPE", "JIRA-42/FixNPE"),
    ("Changelog-7", "Changelog-7"), ("Change 7", "Change 7"), ("change", "change"),
    ("change 7 again", "change 7 again"), ("007", "007"), ("STRASSE ß", "STRASSE ß"),
])  # fmt: skip
def test_the_key_of_a_change_is_shown_as_written(key: str, number: str) -> None:
    assert change_number(key) == number


@pytest.mark.parametrize("wordings", [None, [], ["w"], np.array(["w", "v"]), np.array([])])
def test_wordings_of_a_pseudo_reference_are_any_sequence(wordings: Sequence[str] | None) -> None:
    values = {"text": "x", "kind": "claim", "source": "s", "path": None, "line": None}
    reference = pseudo_reference({**values, "wordings": wordings})
    assert reference.wordings == (() if wordings is None else tuple(wordings))


def test_scores_become_a_table_with_a_row_for_each_review() -> None:
    scorer = CRScorer(claims=["it renames a function"], encoder=WordEncoder(), tau=0.5)
    many = scorer.score_changes([(diff_of(0), ["it renames", ""]), (diff_of(1), []), ("?", ["a"])])
    table = to_frame(many)
    assert table["change"].tolist() == [1, 1, 3]
    assert table["relevance"].isna().tolist() == [False, True, True]
    assert table["no_threshold"][0] == many[0][0].no_threshold
    assert table["warnings"].map(bool).tolist() == [False, True, True]
    flat = scorer.score_many(diff_of(0), ["it renames", ""])
    assert to_frame(score for score in flat).equals(table[:2])
    assert [*to_frame([]).columns] == [*table.columns]
