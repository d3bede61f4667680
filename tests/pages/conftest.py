"""One browser and one served app for all tests of pages, and a page that is watched."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
import streamlit as st
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.store import RunStore
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.examples import load_samples
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from crscore_core.claims import Claim, ClaimKind, claim_generator
from crscore_core.scoring import CachedEncoder
from tests.pages.browser import CHROMIUM, DASHBOARD, serving
from tests.pages.payloads import PAYLOAD_GROUPS, PAYLOADS, diff_of
from tests.rated_samples import rated_samples

WITHIN = 90_000
"""Milliseconds that are waited for a condition: a busy machine takes long."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    """The folder in which pages keep runs."""
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path / "runs"))
    return RunStore()


@pytest.fixture
def study(study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the human study, which the app knows."""
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    return study_dir


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where anything is embedded."""
    st.cache_resource.clear()
    refusal = Mock(side_effect=AssertionError("nothing is to be embedded"))
    monkeypatch.setattr(CachedEncoder, "encode", refusal)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--host-resolver-rules=MAP rebound.example 127.0.0.1",
            ],
        )
        expect.set_options(timeout=WITHIN)
        yield browser
        expect.set_options(timeout=5_000)
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a session of its own, which opens no dialog and asks no other host."""
    dialogs: list[str] = []
    hosts: set[str | None] = set()

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    with browser.new_context(viewport={"width": 1400, "height": 1200}) as context:
        page = context.new_page()
        page.set_default_timeout(WITHIN)
        page.on("dialog", dismiss)
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        page.on("websocket", lambda socket: hosts.add(urlsplit(socket.url).hostname))
        yield page
    assert dialogs == []
    assert hosts <= {"127.0.0.1", None}  # None of data: and file:


@pytest.fixture(scope="package")
def hostile() -> Reviews:
    """Half of the hostile texts a change; each is a claim, a review, its system and its id."""
    changes = []
    for number, texts in enumerate(PAYLOAD_GROUPS):
        reviews = tuple(
            CorpusReview(text, text, text, Ratings(3, 3, 1 + 4 * (position % 2)))
            for position, text in enumerate(texts)
        )
        claims = tuple(Claim(text, ClaimKind.CLAIM, text, text, 1) for text in texts)
        name, diff = f"{number} {texts[0]}", diff_of(texts)
        changes.append(CorpusChange(name, "python", diff, reviews, texts[2], claims))
    return scored(Corpus("hostile", tuple(changes)))


@pytest.fixture(scope="package")
def samples() -> Reviews:
    """The samples in Python, with ratings that are made up, compared with symbolic claims."""
    python = [sample for sample in load_samples().values() if sample.language == "python"]
    return scored(rated_samples(python))


def scored(corpus: Corpus) -> Reviews:
    comparison = score_corpus(corpus, claim_generator("symbolic"), CachedEncoder())
    assert not comparison.left_out
    return comparison


@pytest.fixture(scope="package")
def served(
    study_dir: Path, tmp_path_factory: pytest.TempPathFactory, hostile: Reviews
) -> Iterator[tuple[str, str]]:
    """The address of the app, which knows the study, and the id of a saved run of hostile texts.

    Nobody does anything with it but in sessions of their own.
    """
    folder = tmp_path_factory.mktemp("runs")
    run_id = RunStore(folder).save(PAYLOADS[1], hostile).id
    with serving(DASHBOARD, CRSCORE_RUNS=str(folder), CRSCORE_STUDY=str(study_dir)) as url:
        yield url, run_id


@pytest.fixture(scope="package")
def address(served: tuple[str, str]) -> str:
    return served[0]


@pytest.fixture(scope="package")
def hostile_run(served: tuple[str, str]) -> str:
    return served[1]
