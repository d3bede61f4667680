"""The page of failure cases in a real browser: what a person clicks, sends on and reloads."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.pages.browser import needs_chromium

pytestmark = needs_chromium

WITHIN = 90_000


@pytest.fixture
def failures(page: Page, address: str) -> Page:
    """The page on the sample data, ready."""
    page.goto(address)
    page.get_by_role("link", name="Failure cases").click()
    expect(shown_case(page)).to_be_visible(timeout=WITHIN)
    return page


def shown_case(page: Page) -> Locator:
    return page.get_by_text(re.compile(r"^Review .*, change .*, language "))


def case_id(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Review by its id")


def click_first_point(page: Page, kind: int) -> None:
    """Click a point of the chart: 1 for one underestimated, 2 for one overestimated."""
    place = page.evaluate(
        """kind => {
            const plot = document.querySelector('.js-plotly-plot');
            const trace = plot._fullData[0];
            const at = Array.from(trace.marker.color).indexOf(kind);
            const {xaxis, yaxis} = plot._fullLayout;
            const box = plot.getBoundingClientRect();
            return [
                box.left + xaxis._offset + xaxis.l2p(trace.x[at]),
                box.top + yaxis._offset + yaxis.l2p(trace.y[at]),
            ];
        }""",
        kind,
    )
    page.mouse.move(place[0] - 3, place[1])
    page.mouse.move(*place)
    expect(page.locator(".hoverlayer .hovertext")).to_have_count(1)
    page.mouse.click(*place)


def test_next_and_previous_are_in_the_url_and_survive_a_reload(failures: Page) -> None:
    failures.get_by_role("button", name="Next").click()
    expect(failures.get_by_text("2 of 12", exact=True)).to_be_visible(timeout=WITHIN)
    expect(failures).to_have_url(re.compile("case="))
    chosen = case_id(failures).input_value()
    assert chosen
    failures.reload()
    expect(case_id(failures)).to_have_value(chosen, timeout=WITHIN)
    expect(failures.get_by_text("2 of 12", exact=True)).to_be_visible(timeout=WITHIN)
    expect(shown_case(failures)).to_contain_text(chosen)
    previous = failures.get_by_role("button", name="Previous")
    previous.focus()
    failures.keyboard.press("Enter")
    expect(failures.get_by_text("1 of 12", exact=True)).to_be_visible(timeout=WITHIN)


def test_a_point_narrows_the_list_and_filters_are_cleared(failures: Page) -> None:
    expect(failures.locator(".js-plotly-plot .scatterlayer").first).to_be_visible(timeout=WITHIN)
    click_first_point(failures, 2)
    expect(failures.get_by_text("among the points chosen in the chart")).to_be_visible(
        timeout=WITHIN
    )
    expect(failures.get_by_text("1 of 1", exact=True)).to_be_visible(timeout=WITHIN)
    failures.get_by_role("button", name="Clear filters").click()
    expect(failures.get_by_text("1 of 12", exact=True)).to_be_visible(timeout=WITHIN)


def test_filters_are_in_the_url_and_survive_a_reload(failures: Page) -> None:
    search = failures.get_by_role("textbox", name="Text search")
    search.fill("the")
    search.press("Enter")
    expect(failures).to_have_url(re.compile("failures_text=the"), timeout=WITHIN)
    left = failures.get_by_text(re.compile(r"^\d+ of 120 reviews\.$"))
    expect(left).not_to_have_text("12 of 120 reviews.", timeout=WITHIN)
    words = left.inner_text()
    failures.reload()
    expect(search).to_have_value("the", timeout=WITHIN)
    expect(left).to_have_text(words, timeout=WITHIN)
    search.fill("no review says this")
    search.press("Enter")
    expect(failures.get_by_text("No review is like this.")).to_be_visible(timeout=WITHIN)
    failures.get_by_role("button", name="Show all reviews").click()
    expect(failures.get_by_text("120 of 120 reviews.")).to_be_visible(timeout=WITHIN)


def test_a_row_of_the_list_becomes_the_case(failures: Page) -> None:
    table = failures.get_by_test_id("stDataFrame")
    table.click(position={"x": 20, "y": 4.5 * 35})  # the box of the fourth row
    expect(failures.get_by_text("4 of 12", exact=True)).to_be_visible(timeout=WITHIN)
    assert case_id(failures).input_value() in shown_case(failures).inner_text()


def test_the_list_is_downloaded(failures: Page, tmp_path: Path) -> None:
    with failures.expect_download() as waited:
        failures.get_by_role("button", name="Download CSV").click()
    path = tmp_path / "cases.csv"
    waited.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert {row["failure"] for row in rows} == {"underestimated", "overestimated"}


def test_the_case_leads_to_the_heatmap_of_the_same_review(failures: Page) -> None:
    shown = shown_case(failures).inner_text()
    failures.get_by_role("link", name="Look at the similarities in the Heatmap").click()
    expect(failures.get_by_role("heading", name="Heatmap", exact=True)).to_be_visible(
        timeout=WITHIN
    )
    expect(failures).to_have_url(re.compile("review="), timeout=WITHIN)
    review = shown.removeprefix("Review ").split(", change ")[0]
    assert review.replace("/", "%2F") in failures.url or review in failures.url
