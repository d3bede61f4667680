"""Rows as reviews: known column names, odd cells, rejected rows, formulas."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from crscore_eval.table import EXPORTS, RejectedRow, decide_layout, file_content
from crscore_eval.table.cells import cell_number, cell_text, escape_formula, unescape_formula
from crscore_eval.table.read import ReviewRow, read_reviews
from tests.crscore_eval.run.corpus import write_rows

DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"
HUNK = "@@ -1 +1 @@\n-a = 1\n+a = 2"
GOOD = {"diff": DIFF, "review": "x", "system": "s"}
NAMES = ["007", "16.0", "1e5", "12345678901234567890", "2024-05-01", "JIRA-42/FixNPE", "TRUE",
         "Changelog-7", "NA", "-", "0x1F", "change 3x", "1,234"]  # fmt: skip
TABLE = pd.DataFrame(
    {"id": NAMES, "change_id": NAMES, "system": NAMES, "diff": DIFF, "review": "Why?"}
)
FORMULAS = ["=1+1", "+1", "-1", "'=1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠SUM(A1)"]
OTHERS = ["", "a=b", " =1", "'a=1", "'", "1 - 1", "naïve", -1, None]


def read(tmp_path: Path, *rows: dict[str, Any], **columns: str) -> list[ReviewRow | RejectedRow]:
    """Write rows as JSON Lines and read them as reviews."""
    path = write_rows(tmp_path / "reviews.jsonl", [*rows])
    return list(read_reviews(path, decide_layout(path, columns)))


def read_review(tmp_path: Path, row: dict[str, Any], **columns: str) -> ReviewRow:
    """Read a single row, which must be a review."""
    (review,) = read(tmp_path, row, **columns)
    assert isinstance(review, ReviewRow), review
    return review


@pytest.mark.parametrize(("row", "expected"), [
    ({"diff": DIFF, "review": "x"}, {"system": "unnamed", "language": "", "id": "", "row": 1}),
    ({"patch": HUNK, "msg": "x", "lang": ".py", "oldf": "a = 1\n", "y": 1},
     {"diff": HUNK, "review": "x", "language": "python", "old_file": "a = 1\n"}),
    ({"old_hunk": HUNK, "hunk": "other", "comment": "x"}, {"diff": HUNK, "review": "x"}),
    ({"id": 7, "diff_hunk": HUNK, "path": "a.py", "body": "x", "user": {"login": "rev"}},
     {"id": "7", "diff": DIFF.strip(), "review": "x", "system": "rev",
      "extra": {"path": "a.py"}}),
    ({"diff_hunk": "@@ -0,0 +1 @@\n+a", "path": "a.py", "body": "x"},
     {"diff": "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a"}),
    ({"diff": DIFF, "path": "b.py", "review": "x"}, {"diff": DIFF}),
    ({"patch": DIFF, "prediction": "p", "msg": "m"}, {"review": "p", "reference": "m"}),
    ({"Code Diff": DIFF, "generated-review": "x", "MODEL": "m"}, {"system": "m"}),
    ({"diff": DIFF, "review": "x", "Reviewed by": "ann"}, {"system": "ann"}),
    ({"diff": DIFF, "review": "x", "author": {"login": "ann", "id": 1}}, {"system": "ann"}),
    ({"diff": DIFF, "review": "x", "author": {"name": "A", "username": "a"}}, {"system": "a"}),
    ({"diff": DIFF, "review": "x", "user": {"nickname": "ann"}}, {"system": "ann"}),
    ({"diff": DIFF, "content": {"raw": "x"}, "user": {"nickname": "a"}}, {"system": "a"}),
    ({"diff": DIFF, "review": "x", "reviewer": {"display_name": "A B"}}, {"system": "A B"}),
    ({"diff": DIFF, "body": "x", "system": False, "author": {"username": "ann"}},
     {"system": "ann"}),
    ({"diff": DIFF, "review": "x", "\ud800": "own"}, {"extra": {"\ufffd": "own"}}),
    ({"change": "PR-1", "review": "x", "reference": "y"}, {"change": "PR-1", "diff": ""}),
])  # fmt: skip
def test_knows_usual_columns(row: dict[str, Any], expected: dict[str, Any], tmp_path: Path) -> None:
    assert read_review(tmp_path, row).model_dump().items() >= expected.items()


@pytest.mark.parametrize(("cell", "text"), [
    (["a", "b"], "a\nb"), ([], ""), ("", ""), (None, ""), (7.0, "7"),
    ("half \ud800 pair", "half \ufffd pair"),
])  # fmt: skip
def test_reads_cells_of_reviews(cell: object, text: str, tmp_path: Path) -> None:
    assert read_review(tmp_path, {"diff": DIFF, "review": cell}).review == text


@pytest.mark.parametrize("row", [
    *(GOOD | {"review": cell} for cell in ({"text": "x"}, ["a", {"b": 1}])),
    {"diff": DIFF}, {"diff": " ", "review": "x"}, {"review": "x"}, GOOD | {"system": "s" * 201},
    *(GOOD | {"claims": [claim]} for claim in ({"no": "text"}, {"text": "a", "path": "\ud800"})),
    GOOD | {"language": "l" * 201}, {"diff": DIFF, "review": "x"},  # the last adds no system
    {"diff": "diff", "review": "review", "system": "system"},
])  # fmt: skip
def test_a_bad_row_is_rejected_and_the_others_are_read(row: dict[str, Any], tmp_path: Path) -> None:
    first, bad, last = read(tmp_path, GOOD, row, GOOD)
    assert isinstance(first, ReviewRow)
    assert isinstance(last, ReviewRow)
    assert isinstance(bad, RejectedRow)
    assert (bad.row, last.row) == (2, 3)
    assert bad.reason


@pytest.mark.parametrize(("first", "reply"), [
    ({}, {"in_reply_to_id": 7}), ({"in_reply_to": ""}, {"in_reply_to": "7a"}),
    *(({"replyTo": None}, {"replyTo": {key: "7"}}) for key in ("id", "databaseId")),
    ({"parentCommentId": 0}, {"parentCommentId": 1}), ({"parent": None}, {"parent": {"id": 7}}),
])  # fmt: skip
def test_replies_are_left_out_and_counted(
    first: dict[str, Any], reply: dict[str, Any], tmp_path: Path
) -> None:
    assert [row.row for row in read(tmp_path, GOOD | first, GOOD | reply, GOOD)] == [1, 3]
    remarks = [role.remark for role in decide_layout(tmp_path / "reviews.jsonl").roles]
    assert "left out, since replies are not reviews: 1 row" in remarks
    assert len(read(tmp_path, *[GOOD | {"parent_id": 7}] * 2)) == 2  # all have one: of a thread


@pytest.mark.parametrize(("cell", "texts"), [
    *((blank, None) for blank in (None, "", "none", " N/A\n", " - ")), ([], []), ("[]", []),
    ("it adds a test\n\nit renames a", ["it adds a test", "it renames a"]),
    (["it adds a test"], ["it adds a test"]),
    ('["it adds a test"]', ["it adds a test"]),
    ([{"text": "it adds a test", "kind": "implication"}], ["it adds a test"]),
    ("[perf] a loop is removed", ["[perf] a loop is removed"]),
])  # fmt: skip
def test_claims_may_come_in_a_cell(cell: object, texts: list[str] | None, tmp_path: Path) -> None:
    claims = read_review(tmp_path, GOOD | {"claims": cell}).claims
    assert (None if claims is None else [claim["text"] for claim in json.loads(claims)]) == texts


@pytest.mark.parametrize("ending", EXPORTS)
def test_texts_that_look_like_formulas_survive_any_export(tmp_path: Path, ending: str) -> None:
    rows: dict[str, list[Any]] = {
        "diff": [DIFF, HUNK], "review": ["- why?", "'-1' is wrong"], "=x": ["=1", "a"],
        "judge_reason": ["", "a"],  # formulas are escaped only in files that this project writes
    }  # fmt: skip
    path = tmp_path / f"reviews.{ending}"
    path.write_bytes(file_content(pd.DataFrame(rows), ending))
    back = [row for row in read_reviews(path, decide_layout(path)) if isinstance(row, ReviewRow)]
    cells = [{**row.model_dump(), **row.extra} for row in back]
    assert {name: [of[name] for of in cells] for name in rows} == rows


def test_quotes_in_a_csv_file_of_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    reviews = ["'-1' is returned", "'=' should be '=='", "'- why?"]
    columns = {"diff": DIFF, "review": reviews, "'=x": 1, "judge_mine": 4}
    pd.DataFrame(columns).to_csv(path, index=False)
    table = [row for row in read_reviews(path, decide_layout(path)) if isinstance(row, ReviewRow)]
    assert [row.review for row in table] == reviews
    assert "'=x" in table[0].extra


@pytest.mark.parametrize(("ending", "write"), [
    ("csv", partial(TABLE.to_csv, index=False)),
    ("jsonl", partial(TABLE.to_json, orient="records", lines=True)),
    ("json", partial(TABLE.to_json, orient="records")),
    ("parquet", TABLE.to_parquet),
    ("xlsx", partial(TABLE.to_excel, index=False)),
])  # fmt: skip
def test_identifiers_are_as_written(
    ending: str, write: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / f"reviews.{ending}"
    write(path)
    reviews = read_reviews(path, decide_layout(path))
    assert [(row.id, row.change, row.system) for row in reviews if isinstance(row, ReviewRow)] == [
        (name, name, name) for name in NAMES
    ]


@pytest.mark.parametrize(("cell", "text"), [
    (16.0, "16"), (12345678901234567890, "12345678901234567890"), (b"PR-1", "PR-1"),
    (pd.Timestamp("2024-05-01"), "2024-05-01"), (True, "true"), (float("nan"), ""),
    (pd.Timestamp("2024-05-01 10:30"), "2024-05-01 10:30:00"), (Decimal("7.50"), "7.50"),
])  # fmt: skip
def test_cells_that_are_not_text_become_text(cell: object, text: str) -> None:
    assert cell_text(cell) == text


@pytest.mark.parametrize(("cell", "number"), [
    (Decimal("4.5"), 4.5), ("4,5", 4.5), ("yes", 1), ("1,234", None), (True, 1),
])  # fmt: skip
def test_numbers_are_read_from_cells_of_any_type(cell: object, number: float | None) -> None:
    assert cell_number(cell) == number


@pytest.mark.parametrize(("cell", "escaped"), [
    *((cell, f"'{cell}") for cell in FORMULAS), *((cell, cell) for cell in OTHERS),
])  # fmt: skip
def test_only_text_that_looks_like_a_formula_is_escaped(cell: object, escaped: object) -> None:
    assert escape_formula(cell) == escaped
    assert not isinstance(escaped, str) or unescape_formula(escaped) == cell
