"""The heatmap page in a real browser: cells are clicked at, moved over by keys, and taken along."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.pages.browser import click_part, needs_chromium, opened_list, settled

WITHIN = 90_000
ONE, ALL = "review=python/retry-backoff/Atlas-Large", "change=python/retry-backoff"

pytestmark = needs_chromium


def show(page: Page, address: str, parameters: str) -> Locator:
    """Open the page and return the heatmap."""
    page.goto(address)
    expect(page.get_by_role("link", name="Heatmap", exact=True)).to_be_visible(timeout=WITHIN)
    page.goto(f"{address}/heatmap?data=sample&{parameters}")
    heatmap = page.get_by_test_id("stPlotlyChart").filter(has=page.locator(".heatmaplayer image"))
    expect(heatmap).to_have_count(1, timeout=WITHIN)
    settled(page, WITHIN)
    return heatmap


def click_cell(page: Page, heatmap: Locator, row: int, column: int) -> None:
    """Click at the middle of a cell, where Plotly has drawn its point."""
    settled(page, WITHIN)
    points = heatmap.locator(".scatterlayer .point")
    expect(points.first).to_be_attached(timeout=WITHIN)
    n_rows = heatmap.locator("g.ytick").count() - 1  # without that of the best
    point = points.nth(row * (points.count() // n_rows) + column)
    point.scroll_into_view_if_needed()
    click_part(heatmap, point)


def pair(page: Page) -> Locator:
    return page.get_by_text(re.compile(r"^P\d+ and S\d+: cosine"))


def test_a_clicked_cell_shows_its_words_and_survives_a_reload(page: Page, address: str) -> None:
    heatmap = show(page, address, ONE)
    click_cell(page, heatmap, 1, 0)
    expect(pair(page)).to_contain_text("P2 and S1: cosine", timeout=WITHIN)
    expect(page).to_have_url(re.compile("cell=2-1"))
    expect(page.locator(".typed-word").first).to_be_visible(timeout=WITHIN)
    shown = pair(page).inner_text()
    page.reload()
    expect(pair(page)).to_have_text(shown, timeout=WITHIN)
    settled(page, WITHIN)
    click_cell(page, heatmap, 0, 0)
    expect(pair(page)).to_contain_text("P1 and S1: cosine", timeout=WITHIN)
    page.get_by_role("button", name="Close").click()
    expect(pair(page)).to_have_count(0, timeout=WITHIN)
    expect(page).not_to_have_url(re.compile("cell="))
    click_cell(page, heatmap, 0, 0)
    expect(pair(page)).to_contain_text("P1 and S1: cosine", timeout=WITHIN)


def click_last_column(grid: Locator) -> None:
    """Click the first cell of the last column, once the table stands still."""
    expect(grid).to_be_visible()
    box = grid.bounding_box()
    assert box is not None
    grid.click(position={"x": box["width"] - 30, "y": 52})


def test_arrow_keys_choose_a_pair(page: Page, address: str) -> None:
    heatmap = show(page, address, ONE)
    page.get_by_text("The same as a table").click()
    grid = page.get_by_test_id("stDataFrame").first
    click_last_column(grid)
    expect(pair(page)).to_contain_text("P1 and S", timeout=WITHIN)
    first = pair(page).inner_text()
    page.keyboard.press("ArrowDown")
    expect(pair(page)).to_contain_text("P2 and S", timeout=WITHIN)
    settled(page, WITHIN)
    click_cell(page, heatmap, 2, 0)
    expect(pair(page)).to_contain_text("P3 and S1", timeout=WITHIN)
    # What the table had is chosen again, though it was chosen before.
    settled(page, WITHIN)
    click_last_column(grid)
    expect(pair(page)).to_have_text(first, timeout=WITHIN)


@pytest.mark.parametrize(("kind", "start"), [("SVG", b"<svg"), ("PNG", b"\x89PNG")])
def test_the_tool_bar_downloads_a_picture(
    page: Page, address: str, kind: str, start: bytes
) -> None:
    heatmap = show(page, address, ONE)
    page.get_by_test_id("stButtonGroup").get_by_text(kind, exact=True).click()
    if kind == "PNG":
        expect(page).to_have_url(re.compile("heatmap_picture=PNG"), timeout=WITHIN)
    # The address has it before the chart does.
    page.wait_for_function(
        "kind => document.querySelector('.js-plotly-plot')"
        "?._context?.toImageButtonOptions?.format === kind",
        arg=kind.lower(),
        timeout=WITHIN,
    )
    expect(heatmap).to_have_count(1, timeout=WITHIN)  # the one before goes a little later
    heatmap.hover()
    with page.expect_download(timeout=WITHIN) as started:
        heatmap.locator('[data-title^="Download plot"]').click()
    assert started.value.suggested_filename.endswith(kind.lower())
    assert Path(started.value.path()).read_bytes().startswith(start)


def test_the_matrix_and_a_page_of_the_figure_are_files(
    page: Page, address: str, tmp_path: Path
) -> None:
    show(page, address, ALL)
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV", exact=True).click()
    content = Path(started.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(content)))
    assert len({row["system"] for row in rows}) == 5
    assert all(-1 <= float(row["cosine"]) <= 1 for row in rows)
    with page.expect_download(timeout=WITHIN) as started:
        page.get_by_role("button", name="HTML", exact=True).click()
    file = tmp_path / "heatmap.html"
    started.value.save_as(file)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator(".heatmaplayer image").first).to_be_attached(timeout=WITHIN)
    assert {url for url in asked if not url.startswith(("file:", "data:", "blob:"))} == set()


def test_a_review_is_chosen_and_the_address_restores_it(page: Page, address: str) -> None:
    show(page, address, ALL)
    expect(page.get_by_test_id("stMetric")).to_have_count(0)
    opened_list(page, "Review").nth(2).click()
    expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=WITHIN)
    expect(page).to_have_url(re.compile("review="))
    settled(page, WITHIN)
    page.get_by_role("slider").press("ArrowRight")
    expect(page).to_have_url(re.compile("tau=0.328"), timeout=WITHIN)
    settled(page, WITHIN)
    metrics = page.get_by_test_id("stMetricValue").all_inner_texts()
    page.goto(page.url)
    expect(page.get_by_test_id("stMetricValue")).to_have_text(metrics, timeout=WITHIN)
    expect(page.get_by_role("slider")).to_have_value("0.328")
    page.get_by_role("link", name="Rankings").click()
    expect(page.get_by_role("heading", name="Rankings")).to_be_visible(timeout=WITHIN)
    page.get_by_role("link", name="Heatmap", exact=True).click()
    expect(page.get_by_test_id("stMetricValue")).to_have_text(metrics, timeout=WITHIN)
    expect(page).to_have_url(re.compile("review="))
