"""`crscore compare`: a run, a file of one's own, the contract of its JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from crscore_eval.table import GROUND_TRUTH
from tests.crscore_cli.conftest import Command

DIFF = "@@ -1 +1 @@\n-    return {0}\n+    return {0} or []\n"
ROWS = [
    {
        "diff": DIFF.format(f"x{number // 4}"),
        "system": "abcd"[number % 4],
        "review": "Why is it `x`? " * (1 + number % 4),
        "reference": "Why is it a list? " * (1 + number // 8),
        "human_relevance": 1 + number % 4,
        "label_useful": number % 2,
    }
    for number in range(28)
]


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rated") / "rated.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return file


def test_the_json_has_the_keys_of_the_contract(crscore: Command, rated: Path) -> None:
    arguments = ("compare", "--data", rated, "--metrics", "rel,words,rouge_l", "--json")
    status, out, _ = crscore(*arguments)
    document: dict[str, Any] = json.loads(out)
    assert status == 0
    assert (document["data"], document["rows"], document["label"]) == (str(rated), 28, "relevance")
    assert list(document["labels"]) == ["relevance", "useful"]
    for label, main_statistic in (("relevance", "spearman"), ("useful", "auc")):
        metrics = document["labels"][label]["metrics"]
        assert list(metrics) == ["rel", "words", "rouge_l"]
        assert {"rows", main_statistic, "ci"} <= set(metrics["words"])
    assert document["metrics"]["words"]["spearman"] == pytest.approx(1)


@pytest.mark.parametrize("label", ["useful", "label_useful"])
def test_tables_are_printed_for_each_label(
    label: str, crscore: Command, rated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    arguments = ("compare", rated, "--metrics", "words,exact_match", "--label", label)
    status, out, _ = crscore(*arguments)
    assert status == 0
    assert "label useful" in out
    assert "on the same 28 reviews of 7 changes" in out.lower().replace("each metric ", "")
    assert "Left out" not in out
    assert "number of words" in out
    assert "relevance" not in out
    assert "sacrebleu" not in out


def test_bleu_is_printed_with_its_settings_unless_the_file_has_it(
    crscore: Command, tmp_path: Path
) -> None:
    file = tmp_path / "rated.jsonl"
    rows = [row | {"metric_bleu": number} for number, row in enumerate(ROWS)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out = crscore("compare", file, "--metrics", "bleu,bleu_without_stop_words,chrf++").output
    (line,) = [line for line in out.splitlines() if line.startswith("sacrebleu")]
    assert "nw:2" in line
    assert "tok:13a" not in line


def test_a_metric_without_a_figure_says_what_is_equal(crscore: Command, tmp_path: Path) -> None:
    file = tmp_path / "rated.jsonl"
    rows = [row | {"same": 1, "label_all": 1} for row in ROWS]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out = crscore("compare", file, "--metrics", "words,same").output
    assert out.count("\nsame: all values") == 1  # of relevance; the area under a curve is 0.5
    assert out.count("number of words; same: all labels") == 1


def test_ratings_are_not_compared_with_themselves(crscore: Command, rated: Path) -> None:
    status, out, errors = crscore("compare", rated, "--metrics", "relevance,people")
    assert (status, out) == (2, "")
    assert "name a metric" in errors


def test_only_metrics_with_values_have_rows_and_the_others_a_reason(
    crscore: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "rated.jsonl"
    rows = [{name: cell for name, cell in row.items() if name != "reference"} for row in ROWS]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ("compare", file, "--metrics", "rel,words,no_threshold,rouge_l,bleu")
    status, out, _ = crscore(*arguments)
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
FEW = "Too few changes for intervals and p-values."


@pytest.mark.parametrize(
    ("rows", "metrics", "left_out", "n_compared", "are_few"),
    [
        (ROWS, "words", [], 28, False),
        (ROWS[:4], "words", [], 4, True),
        (SOME, "words,rouge_l", ["7 without a value of every metric."] * 2, 21, False),
        (
            UNRATED,
            "rel,words",
            [
                "7 reference reviews, 3 without this label.",
                "7 reference reviews, 3 on which raters disagree.",
            ],
            28,
            False,
        ),
    ],
)
def test_what_is_left_out_of_a_table_is_said_below_it(  # noqa: PLR0917 - columns of a table
    rows: list[dict[str, Any]], metrics: str, left_out: list[str], n_compared: int, are_few: bool,
    crscore: Command, tmp_path: Path,
) -> None:  # fmt: skip
    file = tmp_path / "rated.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out = crscore("compare", file, "--metrics", metrics).output
    said = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("Left out: ")]
    assert said == left_out
    assert out.count(f"same {n_compared} reviews of ") == 2
    assert (FEW in out) is are_few


def test_a_score_may_have_its_full_name(crscore: Command, rated: Path) -> None:
    names = "relevance,conciseness,comprehensiveness,rel"
    arguments = ("compare", rated, "--metrics", names, "--tau", "0.9", "--json")
    out = crscore(*arguments).output
    full = json.loads(out)
    assert list(full["metrics"]) == ["rel", "con", "comp"]
    out = crscore(*arguments[:3], "rel,con,comp", *arguments[4:]).output
    assert json.loads(out) == full
