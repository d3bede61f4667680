"""`crscore export`: an exported file is imported unchanged."""

import csv
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.run.batch import run_batch, score_file
from crscore_eval.run.folder import open_run
from crscore_eval.run.parts import BatchOptions
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import TAU, rows_of, write_rows

pytestmark = pytest.mark.usefixtures("word_encoder", "_run")


@pytest.fixture
def _run() -> None:
    """A run with ratings, labels, extra columns, claims, and text that looks like formulas."""
    rows = rows_of(2)
    for number, row in enumerate(rows):
        row |= {"relevance": 1 + number % 5, "label_right": number % 2}
        row |= {"sha": f"=c{number}", "n": number, "reference": "'quoted", "title": "+1"}
        row["claims"] = ["it renames a function"]
    rows[0]["review"] = "=HYPERLINK(1)\n- why?"
    corpus = write_rows(Path("corpus.jsonl"), rows)
    run_batch(corpus, Path("run"), BatchOptions(tau=TAU))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_import_reads_an_export_back(ending: str, crscore: Command) -> None:
    assert crscore(f"export run -o out.{ending}").status == 0
    run, again = open_run(Path("run")), score_file(Path(f"out.{ending}"), BatchOptions(tau=TAU))
    assert again.settings["n_rejected"] == 0
    same = [
        "id", "system", "language", "review", "relevance", "human_relevance", "label_right", "sha",
        "n", "reference",
    ]  # fmt: skip
    pd.testing.assert_frame_equal(run.reviews[same], again.reviews[same])
    assert [*run.reviews.columns] == [*again.reviews.columns]
    pd.testing.assert_frame_equal(run.changes[["title", "diff"]], again.changes[["title", "diff"]])
    texts = ([one["text"] for one in of] for of in run.changes["references"])
    assert list(texts) == [[one["text"] for one in of] for of in again.changes["references"]]


def test_cells_of_csv_are_never_formulas(crscore: Command) -> None:
    crscore("export run -o out.csv")
    for row in csv.reader(Path("out.csv").read_text().splitlines(keepends=True)):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_a_report_is_ordered_by_the_chosen_measure(crscore: Command) -> None:
    assert crscore("export run -o out.html --by label_right").status == 0
    assert "Reviewers by label right" in Path("out.html").read_text()
    assert crscore("export run -o out.csv --by words").status == 2


def test_scores_are_at_the_chosen_tau(crscore: Command) -> None:
    crscore("export run -o out.parquet --tau 1")
    found = pd.read_parquet("out.parquet")
    assert set(found["tau"]) == {1}
    assert found["relevance"].dropna().tolist() == [0] * 4
    assert found["relevance"].isna().sum() == 2  # of the empty reviews
