"""`crscore study fetch` against a real server on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crscore_core.cli.main import main
from crscore_core.datasets.download import fetch, published
from crscore_core.datasets.download import manifest as manifest_file
from tests.crscore_core.datasets.download.file_server import (
    FILES,
    FileServer,
    manifest_of,
    served,
    status,
)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FileServer]:
    manifest = manifest_of(FILES)
    for module in (fetch, published, manifest_file):  # imported before: none keeps the small one
        monkeypatch.setattr(module, "study_manifest", lambda: manifest)
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path / "default"))
    with served() as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", files.address)
        yield files


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["study", "fetch", *arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_it_goes_where_other_commands_look(
    server: FileServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys)
    first, last = out.splitlines()
    assert (code, err) == (0, "")
    assert "licence MIT" in first
    assert "https://github.com/someone/study" in first
    folder = tmp_path / "default"
    assert last == f"6 files are in {folder}: 6 fetched (0.3 MB), 0 were there already"
    assert (folder / "LICENSE").read_bytes() == FILES["LICENSE"]
    _, again, _ = run(capsys)
    assert again.splitlines()[-1].endswith(": 0 fetched (0.0 MB), 6 were there already")
    assert len(server.requests) == len(FILES)


def test_it_goes_where_it_is_told(
    server: FileServer, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("CRSCORE_STUDY_SOURCE")
    other = tmp_path / "other"
    code, out, _ = run(capsys, "--to", str(other), "--no-context", "--source", server.address)
    assert code == 0
    assert f"4 files are in {other}: 4 fetched" in out
    assert not (other / "human_study/phase1/context_files").exists()
    assert not (tmp_path / "default").exists()


@pytest.mark.usefixtures("server")
def test_a_terminal_shows_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, _, err = run(capsys)
    assert code == 0
    assert "fetching" in err
    assert "100%" in err


@pytest.mark.usefixtures("server")
def test_elsewhere_a_line_is_printed_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crscore_core.cli.study_fetch._SECONDS_BETWEEN_LINES", 0)
    _, _, err = run(capsys)
    assert err.splitlines()[-1] == "6 of 6 files, 0.3 of 0.3 MB"


def test_what_went_wrong_is_one_line(
    server: FileServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.plans["LICENSE"] = [status(404)]
    code, _, err = run(capsys)
    assert code == 2
    assert err.startswith("crscore: 1 of 6 files of the study did not come from ")
    assert "LICENSE: the server answers 404 Not Found" in err
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("server")
def test_a_source_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "--source", "somewhere")
    assert code == 2
    assert err.startswith("crscore: the source of the study must")
