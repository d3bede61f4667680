"""`crscore sweep` on small runs made by hand."""

import csv
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, UNRATED
from crscore_core.corpus.reviews import Reviews
from crscore_core.scoring.metric import TAUS
from crscore_core.validity.thresholds import sweep_thresholds
from crscore_eval.statistics import number_or_none
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

COLUMNS = [
    "tau", *DIMENSIONS, "share_zero", "share_one",
    *(f"{name}_{dimension}" for name in ("spearman", "kendall") for dimension in DIMENSIONS),
    "system_spearman",
]  # fmt: skip


def four() -> Reviews:
    """People and Rel agree from 0.25 on; above 0.875 no review says anything."""
    return made_comparison(
        Made(0, (1, 1, 1), [[0.25]], "a"),
        Made(0, (4, 4, 4), [[0.625]], "b"),
        Made(1, (2, 2, 2), [[0.5]], "a"),
        Made(1, (5, 5, 5), [[0.875]], "b"),
        Made(1, (5, 5, 5), [[0.75]], GROUND_TRUTH),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made_run(tmp_path / "run.parquet", four()).folder.path


def test_json_has_everything_at_each_tau(folder: Path, crscore: Crscore) -> None:
    found = crscore("sweep", folder, "--json").document
    assert {name: value for name, value in found.items() if name not in ("taus", "best")} == {
        "run": str(folder),
        "encoder": "all-MiniLM-L6-v2",
        "tau": 0.5,
        "reviews": 4,
        "ground_truth_left_out": 1,
        "reviews_without_pseudo_references": 2,
        "systems_left_out": 0,
        "empty_reviews": 0,
        "rated_reviews": 4,
        "systems": 3,
    }
    expected = sweep_thresholds(four(), TAUS).columns
    assert [list(row) for row in found["taus"]] == [COLUMNS] * 101
    for name, values in expected.items():
        assert [row[name] for row in found["taus"]] == [number_or_none(one) for one in values]
    best = found["best"]
    assert list(best) == COLUMNS[-7:]
    # From 0.5 on Rel parts 1, 2 from 4, 5, which is 2 / sqrt(5) by hand.
    assert best["spearman_relevance"] == {"tau": 0.5, "value": pytest.approx(0.894427)}
    assert best["system_spearman"] == {"tau": 0.25, "value": 1}
    file = folder.parent / "sweep.csv"
    taus = crscore("sweep", folder, "--taus", 5, "--csv", file, "--json").document["taus"]
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["tau"] for row in rows] == ["0.0", "0.25", "0.5", "0.75", "1.0"]
    read = [{name: float(cell) if cell else None for name, cell in row.items()} for row in rows]
    assert read == taus


def test_a_table_for_people(folder: Path, crscore: Crscore) -> None:
    output = crscore("sweep", folder).out
    facts, _, table = output.partition("\n\n")
    assert "ground_truth_left_out: 1\n" in facts
    at_zero, *_ = lines = table.splitlines()[2:-2]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert at_zero.split() == ["0.0000", *["1.000"] * 3, "0.000", "1.000", *["-"] * 7]
    # Every tenth tau, and those at which a correlation is highest for the first time.
    assert set(rows) == {f"{tau / 10:.4f}" for tau in range(11)} | {"0.2500"}
    assert rows["0.5000"][7] == "0.894*"
    assert rows["0.2500"][-1] == "1.000*"


def test_without_ratings_there_are_no_correlations_and_without_reviews_no_figures(
    tmp_path: Path, crscore: Crscore
) -> None:
    comparison = four()
    unrated = tuple(replace(review, ratings=UNRATED) for review in comparison)
    made_run(tmp_path / "run", altered(comparison, reviews=unrated))
    output = crscore("sweep", tmp_path / "run").out
    assert "Rel 1\n" in output
    assert output.splitlines()[-2].split() == ["1.0000", *["0.000"] * 3, "1.000", "0.000"]
    found = crscore("sweep", tmp_path / "run", "--taus", 2, "--json").document
    assert found["best"] == {}
    assert found["taus"][0]["kendall_relevance"] is None
    made_run(tmp_path / "empty", altered(comparison, reviews=()))
    found = crscore("sweep", tmp_path / "empty", "--taus", 2, "--json").document
    assert (found["reviews"], found["reviews_without_pseudo_references"]) == (0, 2)
    assert found["taus"][1] == dict.fromkeys(COLUMNS) | {"tau": 1}


@pytest.mark.parametrize("command", [["sweep", "--csv"], ["export", "-o"]])
def test_a_full_disk_leaves_no_cut_file(
    folder: Path, crscore: Crscore, tmp_path: Path, command: list[str]
) -> None:
    name, option = command
    file = tmp_path / "out.csv"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        found = crscore(name, folder, option, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "cannot be written: File too large" in found.complaint
    assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]
