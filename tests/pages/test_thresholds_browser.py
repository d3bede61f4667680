"""The page Threshold in a real browser, with the sample data."""

from playwright.sync_api import Page, expect

from tests.pages.browser import needs_chromium

pytestmark = needs_chromium

WITHIN = 120_000


def test_a_preset_moves_the_figures_and_a_reload_keeps_them(page: Page, address: str) -> None:
    page.goto(f"{address}/thresholds?tau=0.6")
    figures = page.locator("table.typed-table caption", has_text="At tau")
    expect(figures).to_contain_text("At tau 0.600", timeout=WITHIN)
    expect(page.get_by_test_id("stPlotlyChart")).to_contain_text("Agreement with people")
    page.get_by_role("button", name="tau_best").click()
    expect(figures).to_contain_text("At tau 0.469", timeout=WITHIN)
    assert "tau=0.469" in page.url
    page.reload()
    expect(figures).to_contain_text("At tau 0.469", timeout=WITHIN)
    expect(page.get_by_role("slider")).to_have_value("0.469")
