"""`crscore rescore` on small runs made by hand."""

import json
from pathlib import Path

import pytest

from crscore_core.cli.main import main
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.scoring import PRESETS
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


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["rescore", *map(str, arguments)])
    output = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, output.out, output.err


def test_means_by_system_beside_those_of_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output, _ = run(capsys, folder, "--tau", "0.2")
    assert status == 0
    first, left_out, head, *rows = output.splitlines()
    assert first == "mean scores at the run's tau 0.5 -> at tau 0.2"
    assert left_out == "left out: 2 reviews of changes without pseudo-references"
    assert head.split() == ["system", "reviews", "Con", "Comp", "Rel"]
    assert rows[0].split() == ["a", "2", *["0.500", "->", "1.000"] * 3]
    assert rows[1].split() == ["b\\u001b[1m", "1", *["1.000", "->", "1.000"] * 3]
    assert list(folder.parent.iterdir()) == [folder]


def test_means_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output, _ = run(capsys, folder, "--tau", "0.2", "--json")
    found = json.loads(output)
    assert status == 0
    assert {name: value for name, value in found.items() if name != "systems"} == {
        "run": str(folder),
        "encoder": "all-MiniLM-L6-v2",
        "run_tau": 0.5,
        "tau": 0.2,
        "reviews_without_pseudo_references": 2,
        "empty_reviews": 0,
    }
    half = dict.fromkeys(("conciseness", "comprehensiveness", "relevance"), 0.5)
    whole = dict.fromkeys(half, 1.0)
    assert found["systems"] == [
        {"system": "a", "reviews": 2, "at_run_tau": half, "at_tau": whole},
        {"system": "b\x1b[1m", "reviews": 1, "at_run_tau": whole, "at_tau": whole},
    ]


@pytest.mark.parametrize("preset", ["tau_best", "tau_gt"])
def test_a_new_run_at_a_preset(
    folder: Path, capsys: pytest.CaptureFixture[str], preset: str
) -> None:
    out = folder.parent / "out.parquet"
    status, output, _ = run(capsys, folder, "--tau", preset, "-o", out)
    tau = getattr(PRESETS["all-MiniLM-L6-v2"], preset)
    assert (status, output) == (0, f"5 reviews at tau {tau:g}: {out}\n")
    assert FinishedRun.open(out).tau == tau


def test_a_new_run_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder.parent / "out.parquet"
    status, output, _ = run(capsys, folder, "--tau", "0.2", "-o", out, "--json")
    assert status == 0
    assert json.loads(output) == json.loads((out / "_run.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("nowhere", ["--tau", "0.2"], "there is no folder"),
        (".", ["--tau", "0.2"], "holds no finished run"),
        ("run.parquet", ["--tau", "2"], "tau 2.0 is no cosine similarity"),
        ("run.parquet", ["--tau", "high"], "'high'"),
        ("run.parquet", [], "--tau"),
    ],
)
def test_bad_input_is_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    arguments: list[str],
    message: str,
) -> None:
    status, output, errors = run(capsys, folder.parent / name, *arguments)
    assert (status, output) == (2, "")
    assert errors.count("\n") == 1
    assert message in errors


def test_the_run_itself_is_not_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, errors = run(capsys, folder, "--tau", "0.2", "-o", folder)
    assert status == 2
    assert errors == (
        f"crscore: {str(folder)!r} is there already; choose another name, or remove it\n"
    )
    assert FinishedRun.open(folder).tau == 0.5


@pytest.mark.parametrize("arguments", [["--tau", "tau_gt"], ["--tau", "0.2", "-o", "out"]])
def test_no_model_is_imported(folder: Path, arguments: list[str]) -> None:
    given = [str(folder.parent / one) if one == "out" else one for one in arguments]
    code = (
        "from crscore_core.cli.main import _run\n"
        f"assert _run({['rescore', str(folder), *given]!r}) == 0"
    )
    assert loaded_after(code)[code] & {"torch", "transformers", "sentence_transformers"} == set()
