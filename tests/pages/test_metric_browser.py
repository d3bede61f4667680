"""Rankings and validity in a real browser."""

import csv
import json
import re

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
    settled(page)  # the address changes before the text does
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


def test_validity_answers_on_the_first_screen_and_its_choices_outlive_a_reload(
    page: Page, address: str
) -> None:
    def here() -> str:
        settled(page)
        cell = page.get_by_role("cell", name="Rel", exact=True)
        return page.locator("tr", has=cell).first.locator("td").nth(2).inner_text()

    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(f"{address}/validity?data=study")
    table, chart = page.locator("table.typed-table").first, page.get_by_test_id("stPlotlyChart")
    expect(page.get_by_test_id("stMetric")).to_have_count(3)
    for part in (page.get_by_test_id("stMetric").last, table.locator("tr").last, chart.first):
        expect(part).to_be_in_viewport(ratio=1)
    before = here()
    page.get_by_role("combobox", name="Metrics that need a reference").fill("exact")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("exact match:.* the same for every review"))).to_be_visible()
    page.keyboard.press("Escape")  # an open list hides the rest from assistive technology
    page.get_by_role("button", name="tau_best").click()
    expect(page.get_by_text("paper at tau_best 0.543")).to_be_visible()
    after = here()
    assert before != after
    # The server writes tau into the address, and would overwrite a choice made before.
    expect(page).to_have_url(re.compile("tau="))
    page.get_by_role("radio", name="Reviews", exact=True).click()
    expect(chart).to_have_count(2)
    settled(page)
    tau = page.get_by_role("slider").input_value()
    for parameter in (
        "validity_part=Reviews", "validity_metrics=exact", f"tau={tau}", "data=study",
    ):  # fmt: skip
        expect(page).to_have_url(re.compile(re.escape(parameter)))  # written after the page
    page.set_viewport_size({"width": 800, "height": 1000})
    page.reload()
    expect(chart).to_have_count(2)
    assert here() == after
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(too_wide) <= 0
    page.get_by_text("Other statistics, languages, files").click()
    metrics = json.loads(downloaded(page, "Metrics as JSON").read_text(encoding="utf-8"))
    with downloaded(page, "Metrics as CSV").open(encoding="utf-8", newline="") as file:
        main = next(row for row in csv.DictReader(file) if row["metric"] == "rel")
    assert float(main["value"]) == metrics["metrics"]["rel"]["spearman"]
    assert after.startswith(f"{float(main['value']):.3f} (")
    with downloaded(page, "All tables as CSV").open(encoding="utf-8", newline="") as file:
        rows = {(row["table"], row["figure"]): row["here"] for row in csv.DictReader(file)}
    document = json.loads(downloaded(page, "All tables as JSON").read_text(encoding="utf-8"))
    value = float(rows["review_level", "relevance: Spearman's rho"])
    assert document["review_level"]["relevance"]["spearman"] == value
    tables = {table["table"]: len(table["figures"]) for table in document["tables"]}
    assert sum(tables.values()) == len(rows)
    assert {"claim_quality", "system_level", "metric_means", "no_threshold"} <= set(tables)
