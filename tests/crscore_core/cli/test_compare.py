"""`crscore compare` on small data sets, and `crscore study check` on labelled files."""

import csv
import io
from pathlib import Path

from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.datasets.labelled_files import (
    PATCH,
    write_clearcrc,
    write_graded,
    write_own,
)
from tests.crscore_core.datasets.study.small_release import small_release

NAMES = "con,comp,rel,no_threshold,bleu,bleu_without_stop_words,edit_distance,rouge_l,chrf,chrf++,\
bertscore_f1,exact_match,embedding_sim,codebertscore_p,codebertscore_r,codebertscore_f1,\
codebertscore_f3,words,shared_identifiers".split(",")


def test_every_metric_stands_in_the_table_of_the_study(crscore: Crscore, tmp_path: Path) -> None:
    small_release().write(tmp_path)
    document = crscore("compare", "--path", tmp_path, "--resamples", "60", "--json").document
    assert (document["data"], document["label"]) == ("study", "relevance")
    assert list(document["labels"]) == ["relevance", "comprehensiveness", "conciseness"]
    assert list(document["metrics"]) == NAMES
    assert all({"rows", "spearman", "ci"} <= set(one) for one in document["metrics"].values())
    assert document["metrics"]["bleu"]["difference_rows"] > 0


def test_binary_labels_and_one_language_a_row(crscore: Crscore, tmp_path: Path) -> None:
    write_clearcrc(tmp_path)
    arguments = ("compare", "--data", "clearcrc", "--path", tmp_path, "--metrics", "rel,words,bleu")
    document = crscore(*arguments, "--resamples", "60", "--json").document
    words = document["labels"]["informativeness"]["metrics"]["words"]
    assert words["auc"] == 1
    assert {"average_precision", "balanced_accuracy", "kappa"} <= set(words)
    assert set(words["by_language"]) == {"csharp", "python", "go"}
    assert document["metrics"]["bleu"]["auc"] is None
    assert document["metrics"]["bleu"]["remark"] == "no review has a reference"
    printed = crscore(*arguments, "--resamples", "60", "--label", "expression").out
    assert "expression (0 or 1, 4 reviews)" in printed
    assert "no value, as no review has a reference: bleu" in printed
    assert "relevance (0" not in printed


def test_references_and_grades(crscore: Crscore, tmp_path: Path) -> None:
    write_graded(tmp_path / "g")
    table = tmp_path / "table.csv"
    arguments = ("compare", "--data", "graded", "--path", tmp_path / "g", "--resamples", "60")
    document = crscore(
        *arguments, "--metrics", "rel,rouge_l,exact_match", "--csv", table, "--json"
    ).document
    assert document["metrics"]["rouge_l"]["spearman"] > 0.5
    assert document["against"] == "rouge_l"
    assert "no diffs" in document["metrics"]["rel"]["remark"]
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert {row["metric"] for row in rows} == {"rel", "rouge_l", "exact_match"}
    (main,) = (
        row
        for row in rows
        if (row["metric"], row["statistic"], row["language"]) == ("rouge_l", "spearman", "")
    )
    assert float(main["value"]) == document["metrics"]["rouge_l"]["spearman"]


def test_a_file_of_ones_own_and_its_columns_as_labels_and_metrics(
    crscore: Crscore, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        {"diff": PATCH.format(number), "review": "Why? " * number, "useful": number > 5,
         "grade": grade, "label_j": number}
        for number, grade in zip(range(4, 8), (1, 2, 4, None), strict=True)
    ]  # fmt: skip
    own = write_own(tmp_path / "own.jsonl", rows)
    checked = crscore("study", "check", own, "--label", "useful", "--json").document
    assert checked["labels"] == {"useful": {"is_binary": True, "values": {"0": 2, "1": 2}}}
    assert (checked["changes"], checked["reviews"], checked["with_reference"]) == (4, 4, 0)
    told = crscore("study", "check", own, "--label", "useful").out
    assert "languages: unknown\n" in told
    assert "labels: useful (is_binary: True, values (0: 2, 1: 2))\n" in told
    compare = ("compare", "--data", own, "--label", "useful", "--metrics", "words", "--json")
    found = crscore(*compare, "--column", "grade", "--column", "label_j").document
    assert "labels" not in found
    assert (found["metrics"]["grade"]["auc"], found["metrics"]["grade"]["rows"]) == (1, 3)
    assert found["metrics"]["words"]["auc"] == found["metrics"]["j"]["auc"] == 1


def test_rows_set_aside_show_in_the_exit_status(crscore: Crscore, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"diff": PATCH.format(4), "review": "Why?", "useful": 1},
        {"diff": "no diff", "review": "Why?", "useful": 0},
    ]
    own = write_own(tmp_path / "own.jsonl", rows)
    for command in (("study", "check", own), ("compare", "--metrics", "words", "--data", own)):
        done = crscore(*command, "--label", "useful")
        assert done.status == 3
        assert "warning: row 2" in done.err


def test_a_review_is_compared_with_the_reference_of_its_row(
    crscore: Crscore, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        {"diff": PATCH.format(4), "review": text, "reference": text, "useful": number}
        for number, text in enumerate(("Why four?", "Please name the constant."))
    ]
    compare = ("compare", "--data", write_own(tmp_path / "own.jsonl", rows), "--label", "useful")
    found = crscore(*compare, "--metrics", "exact_match", "--json").document
    assert found["metrics"]["exact_match"]["remark"] == "the same for every review"
