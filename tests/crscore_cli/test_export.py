"""`crscore export`, and the way back: what is exported is imported unchanged."""

import csv
import io
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.run.batch import run_batch, score_file
from crscore_eval.run.folder import open_run
from crscore_eval.run.parts import BatchOptions
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import TAU, rows_of, write_rows

pytestmark = pytest.mark.usefixtures("word_encoder")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run with ratings, labels, own columns, claims, and texts that look like formulas."""
    rows = [
        row
        | {"rating": 1 + number % 5, "label_right": number % 2, "sha": f"=c{number}", "n": number}
        | {"reference": "'quoted", "title": "+1", "claims": ["it renames a function"]}
        for number, row in enumerate(rows_of(2))
    ]
    rows[0]["review"] = "=HYPERLINK(1)\n- why?"
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    run_batch(corpus, tmp_path / "run", BatchOptions(tau=TAU))
    return tmp_path / "run"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_import_reads_an_export_back(
    ending: str, folder: Path, tmp_path: Path, crscore: Command
) -> None:
    path = tmp_path / f"out.{ending}"
    assert crscore("export", folder, "-o", path).status == 0
    run, again = open_run(folder), score_file(path, BatchOptions(tau=TAU))
    assert again.settings["n_rejected"] == 0
    same = [
        "id", "system", "language", "review", "relevance", "human_relevance", "label_right", "sha",
        "n", "reference",
    ]  # fmt: skip
    pd.testing.assert_frame_equal(run.reviews[same], again.reviews[same])
    assert [*run.reviews.columns] == [*again.reviews.columns]
    assert run.changes["title"].tolist() == again.changes["title"].tolist()
    assert run.changes["diff"].tolist() == again.changes["diff"].tolist()
    texts = ([one["text"] for one in of] for of in run.changes["references"])
    assert list(texts) == [[one["text"] for one in of] for of in again.changes["references"]]


def test_cells_of_csv_are_never_formulas(folder: Path, tmp_path: Path, crscore: Command) -> None:
    crscore("export", folder, "-o", tmp_path / "out.csv")
    for row in csv.reader(io.StringIO((tmp_path / "out.csv").read_text())):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_scores_are_at_the_chosen_tau(folder: Path, tmp_path: Path, crscore: Command) -> None:
    crscore("export", folder, "-o", tmp_path / "out.parquet", "--tau", 1)
    found = pd.read_parquet(tmp_path / "out.parquet")
    assert set(found["tau"]) == {1}
    assert found["relevance"].dropna().tolist() == [0] * 4
    assert found["relevance"].isna().sum() == 2  # of the empty reviews
