"""The page on validity in a real browser, on the human study."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser import DASHBOARD, needs_chromium, serving, settled

pytestmark = needs_chromium

SHOWN_WITHIN = 120_000


@pytest.fixture(scope="module")
def address(study_dir: Path) -> Iterator[str]:
    """The address of a freshly started app that knows the study."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CRSCORE_STUDY", str(study_dir))
        with serving(DASHBOARD) as url:
            yield url


def open_study(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Validity", exact=True).click()
    expect(page.get_by_role("heading", name="Validity", exact=True)).to_be_visible(
        timeout=SHOWN_WITHIN
    )
    page.goto(f"{address}/validity?data=study")
    shown(page, "Agreement review by review")


def shown(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=SHOWN_WITHIN)
    settled(page, SHOWN_WITHIN)


def cell(page: Page, figure: str, column: int) -> str:
    row = page.locator("tr", has=page.get_by_role("cell", name=figure, exact=True)).first
    return row.locator("td").nth(column).inner_text()


def download(page: Page, kind: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=f"All tables as {kind}").click()
    return Path(started.value.path()).read_text(encoding="utf-8")


def test_parts_and_tau_are_chosen_and_outlive_a_reload(page: Page, address: str) -> None:
    open_study(page, address)
    before = cell(page, "relevance spearman", 2)
    page.get_by_role("button", name="tau_best").click()
    expect(page.get_by_role("heading", name="(the paper's at its tau_best)").first).to_be_visible(
        timeout=SHOWN_WITHIN
    )
    after = cell(page, "relevance spearman", 2)
    assert before != after
    page.get_by_role("radio", name="Similarities").click()
    shown(page, "Against a normal distribution")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2)
    assert "validity_part=Similarities" in page.url
    assert "tau=" in page.url
    assert "data=study" in page.url
    page.reload()
    shown(page, "Against a normal distribution")
    page.get_by_role("radio", name="Agreement").click()
    shown(page, "Agreement review by review")
    assert cell(page, "relevance spearman", 2) == after


def test_all_tables_can_be_downloaded(page: Page, address: str) -> None:
    open_study(page, address)
    here = float(cell(page, "relevance spearman", 2))
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    document = json.loads(download(page, "JSON"))
    (row,) = [
        row
        for row in rows
        if (row["table"], row["figure"]) == ("review_level", "relevance spearman")
    ]
    assert round(float(row["here"]), 3) == here
    assert document["review_level"]["relevance"]["spearman"] == float(row["here"])
    tables = {table["table"]: len(table["figures"]) for table in document["tables"]}
    assert sum(tables.values()) == len(rows)
    assert {"claim_quality", "system_level", "metric_means", "specificity", "levels"} <= set(tables)


def test_a_narrow_page_is_no_wider_than_its_window(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 1000})
    open_study(page, address)
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(too_wide) <= 0
