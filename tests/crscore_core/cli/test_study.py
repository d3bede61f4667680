"""`crscore study`: fetch from servers on this machine, and check made-up studies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crscore_core.datasets import fetch
from crscore_core.datasets.study.shipped import SHIPPED
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.datasets.file_server import (
    FILES,
    FileServer,
    registry_of,
    served,
    status,
)
from tests.crscore_core.datasets.labelled_files import write_clearcrc
from tests.crscore_core.datasets.study.small_release import phase2, small_release


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FileServer]:
    monkeypatch.setattr(fetch, "study_files", registry_of)
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path / "default"))
    with served() as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", files.address)
        yield files


def test_a_study_is_fetched_to_where_other_commands_look(
    server: FileServer, tmp_path: Path, crscore: Crscore
) -> None:
    done = crscore("study", "fetch")
    first, last = done.out.splitlines()
    assert (done.status, done.err) == (0, "6 of 6 files\n")
    assert "licence MIT" in first
    assert "https://github.com/atharva-naik/CRScore" in first
    folder = tmp_path / "default"
    assert last == f"6 files are in {folder}: 6 fetched, 0 were there already"
    assert (folder / "LICENSE").read_bytes() == FILES["LICENSE"]
    again = crscore("study", "fetch").out
    assert again.splitlines()[-1].endswith(": 0 fetched, 6 were there already")
    assert len(server.paths) == len(FILES)
    refused = crscore("study", "fetch", "--source", "somewhere")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    (folder / "LICENSE").unlink()
    server.plans["LICENSE"] = [status(404)] * 4
    failed = crscore("study", "fetch")
    assert failed.status == 2
    assert "LICENSE: the server answered 404" in failed.err.splitlines()[-1]


def test_a_study_is_fetched_from_and_to_where_it_is_told(
    server: FileServer, tmp_path: Path, crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CRSCORE_STUDY_SOURCE")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    other = tmp_path / "other"
    done = crscore("study", "fetch", "--to", other, "--no-context", "--source", server.address)
    assert done.status == 0
    assert f"4 files are in {other}: 4 fetched" in done.out
    assert done.err.startswith("\r0 of 4 files\r")  # one line for a person
    assert done.err.endswith("\r4 of 4 files\n")
    assert not (other / "human_study/phase1/context_files").exists()
    assert not (tmp_path / "default").exists()


def test_check_says_what_a_study_holds(tmp_path: Path, crscore: Crscore) -> None:
    release = small_release(4)
    del release.context["test100_old.py"]
    release.row(phase2("py")[0], 3)["necessary?"] = "?"
    release.write(tmp_path)
    oddity = f"{phase2('py')[0]}, row 3: necessary? is '?', not 0 or 1"
    done = crscore("study", "check", tmp_path)
    assert (done.status, done.err) == (0, f"warning: {oddity}; left out\n")
    for line in (f"folder: {tmp_path}", "pairs: addressed: 36, not_addressed: 12"):
        assert f"{line}\n" in done.out
    assert "py (changes: 4, rated_changes: 4, coded_claims: 8), java (" in done.out
    assert " more, which --json names\n" in done.out
    document = crscore("study", "check", tmp_path, "--json").document
    files = document.pop("published_files")
    assert files["same"] == 0
    assert phase2("py")[0] in files["different"]
    assert "human_study/phase1/context_files/test100_old.py" not in files["missing"]
    assert "LICENSE" in files["missing"]
    language = {"changes": 4, "rated_changes": 4, "coded_claims": 8}
    assert document == {
        "folder": str(tmp_path),
        "languages": {"py": language, "java": language, "js": language},
        "ratings": 120,
        "ratings_without_ground_truth": 108,
        "pairs": {"addressed": 36, "not_addressed": 12},
        "double_ratings": 11,
        "context_files": {"present": 23, "missing": 1},
        "missing": ["human_study/phase1/context_files/test100_old.py"],
        "oddities": [oddity],
    }


def test_check_looks_where_the_environment_says_and_refuses_damage(
    tmp_path: Path, crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = small_release(1)
    monkeypatch.setenv("CRSCORE_STUDY", str(release.write(tmp_path)))
    monkeypatch.chdir(tmp_path)
    for name in ((), ("study",)):  # a folder of this name has priority over the default
        assert f"folder: {tmp_path}" in crscore("study", "check", *name).out
    small_release(2).write(tmp_path / "study")
    assert "py (changes: 2, " in crscore("study", "check", "study").out
    assert f"folder: {tmp_path}" in crscore("study", "check").out
    release.row(phase2("js")[0], 2)["Con (P)"] = "12"
    release.write(tmp_path)
    assert crscore("study", "check").complaint.startswith(
        f"crscore: {phase2('js')[0]}, row 2: Con (P) is '12'"
    )


def test_check_takes_a_run(crscore: Crscore) -> None:
    run = SHIPPED / "run.parquet"
    assert crscore("study", "check", run, "--json").document["data"] == "own"


def test_data_sets_are_listed_with_their_licence(
    crscore: Crscore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_CLEARCRC", str(write_clearcrc(tmp_path)))
    rows = {row["name"]: row for row in crscore("study", "list", "--json").document["data"]}
    assert list(rows) == ["study", "kinds", "clearcrc", "graded"]
    assert rows["clearcrc"]["is_there"]
    assert rows["clearcrc"]["path"] == str(tmp_path)
    assert rows["study"]["licence"] == "MIT"
    assert rows["graded"]["licence"].startswith("none stated")
    assert "licence: none stated" in crscore("study", "list").out
