"""Rankings and validity in a real browser."""

import csv
import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser import click_part, downloaded, needs_chromium, settled

pytestmark = needs_chromium


def test_a_cell_leads_to_its_review_and_this_to_the_heatmap(page: Page, address: str) -> None:
    page.goto(f"{address}/rankings?tau=0.5")
    table = page.get_by_test_id("stPlotlyChart")
    expect(table).to_be_visible()
    settled(page)
    click_part(table, table.locator(".scatterlayer .trace .points path.point").nth(7))
    expect(page).to_have_url(re.compile("review="))
    shown = page.get_by_text(re.compile("^Change .*Review .* by ")).inner_text()
    page.reload()
    expect(page.get_by_text(shown)).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Look at the similarities in the Heatmap").click()
    expect(page.get_by_role("heading", name="Heatmap", exact=True)).to_be_visible()
    expect(page.get_by_text(shown)).to_be_visible()
    expect(page.get_by_role("slider").first).to_have_value("0.5")


def test_the_first_screen_has_verdict_and_systems_and_a_narrow_one_people(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    systems = page.locator("table.typed-table").first
    for by in ("relevance", "no_threshold"):
        page.goto(f"{address}/rankings?by={by}")
        settled(page)
        verdict = page.get_by_role("heading", name="People rated GPT-3.5's reviews")
        expect(verdict).to_be_in_viewport(ratio=1)
        expect(systems.locator("tr").last).to_be_in_viewport(ratio=1)
        expect(systems.locator(".typed-mean").last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 800, "height": 1000})
    expect(systems.get_by_role("columnheader", name="reviews")).to_be_in_viewport(ratio=1)
    for drawn in systems.locator(".typed-mean").all():
        box = drawn.bounding_box()
        assert box is not None
        assert box["width"] > 90  # pixels
    needed, given = page.get_by_role("region", name="Systems by").evaluate(
        "one => [one.scrollWidth, one.clientWidth]"
    )
    assert needed <= given


def test_metrics_are_compared_and_a_review_is_chosen_sent_on_and_taken_along(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/compare?compare_metrics=Rel&compare_metrics=number+of+words")
    table = page.locator("table.typed-table", has_text="number of words (baseline)").first
    expect(table).to_be_visible()
    settled(page)
    wanted = page.get_by_role("textbox", name="Review by its id")
    frame = page.get_by_test_id("stDataFrame").first
    frame.scroll_into_view_if_needed()
    frame.click(position={"x": 150, "y": 35 + 1.5 * 35})
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    expect(wanted).not_to_have_value("")
    chosen = wanted.input_value()
    expect(page.get_by_text(f"Review {chosen}, change")).to_be_visible()
    settled(page)
    page.reload()
    expect(page.get_by_text(f"Review {chosen}, change")).to_be_visible()
    metrics = json.loads(downloaded(page, "Table as JSON").read_text(encoding="utf-8"))["metrics"]
    with downloaded(page, "Table as CSV").open(encoding="utf-8", newline="") as file:
        main = next(row for row in csv.DictReader(file) if row["metric"] == "rel")
    assert list(metrics) == ["rel", "words"]
    assert float(main["value"]) == metrics["rel"]["spearman"]


@pytest.mark.usefixtures("study_dir")
def test_parts_of_validity_are_chosen_outlive_a_reload_and_are_downloaded(
    page: Page, address: str
) -> None:
    def here() -> str:
        expect(page.get_by_role("heading", name="Agreement review by review").first).to_be_visible()
        settled(page)
        cell = page.get_by_role("cell", name="relevance: Spearman's rho", exact=True)
        return page.locator("tr", has=cell).first.locator("td").nth(2).inner_text()

    page.set_viewport_size({"width": 800, "height": 1000})
    page.goto(f"{address}/validity?data=study")
    before = here()
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(too_wide) <= 0
    page.get_by_role("button", name="tau_best").click()
    expect(page.get_by_role("heading", name="(the paper's at its tau_best)").first).to_be_visible()
    after = here()
    assert before != after
    page.get_by_role("radio", name="Similarities").click()
    page.get_by_text("Spread of similarities").click()
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(1)
    settled(page)
    tau = page.get_by_role("slider").input_value()
    for parameter in ("validity_part=Similarities", f"tau={tau}", "data=study"):
        assert parameter in page.url
    page.reload()
    expect(page.get_by_text("Spread of similarities")).to_be_visible()
    settled(page)
    page.get_by_role("radio", name="Agreement").click()
    assert here() == after
    with downloaded(page, "All tables as CSV").open(encoding="utf-8", newline="") as file:
        rows = {(row["table"], row["figure"]): row["here"] for row in csv.DictReader(file)}
    document = json.loads(downloaded(page, "All tables as JSON").read_text(encoding="utf-8"))
    value = float(rows["review_level", "relevance: Spearman's rho"])
    assert round(value, 3) == float(after)
    assert document["review_level"]["relevance"]["spearman"] == value
    tables = {table["table"]: len(table["figures"]) for table in document["tables"]}
    assert sum(tables.values()) == len(rows)
    assert {"claim_quality", "system_level", "metric_means", "no_threshold"} <= set(tables)
