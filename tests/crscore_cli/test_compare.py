"""`crscore compare`: a run, a user's file, and the contract of its JSON."""

from pathlib import Path
from typing import Any

import pytest

from crscore_eval.table import GROUND_TRUTH
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import write_rows

DIFF = "@@ -1 +1 @@\n-    return {0}\n+    return {0} or []\n"
ROWS = [
    {"diff": DIFF.format(f"x{number // 4}"), "system": "abcd"[number % 4],
     "review": "Why is it `x`? " * (1 + number % 4), "human_relevance": 1 + number % 4,
     "reference": "Why is it a list? " * (1 + number // 8), "label_useful": number % 2}
    for number in range(28)
]  # fmt: skip
FILE = Path("rated.jsonl")


@pytest.fixture(autouse=True)
def _rated(_folder_of_the_test: None) -> None:
    write_rows(FILE, ROWS)


def test_the_json_has_the_keys_of_the_contract(crscore: Command) -> None:
    ended = crscore("compare --data rated.jsonl --metrics rel,words,rouge_l --json")
    document = ended.json
    assert ended.status == 0
    assert [document[key] for key in ("data", "rows", "label")] == ["rated.jsonl", 28, "relevance"]
    assert list(document["labels"]) == ["relevance", "useful"]
    for label, main_statistic in (("relevance", "spearman"), ("useful", "auc")):
        metrics = document["labels"][label]["metrics"]
        assert list(metrics) == ["rel", "words", "rouge_l"]
        assert {"rows", main_statistic, "ci", "difference", "p_corrected"} <= set(metrics["words"])
    assert document["metrics"]["words"]["spearman"] == pytest.approx(1)
    assert "labels" not in crscore("compare rated.jsonl --column label_useful=ignored --json").json


def test_tables_are_printed_for_each_label(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    ended = crscore("compare rated.jsonl --metrics words,exact_match")
    assert ended.status == 0
    for words in ("label useful", "people's ratings of relevance", "number of words"):
        assert words in ended.output
    assert ended.output.count("same 28 reviews of 7 changes") == 2
    assert "Left out" not in ended.output


def test_a_metric_without_a_figure_says_what_is_equal(crscore: Command) -> None:
    write_rows(FILE, [row | {"same": 1, "label_all": 1} for row in ROWS])
    out = crscore("compare rated.jsonl --metrics words,same").output
    assert out.count("\nsame: all values") == 1  # of relevance; the area under a curve is 0.5
    assert out.count("number of words; same: all labels") == 1


def test_only_metrics_with_values_have_rows_and_the_others_a_reason(crscore: Command) -> None:
    write_rows(FILE, [{k: v for k, v in row.items() if k != "reference"} for row in ROWS])
    status, out, _ = crscore("compare rated.jsonl --metrics rel,words,no_threshold,rouge_l,bleu")
    assert status == 0
    assert [line for line in out.splitlines() if "ROUGE-L" in line and "BLEU" in line]
    assert out.count("ROUGE-L") == 1
    assert "threshold" in out  # words are never broken
    tables = (line for line in out.splitlines() if not line.startswith("signature "))
    assert max(len(line) for line in tables if not line.endswith(".")) <= 80


SOME = [row | {"reference": "" if row["system"] == "a" else row["reference"]} for row in ROWS]
UNRATED = [
    *ROWS,
    *(row | {"system": GROUND_TRUTH} for row in ROWS[::4]),
    *(row | {"id": f"{number}", "human_relevance": None, "label_useful": 0.5}
      for number, row in enumerate(ROWS[:3])),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "metrics", "left_out", "n_compared"), [
    (ROWS, "words", [], 28),
    (SOME, "words,rouge_l", ["without a value of every metric (7)."] * 2, 21),
    (UNRATED, "rel,words", ["reference reviews (7), without this label (3).",
                            "reference reviews (7), on which raters disagree (3)."], 28),
])  # fmt: skip
def test_omissions_from_a_table_are_stated_below_it(
    rows: list[dict[str, Any]], metrics: str, left_out: list[str], n_compared: int, crscore: Command
) -> None:
    write_rows(FILE, rows)
    out = crscore(f"compare rated.jsonl --metrics {metrics}").output
    said = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("Left out: ")]
    assert said == left_out
    assert out.count(f"same {n_compared} reviews of ") == 2
