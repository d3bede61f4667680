"""`crscore batch` as a person and the app run it."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from crscore_cli.app import main
from crscore_cli.output import progress_reporter
from crscore_eval.run import BatchOptions, open_run
from tests.crscore_eval.run.corpus import diff_of, rows_of, word_setup, write_rows


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bag of words for the encoder."""
    monkeypatch.setattr(BatchOptions, "setup", lambda _: word_setup())


def crscore(*arguments: object) -> int:
    """Run the command and return its exit status."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return int(ended.value.code or 0)


def test_a_file_becomes_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(2))
    assert crscore("batch", corpus, "-o", tmp_path / "run") == 0
    assert "6 reviews of 2 changes" in capsys.readouterr().out
    columns = {
        "id", "system", "conciseness", "comprehensiveness", "relevance", "no_threshold", "tau",
        "n_pseudo_references", "n_sentences", "warnings",
    }  # fmt: skip
    assert columns <= set(pd.read_parquet(tmp_path / "run").columns)


@pytest.mark.parametrize("bad", [{"diff": "no diff", "review": "x"}, {"review": "no diff"}])
def test_rejected_rows_change_the_exit_status(
    bad: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [*rows_of(1), bad])
    assert crscore("batch", corpus, "-o", tmp_path / "run") == 3
    assert "warning" in capsys.readouterr().err


def test_progress_for_the_app_is_json_lines_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(2))
    assert crscore("batch", corpus, "-o", tmp_path / "run", "--progress", "json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (lines[-1]["done"], lines[-1]["total"]) == (6, 6)


def test_progress_without_a_terminal_is_lines_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("crscore_cli.output.SECONDS_PER_LINE", 0)
    with progress_reporter("reading rows") as show:
        show(5)
        show(1_000, 2_000, "scoring reviews")
    assert capsys.readouterr() == ("", "reading rows: 5\nscoring reviews: 1,000 of 2,000\n")


def test_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", [*rows_of(1), {"diff": diff_of(1)}])
    assert crscore("batch", corpus, "-o", tmp_path / "run", "--json") == 3
    document = json.loads(capsys.readouterr().out)
    assert (document["n_reviews"], document["n_rejected"]) == (3, 1)
    assert document["rejected"][0]["row"] == 4


def test_columns_may_be_chosen(tmp_path: Path) -> None:
    rows = [{"x": row["diff"], "y": row["review"], "z": "s"} for row in rows_of(1)]
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    options = [f"--column={pair}" for pair in ("diff=x", "review=y", "system=z")]
    assert crscore("batch", corpus, "-o", tmp_path / "run", *options) == 0
    assert open_run(tmp_path / "run").reviews["system"].tolist() == ["s"] * 3


def test_a_column_of_ratings_may_be_ignored(tmp_path: Path) -> None:
    rows = [row | {"human_relevance": 4} for row in rows_of(1)]
    corpus = write_rows(tmp_path / "corpus.jsonl", rows)
    assert crscore("batch", corpus, "-o", tmp_path / "run", "--column", "human_relevance=") == 0
    assert "human_relevance" not in open_run(tmp_path / "run").reviews


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.jsonl", "-o", "run"],
        ["corpus.jsonl"],
        ["corpus.jsonl", "-o", "run", "--column", "diff"],
        ["corpus.jsonl", "-o", "run", "--tau", "2"],
        ["corpus.jsonl", "-o", "run", "--claims", "nobody"],
        ["corpus.jsonl", "-o", "run", "--engine", "other"],
        ["corpus.jsonl", "-o", "full"],
    ],
)
def test_bad_usage_and_input(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(Path("corpus.jsonl"), rows_of(1))
    write_rows(Path("full"), []).rename("kept")
    Path("full").mkdir()
    Path("kept").rename("full/kept")
    assert crscore("batch", *arguments) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not Path("run").exists()


def test_resume_continues_and_a_second_run_does_not_overwrite(tmp_path: Path) -> None:
    corpus = write_rows(tmp_path / "corpus.jsonl", rows_of(1))
    assert crscore("batch", corpus, "-o", tmp_path / "run") == 0
    assert crscore("batch", corpus, "-o", tmp_path / "run") == 2
    assert crscore("batch", corpus, "-o", tmp_path / "run", "--resume") == 0
    assert crscore("batch", corpus, "-o", tmp_path / "run", "--resume", "--tau", "0.9") == 2
