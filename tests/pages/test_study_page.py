"""The human study on the Data page without a browser, downloading from a real server."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from crscore_core.datasets import fetch
from pages.components.data_study import find_fetch

from tests.crscore_core.datasets.file_server import (
    FILES,
    FileServer,
    broken_off,
    registry_of,
    served,
    status,
)
from tests.pages.app_page import AppPage, app_page, data_page, opened

WITHIN = 60


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the page looks first."""
    folder = tmp_path / "study"
    monkeypatch.setenv("CRSCORE_STUDY", str(folder))
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    """A server of what is no study to load."""
    monkeypatch.setattr(fetch, "study_files", registry_of)
    with served(FILES) as files:
        monkeypatch.setenv("CRSCORE_STUDY_SOURCE", files.address)
        yield files


def ended(page: AppPage, folder: Path) -> AppPage:
    job = find_fetch(folder)
    assert job is not None
    job.wait(WITHIN)
    return page.run()


def test_what_went_wrong_is_shown_and_tried_again(folder: Path, server: FileServer) -> None:
    server.plans["LICENSE"] = [status(404)] * 4
    page = ended(data_page("Human study").press("Download"), folder)
    assert "LICENSE" in page.error[0].value
    assert "404 Not Found" in page.error[0].value
    ended(page.press("Download again"), folder)
    assert not page.error
    assert "Files downloaded: 1, there already: 5." in page.success[0].value
    assert (folder / "LICENSE").read_bytes() == FILES["LICENSE"]
    damaged = app_page("rankings", "release")
    assert "there is no such file" in damaged.error[0].value


def test_a_running_download_is_shown_and_stopped(folder: Path, server: FileServer) -> None:
    go = threading.Event()
    server.plans["LICENSE"] = [broken_off(1, go)]
    page = data_page("Human study").press("Download")
    assert "Download" not in page.labels()
    other = data_page("Human study")  # another session, or this one back from another page
    other.press("Stop")
    ended(page, folder)
    go.set()
    assert page.info[0].value.startswith("stopped")
    assert not page.error


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("name", ["a\0b", "~no-such-person-here/study"])
def test_a_name_that_is_none_is_a_message(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    place = "pages.components.source.switch.default_study_folder"
    monkeypatch.setattr(place, lambda: Path(name))
    page = data_page("Human study")
    assert page.error
    assert not page.button


@pytest.mark.usefixtures("server")
def test_a_folder_for_something_else_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "my <b>project</b> ![x](http://127.0.0.1/x)"
    other.mkdir(parents=True)
    (other / "LICENSE").write_bytes(b"mine")
    monkeypatch.setenv("CRSCORE_STUDY", str(other))
    page = ended(data_page("Human study").press("Download"), other)
    assert "is used for something else" in page.error[0].value
    assert "![" not in page.error[0].value
    assert (other / "LICENSE").read_bytes() == b"mine"


def test_a_downloaded_study_is_offered_where_there_is_one(
    folder: Path, study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offers(**state: str) -> bool:
        options = opened(**state).sidebar.selectbox(key="data").options
        assert "Human study" in options
        return "Downloaded study" in options

    assert not offers()
    folder.mkdir()
    assert not offers()
    assert offers(data="release")  # chosen, so that pages say it is gone
    (folder / "human_study").mkdir()
    assert offers()
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = data_page("Human study").press("Show it on all pages")
    assert page.session_state["data_wanted"] == "release"
    assert "Show it on all pages" not in page.labels()


@pytest.mark.usefixtures("study")
def test_a_downloaded_study_has_the_figures_of_the_shipped_part_that_it_holds() -> None:
    released, shipped = (app_page("validity", data, tau=0.327) for data in ("release", "study"))
    assert "as downloaded" in released.said()
    assert not released.error
    pairs = zip(released.typed_tables(), shipped.typed_tables(), strict=True)
    assert all(one.equals(other) for one, other in pairs)
