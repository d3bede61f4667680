"""`crscore rescore` on small runs made by hand."""

import json
from pathlib import Path

import pytest

from crscore_core.corpus.exports import FORMATS
from crscore_core.corpus.reading import read_table_file
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


def test_means_by_system_beside_those_of_the_run(folder: Path, crscore: Crscore) -> None:
    _, left_out, _, *rows = crscore("rescore", folder, "--tau", "0.2").out.splitlines()
    assert left_out.startswith("left out: 2 reviews")
    assert rows[0].split() == ["a", "2", *["0.500", "->", "1.000"] * 3]
    assert rows[1].split() == ["b\\u001b[1m", "1", *["1.000", "->", "1.000"] * 3]
    assert list(folder.parent.iterdir()) == [folder]


def test_means_as_json(folder: Path, crscore: Crscore) -> None:
    document = crscore("rescore", folder, "--tau", "0.2", "--json").document
    systems = document.pop("systems")
    assert document == {
        "run": str(folder),
        "encoder": "all-MiniLM-L6-v2",
        "run_tau": 0.5,
        "tau": 0.2,
        "reviews_without_pseudo_references": 2,
        "empty_reviews": 0,
    }
    half = dict.fromkeys(("conciseness", "comprehensiveness", "relevance"), 0.5)
    whole = dict.fromkeys(half, 1.0)
    assert systems == [
        {"system": "a", "reviews": 2, "at_run_tau": half, "at_tau": whole},
        {"system": "b\x1b[1m", "reviews": 1, "at_run_tau": whole, "at_tau": whole},
    ]


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
        assert len(read_table_file(file).rows) == 3


def test_finished_runs_need_no_model(folder: Path) -> None:
    run = "from crscore_core.cli.main import _run; assert _run({!r}) == 0"
    path = str(folder)
    loaded = loaded_after(
        run.format(["rescore", path, "--tau", "tau_gt"]),
        run.format(["rescore", path, "--tau", "0.2", "-o", f"{path}.new"]),
        run.format(["sweep", path]),
    )
    for names in loaded.values():
        assert names & {"torch", "transformers", "sentence_transformers"} == set()
