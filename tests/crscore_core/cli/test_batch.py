"""`crscore batch`, as a person runs it."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.run.corpora import rows_of, write_rows
from tests.crscore_core.scoring.tiny_model import write_tiny_model


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    write_tiny_model(folder, seed=7)
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "corpus.jsonl", [row for row in rows_of(2) if row["review"]])


def test_a_corpus_becomes_a_folder_of_parquet_files(
    corpus: Path, encoder: Path, tmp_path: Path, crscore: Crscore
) -> None:
    out = tmp_path / "out.parquet"
    done = crscore("batch", corpus, "-o", out, "--encoder", encoder, "--tau", 0.4)
    assert done.status == 0
    first, said, *_ = done.out.splitlines()
    assert first == f"4 reviews of 2 changes: {out}"
    assert said.startswith("Too few changes to compare ")
    assert "Scoring reviews: 100% 4/4" in done.err
    assert "warning" not in done.err
    rows = [row | {"helpful": 1} for row in rows_of(2) if row["review"]]
    labelled = write_rows(tmp_path / "labelled.jsonl", rows)
    with_labels = tmp_path / "labels.parquet"
    options = ["--encoder", encoder, "--tau", 0.4, "--label", "helpful"]
    assert crscore("batch", labelled, "-o", with_labels, *options).status == 0
    assert pd.read_parquet(with_labels)["label_helpful"].tolist() == [1.0] * 4
    expected = {
        "id", "system", "conciseness", "comprehensiveness", "relevance", "tau",
        "n_pseudo_references", "n_sentences", "warnings",
    }  # fmt: skip
    assert expected <= set(pd.read_parquet(out).columns)


def test_rows_without_scores_are_told_and_make_the_status_3(
    encoder: Path, tmp_path: Path, crscore: Crscore
) -> None:
    rows = rows_of(1)
    corpus = write_rows(tmp_path / "corpus.jsonl", [rows[0], "\x1b[31m{", rows[2]])
    out = tmp_path / "out.parquet"
    options = ["-o", out, "--encoder", encoder, "--tau", 0.4, "--json", "--no-analyzers"]
    done = crscore("batch", corpus, *options)
    document = json.loads(done.out)
    assert done.status == 3
    assert (document["reviews"], document["rejected"], document["unscored"]) == (2, 1, 1)
    assert document["settings"]["tau"] == 0.4
    assert "warning: row 2: it is no valid JSON" in done.err
    assert "warning: rows set aside: 1, with reasons in" in done.err
    assert "warning: reviews without scores: 1;" in done.err
    assert "\x1b" not in done.err
    done = crscore("batch", corpus, *options, "--resume")
    assert (done.status, json.loads(done.out)) == (3, document)


def test_a_file_that_is_no_corpus_is_one_line_below_the_progress(
    tmp_path: Path, crscore: Crscore
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [{"diff": "prose", "review": "fine"}])
    out = tmp_path / "out.parquet"
    done = crscore("batch", corpus, "-o", out)
    assert (done.status, done.out, out.exists()) == (2, "", False)
    (line,) = [line for line in done.err.splitlines() if line.startswith("crscore: ")]
    assert "none of the rows can be used; row 1: diff" in line
    assert "Traceback" not in done.err


def test_a_run_goes_on_where_nobody_reads_its_progress(
    corpus: Path, encoder: Path, crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, closed in enumerate((None, _Closed())):
        with monkeypatch.context() as patched:
            patched.setattr("sys.stderr", closed)
            out = corpus.with_name(f"{number}.parquet")
            options = ["-o", out, "--encoder", encoder, "--tau", 0.4, "--no-analyzers"]
            done = crscore("batch", corpus, *options)
        assert done.status == 0
        assert done.out.startswith(f"4 reviews of 2 changes: {out}\n")


class _Closed(io.StringIO):
    """A pipe whose reader is gone."""

    def write(self, _: str) -> int:
        raise BrokenPipeError
