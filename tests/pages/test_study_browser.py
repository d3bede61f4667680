"""The human study on the Data page in a real browser, downloading from a real server."""

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.crscore_core.datasets.file_server import (
    FileServer,
    broken_off,
    manifest_of,
    served,
    status,
)
from tests.pages.browser import needs_chromium, serving

pytestmark = needs_chromium

BLOCKED = "human_study/phase1/py_claim_acc_annot_marcus.csv"

# The app, but the study consists of what the server of a test has.
APP = """
import sys
from pathlib import Path
from crscore_core.datasets import fetch, manifest
small = manifest.read_manifest(Path(sys.argv[1]))
fetch.study_manifest = manifest.study_manifest = lambda: small
from streamlit.web.cli import main
port = sys.argv[sys.argv.index("--port") + 1]
sys.argv = [
    "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", port,
]
main()
"""


@pytest.fixture
def server(study_dir: Path) -> Iterator[FileServer]:
    contents = {
        path.relative_to(study_dir).as_posix(): path.read_bytes()
        for path in (study_dir / "human_study").rglob("*.*")
        if path.is_file() and "context_files" not in path.parts
    }
    with served(contents) as files:
        yield files


@pytest.fixture
def address(server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    manifest = manifest_of(server.contents)
    path = tmp_path / "manifest.json"
    files = {file.path: {"sha256": file.sha256, "bytes": file.size} for file in manifest.files}
    path.write_text(
        json.dumps(
            {
                "repository": manifest.repository,
                "commit": manifest.commit,
                "license": manifest.license,
                "files": files,
            }
        ),
        encoding="utf-8",
    )
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path / "study"))
    monkeypatch.setenv("CRSCORE_STUDY_SOURCE", server.address)
    with serving([sys.executable, "-c", APP, str(path), "--port", "PORT"]) as url:
        yield url


def test_download_look_elsewhere_stop_go_on_and_be_told_what_went_wrong(
    page: Page, address: str, server: FileServer, tmp_path: Path
) -> None:
    n_files = len(server.contents)
    go = threading.Event()
    server.plans[BLOCKED] = [broken_off(1, go)] * 10
    download = page.get_by_role("button", name="Download", exact=True)
    page.goto(address)
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("radio", name="Human study").click()
    expect(page.get_by_text("The study is not in this folder")).to_be_visible()
    download.click()
    all_others = f"{n_files - 1} of {n_files} files"
    expect(page.get_by_text(all_others)).to_be_visible()
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="What the numbers mean")).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_text(all_others)).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text(f"1 of {n_files} files of the study did not come")).to_be_visible()
    go.set()
    server.plans[BLOCKED] = [status(404)]
    download.click()
    expect(page.get_by_text("404 Not Found")).to_be_visible()
    expect(page.get_by_text("there is no such file")).to_be_visible()
    server.plans.clear()
    download.click()
    done = f"Files downloaded: 1, there already: {n_files - 1}."
    expect(page.get_by_text(done)).to_be_visible()
    expect(page.get_by_test_id("stMetric")).to_have_count(4)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    assert (tmp_path / "study" / BLOCKED).read_bytes() == server.contents[BLOCKED]
