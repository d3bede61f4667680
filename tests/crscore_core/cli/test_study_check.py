"""`crscore study check`, run as a person runs it."""

import json
from pathlib import Path

import pytest

from crscore_core.cli.main import main
from tests.crscore_core.datasets.study.small_release import phase2, small_release


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["study", "check", *arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_it_says_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = small_release(4)
    del release.context["test100_old.py"]
    status, out, err = run(capsys, str(release.write(tmp_path)))
    assert (status, err) == (0, "")
    *lines, published = out.splitlines()
    assert published.startswith("published files: 0 as published, ")
    assert lines == [
        f"study: {tmp_path}",
        "python: 4 changes, 4 of them rated; 8 claims coded",
        "java: 4 changes, 4 of them rated; 8 claims coded",
        "javascript: 4 changes, 4 of them rated; 8 claims coded",
        "ratings: 120, without ground truth 108",
        "pairs: 36 addressed, 12 not addressed",
        "rated by two people: 11 reviews",
        "context files: 23 present, 1 missing",
    ]


def test_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = small_release(4)
    del release.context["test100_old.py"]
    release.row(phase2("py")[0], 3)["necessary?"] = "?"
    status, out, _ = run(capsys, str(release.write(tmp_path)), "--json")
    language = {"changes": 4, "rated_changes": 4, "coded_claims": 8}
    assert status == 0
    document = json.loads(out)
    published = document.pop("published_files")
    assert published["same"] == 0
    assert phase2("py")[0] in published["different"]
    assert "human_study/phase1/context_files/test100_old.py" not in published["missing"]
    assert "LICENSE" in published["missing"]
    assert document == {
        "folder": str(tmp_path),
        "languages": {"py": language, "java": language, "js": language},
        "ratings": 120,
        "ratings_without_ground_truth": 108,
        "pairs": {"addressed": 36, "not_addressed": 12},
        "double_ratings": 11,
        "context_files": {"present": 23, "missing": 1},
        "missing": ["human_study/phase1/context_files/test100_old.py"],
        "oddities": [f"{phase2('py')[0]}, row 3: necessary? is '?', not 0 or 1"],
    }


def test_the_folder_may_come_from_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(small_release(1).write(tmp_path)))
    status, out, _ = run(capsys)
    assert status == 0
    assert f"study: {tmp_path}" in out


def test_damage_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = small_release(1)
    release.row(phase2("js")[0], 2)["Con (P)"] = "12"
    status, out, err = run(capsys, str(release.write(tmp_path)))
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith(f"crscore: {phase2('js')[0]}, row 2: Con (P) is '12'")


def test_no_study_is_one_line_that_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, str(tmp_path))
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert "crscore study fetch" in line
