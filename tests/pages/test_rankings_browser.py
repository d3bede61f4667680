"""The page Rankings in a real browser, with the sample data."""

from playwright.sync_api import Locator, Page, expect

from tests.pages.browser import click_part, needs_chromium, opened_list, settled

pytestmark = needs_chromium

WITHIN = 120_000


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2, timeout=WITHIN)
    settled(page, WITHIN)
    return page


def system(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Reviews of")


def click_point(page: Page, line: int) -> None:
    """Click the first point of the line that is drawn as number `line`, from 0."""
    chart = page.get_by_test_id("stPlotlyChart").first
    points = chart.locator(".scatterlayer .trace .points")
    lines = points.filter(has=page.locator("path.point"))
    wanted = lines.nth(line + 1).locator("path.point").first  # after those between
    expect(wanted).to_be_visible(timeout=WITHIN)
    click_part(chart, wanted)


def test_a_click_on_a_point_lists_its_reviews_and_a_reload_keeps_them(
    page: Page, address: str
) -> None:
    opened(page, f"{address}/rankings")
    expect(system(page)).to_have_value("")
    click_point(page, 0)
    table = page.locator("table.typed-table", has_text="reviews of")
    expect(table).to_be_visible(timeout=WITHIN)
    expect(system(page)).not_to_have_value("")
    chosen = system(page).input_value()
    expect(table.locator("caption")).to_contain_text(f"reviews of {chosen}")
    assert "rankings_system=" in page.url
    page.reload()
    expect(table.locator("caption")).to_contain_text(f"reviews of {chosen}", timeout=WITHIN)
    settled(page, WITHIN)
    click_point(page, 2)
    expect(system(page)).not_to_have_value(chosen, timeout=WITHIN)


def test_the_table_chooses_with_the_keyboard(page: Page, address: str) -> None:
    opened(page, f"{address}/rankings")
    frame = page.get_by_test_id("stDataFrame").first
    frame.click(position={"x": 150, "y": 35 + 0.5 * 35})
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    expect(system(page)).not_to_have_value("", timeout=WITHIN)
    expect(page.locator("table.typed-table", has_text="reviews of")).to_be_visible(timeout=WITHIN)


def test_metrics_language_and_tau_stay_in_the_address(page: Page, address: str) -> None:
    opened(page, f"{address}/rankings?rankings_metrics=Con&rankings_language=java&tau=0.5")
    chart = page.get_by_test_id("stPlotlyChart").first
    expect(chart).to_contain_text("Con")
    expect(chart).not_to_contain_text("people")
    expect(page.get_by_role("combobox", name="Language")).to_have_value("java")
    expect(page.get_by_role("slider")).to_have_value("0.5")


def test_a_review_is_found_again_in_the_heatmap(page: Page, address: str) -> None:
    opened(page, f"{address}/rankings?tau=0.5")
    click_point(page, 1)
    expect(system(page)).not_to_have_value("", timeout=WITHIN)
    settled(page, WITHIN)
    opened_list(page, "Look at one review closely").first.click()
    link = page.get_by_role("link", name="in the Heatmap")
    expect(link).to_be_visible(timeout=WITHIN)
    link.click()
    expect(page.get_by_role("heading", name="Heatmap", exact=True)).to_be_visible(timeout=WITHIN)
    assert "review=" in page.url
    expect(page.get_by_role("slider").first).to_have_value("0.5", timeout=WITHIN)
