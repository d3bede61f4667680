"""`crscore study calibrate`, run as a person runs it, on a made-up study."""

import json
from pathlib import Path

import pytest

from crscore_core.cli import study_calibrate
from crscore_core.cli.main import main
from crscore_core.predicted.model_file import model_document, read_model
from tests.crscore_core.datasets.study.small_release import Release, phase2, small_release

LANGUAGES = ("py", "java", "js")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["study", "calibrate", *arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def varied_release(changes: int) -> Release:
    """Every rating from 1 to 5 by two systems each, others in the next change."""
    release = small_release(changes)
    for language in LANGUAGES:
        for file in phase2(language):
            for place, row in enumerate(release.files[file]):
                if row["Rel (F)"]:
                    row["Rel (F)"] = str(1 + (place % 10 + place // 10) % 5)
    return release


def test_it_prints_and_writes_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    study, output = varied_release(4).write(tmp_path / "study"), tmp_path / "model.json"
    status, out, _ = run(capsys, str(study), "-o", str(output))
    assert status == 0
    assert "fitted to 120 ratings of 12 changes" in out
    assert "on changes left out, pseudo-references study: Spearman" in out
    assert "on systems left out, pseudo-references symbolic: Spearman" in out
    assert "95 % interval" in out
    assert f"written: {output}" in out
    model = read_model(output)
    assert (model.provenance.changes, model.encoder) == (12, "all-MiniLM-L6-v2")
    monkeypatch.setattr(study_calibrate, "_fitted", lambda _: model)
    status, out, _ = run(capsys, str(study), "--json")
    assert status == 0
    assert json.loads(out) == model_document(model)


def test_a_study_that_is_too_small_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, str(varied_release(3).write(tmp_path / "study")))
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == (
        "crscore: 9 rated changes cannot be left out in 10 groups; calibrate on the full study"
    )


def test_a_folder_that_is_not_there_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, "nowhere", "-o", str(tmp_path / "no" / "model.json"))
    assert status == 2
    assert len(err.splitlines()) == 1
    assert f"there is no folder {tmp_path / 'no'}" in err
