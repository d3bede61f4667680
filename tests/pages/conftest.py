"""Runs, pages without a browser, one browser and one served app for all tests of pages."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import pandas as pd
import pytest
import streamlit as st
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect, sync_playwright

from crscore_core import CRScorer
from crscore_core.scoring.pooled_encoder import PooledEncoder
from crscore_eval.run.parts import score_table
from tests.pages.app_page import AppPage, open_form
from tests.pages.browser import CHROMIUM, DASHBOARD, WITHIN, serving, still_context
from tests.pages.payloads import PAYLOAD_GROUPS, PAYLOADS, diff_of
from tests.pages.runs import small_run, write_run


@pytest.fixture(autouse=True)
def cookies() -> Iterator[dict[str, str]]:
    """The cookies that pages receive, none at first."""
    received: dict[str, str] = {}
    with patch("streamlit.runtime.context.ContextProxy.cookies", received):
        yield received
    os.environ.pop("CRSCORE_RUN", None)  # undo what `opened` sets


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's runs, empty at first."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "crscore" / "runs"


@pytest.fixture
def no_encoder() -> Iterator[None]:
    """Fail if anything is embedded."""
    st.cache_resource.clear()
    with patch.object(PooledEncoder, "encode", side_effect=AssertionError("it embeds a text")):
        yield


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with ratings."""
    return write_run(tmp_path_factory.mktemp("rated") / "run", small_run())


@pytest.fixture
def form() -> AppPage:
    """The Score page, open at the form."""
    return open_form()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options.append("--js-flags=--no-turbofan --no-maglev")  # too slow for short visits
    options.append("--host-resolver-rules=MAP rebound.example 127.0.0.1")
    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        browser = launch(executable_path=CHROMIUM, timeout=WITHIN, args=options)
        expect.set_options(timeout=WITHIN)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One cache for all pages: the app's scripts are read and compiled once."""
    with still_context(browser) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A new page; the test fails if it opens a dialog or contacts another host."""
    dialogs: list[str] = []
    hosts: set[str | None] = set()

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    with context.new_page() as page:
        page.set_viewport_size({"width": 1400, "height": 1200})
        page.on("dialog", dismiss)
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        page.on("websocket", lambda socket: hosts.add(urlsplit(socket.url).hostname))
        yield page
    assert dialogs == []
    assert hosts <= {"127.0.0.1", None}  # None of data: and file:


@pytest.fixture(scope="package")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of hostile texts, with half of the texts in each change.

    Each text is a claim, a review, its system and its id.
    """
    reviews, changes = [], []
    for number, texts in enumerate(PAYLOAD_GROUPS):
        change = f"{number} {texts[0]}"
        claims = json.dumps([{"text": text, "path": text, "line": 1} for text in texts])
        changes.append(
            {"change": change, "title": texts[2], "language": "python",
             "diff": diff_of(texts), "claims": claims}
        )  # fmt: skip
        reviews += [
            {"id": text, "change": change, "system": text, "review": text, "language": "python",
             "human_relevance": 1.0 + 4 * (position % 2)}
            for position, text in enumerate(texts)
        ]  # fmt: skip
    scorer = CRScorer(claims=None, tau=0.5)
    run = score_table(pd.DataFrame(reviews), pd.DataFrame(changes), scorer=scorer, name=PAYLOADS[1])
    return write_run(tmp_path_factory.mktemp("runs") / "hostile", run)


@pytest.fixture(scope="package")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the user's data, with a run `small` that has ratings and one without."""
    folder = tmp_path_factory.mktemp("data")
    write_run(folder / "crscore" / "runs" / "small", small_run())
    write_run(folder / "crscore" / "runs" / "unrated", small_run(is_rated=False))
    return folder


@pytest.fixture(scope="package")
def address(hostile_run: Path, data: Path) -> Iterator[str]:
    """The address of the app, which shows the run of hostile texts unless the URL names another."""
    with serving(DASHBOARD, CRSCORE_RUN=str(hostile_run), XDG_DATA_HOME=str(data)) as url:
        yield url
