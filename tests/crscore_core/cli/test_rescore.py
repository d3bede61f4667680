"""`crscore rescore` on small runs made by hand."""

import json
from pathlib import Path

import pytest

from crscore_core.corpus.exports import FORMATS
from crscore_core.corpus.reading import read_table
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.scoring import PRESETS
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.test_layers import loaded_after

RATING = (1, 2, 3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    comparison = made_comparison(
        Made(0, RATING, [[0.25]], "a"),
        Made(0, RATING, [[0.75]], "a"),
        Made(1, RATING, [[0.75]], "b\x1b[1m"),
    )
    return made_run(tmp_path / "run.parquet", comparison, 0.5).folder.path


@pytest.mark.parametrize("preset", ["tau_best", "tau_gt"])
def test_a_new_run_at_a_preset(folder: Path, crscore: Crscore, preset: str) -> None:
    out = folder.parent / "out.parquet"
    done = crscore("rescore", folder, "--tau", preset, "-o", out)
    tau = getattr(PRESETS["all-MiniLM-L6-v2"], preset)
    assert (done.status, done.out) == (0, f"5 reviews at tau {tau:g}: {out}\n")
    assert FinishedRun.open(out).tau == tau
    other = folder.parent / "other.parquet"
    document = crscore("rescore", folder, "--tau", preset, "-o", other, "--json").document
    assert document == json.loads((other / "_run.json").read_text(encoding="utf-8"))


def test_a_run_is_written_as_one_file(
    folder: Path, crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert crscore("export", folder).status == 0
    (report,) = folder.parent.glob("crscore-run-20*.html")
    assert report.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    for ending in FORMATS:
        file = folder.parent / f"out.{ending}"
        done = crscore("export", folder, "-o", file, "--tau", "0.2")
        assert (done.status, done.out) == (0, f"3 reviews at tau 0.2: {file}\n")
        assert len(read_table(file).rows) == 3


def test_finished_runs_need_no_model(folder: Path) -> None:
    run = "from crscore_core.cli.main import _run; assert _run({!r}) == 0"
    path = str(folder)
    loaded = loaded_after(
        run.format(["rescore", path, "--tau", "0.2", "-o", f"{path}.new"]),
        run.format(["sweep", path]),
    )
    for names in loaded.values():
        assert names & {"torch", "transformers", "sentence_transformers"} == set()
