"""A judge in a real browser: asked on Data about a run and on Score about a review."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from crscore_core.corpus.run.finished import FinishedRun
from playwright.sync_api import Page, expect

from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    FaultyServer,
    faulty,
    status,
)
from tests.crscore_core.metrics.judges.judged_run import run_of_two_systems, verdicts
from tests.pages.browser import DASHBOARD, downloaded, needs_chromium, serving, settled

pytestmark = needs_chromium

N_CHANGES = 8
KEY = "sk-not-to-be-seen"


def judging(exchange: Exchange) -> None:
    """Judge as `verdicts` does, but fail about one review."""
    broken = status(500, {"error": {"message": "out of memory"}})
    (broken if b"hasty 7:" in exchange.content else verdicts)(exchange)


@pytest.fixture
def judge() -> Iterator[FaultyServer]:
    with faulty() as server:
        server.otherwise = judging
        yield server


@pytest.fixture
def run(tmp_path: Path) -> FinishedRun:
    (tmp_path / "runs").mkdir()
    return run_of_two_systems(tmp_path / "runs" / "judged", N_CHANGES)


@pytest.fixture
def address(run: FinishedRun, tmp_path: Path) -> Iterator[str]:
    runs = str(run.folder.path.parent)
    cache = str(tmp_path)
    with serving(DASHBOARD, CRSCORE_RUNS=runs, XDG_CACHE_HOME=cache, NO_PROXY="127.0.0.1") as url:
        yield url


def name_server(page: Page, judge: FaultyServer) -> None:
    """Fill the fields of the server, each once the page is at rest."""
    for label, value in (("Model", "m"), ("Base URL", judge.base_url), ("API key", KEY)):
        field = page.get_by_label(label, exact=True).last
        field.fill(value)
        field.press("Enter")  # Tab from a key goes to its eye, which keeps nothing
        settled(page)


def test_a_run_is_judged_and_a_wrong_finding_is_found(
    page: Page, address: str, run: FinishedRun, judge: FaultyServer
) -> None:
    page.goto(f"{address}/data?data_section=Saved+runs&data_run=judged&data=run-judged")
    settled(page)
    page.get_by_text("Judge these reviews").click()
    name_server(page, judge)
    expect(page.get_by_text("Each diff with its reviews will be sent")).to_be_visible()
    page.get_by_role("button", name="Estimate").press("Enter")
    expect(page.get_by_text("18 reviews to judge: at least 16 calls with")).to_be_visible()
    assert judge.asked == 0
    page.get_by_role("button", name="Judge", exact=True).press("Enter")
    expect(page.get_by_text("18 reviews judged by 16 calls.")).to_be_visible()
    expect(page.get_by_text("3 reviews without a judgement, 1 of them as")).to_be_visible()
    judge.otherwise = verdicts
    page.get_by_role("button", name="Judge", exact=True).press("Enter")
    expect(page.get_by_text("1 review judged by 1 calls (17 are judged already)")).to_be_visible()
    page.get_by_role("link", name="Systems by the share of findings that are right").click()
    heading = "careful's findings are more often right than hasty's, says the judge"
    expect(page.get_by_role("heading", name=re.compile(heading, re.IGNORECASE))).to_be_visible()
    expect(page.get_by_text("not checked against people here").first).to_be_visible()
    page.get_by_text("Report and downloads").click()
    report = downloaded(page, "Download report").read_text(encoding="utf-8")
    assert "share of findings that are right, says the judge" in report
    assert "not checked against people here" in report
    assert "wrong: it is bare" in report
    page.get_by_text("Findings that a language model calls wrong: 8").click()
    page.get_by_role("link", name="Step through these reviews in the Heatmap").click()
    settled(page)
    page.get_by_role("button", name="Search and filter").click()
    order = page.get_by_role("combobox", name="Order")
    expect(order).to_have_value("most wrong findings first, says the judge")
    page.keyboard.press("Escape")
    row = page.get_by_role("row").filter(has_text="wrong: it is bare")
    expect(row).to_contain_text("✗ wrong")
    expect(row).to_contain_text("+    except:")
    page.goto(f"{address}/validity?data=run-judged")
    expect(
        page.get_by_text("not checked against people here until people have answered")
    ).to_be_visible()
    assert judge.received[0].key == f"Bearer {KEY}"
    for text in (
        report,
        *(file.read_text("utf-8", "replace") for file in run.folder.path.iterdir()),
    ):
        assert KEY not in text


def test_a_review_is_judged_beside_its_score(page: Page, address: str, judge: FaultyServer) -> None:
    page.goto(f"{address}/?view=own")
    settled(page)
    page.get_by_role("textbox", name="Diff", exact=True).fill(PYTHON)
    page.get_by_label("Review 1", exact=True).fill("careful: the except is bare")
    page.get_by_role("button", name=re.compile("^Score(?: Shortcut .*)?$")).click()
    asking = page.get_by_text("Ask a judge: is it right, is it worth saying?")
    expect(asking).to_be_visible()
    settled(page)
    asking.click()
    name_server(page, judge)
    for made in ("1 answer, 1 tokens in", "1 answer, all answers from the cache"):
        page.get_by_role("button", name="Ask", exact=True).press("Enter")
        expect(page.get_by_text(made)).to_be_visible()
        expect(page.get_by_text("right: it is bare")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="✓ right")).to_contain_text("+    except:")
    assert judge.asked == 1
