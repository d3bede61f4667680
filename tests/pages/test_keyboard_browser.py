"""The app without a mouse: paste, score, move tau, walk the matrix, page through cases."""

import re

from playwright.sync_api import Page, expect

from tests.crscore_core.changes import PYTHON
from tests.pages.browser import needs_chromium, settled

pytestmark = needs_chromium

MOST_TABS = 150
FOCUSED = """() => {
    const at = document.activeElement;
    const labels = [...(at.labels ?? [])].map(one => one.innerText).join(' ');
    return [at.tagName, at.getAttribute('role') ?? '', at.getAttribute('aria-label') ?? '',
        labels, at.innerText ?? ''].join('|');
}"""


def is_open(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)


def tab_to(page: Page, pattern: str) -> None:
    """Press Tab until what has the focus is told by `pattern`."""
    seen = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if re.search(pattern, focused, re.DOTALL):
            return
        seen.append(focused[:60])
    raise AssertionError(f"no {pattern!r} among {seen}")


def test_paste_score_and_move_tau(page: Page, address: str) -> None:
    is_open(page, address)
    tab_to(page, r"TEXTAREA\|.*Diff")
    page.keyboard.insert_text(PYTHON)
    tab_to(page, r"TEXTAREA\|.*Review 1")
    page.keyboard.insert_text("The bare except hides every error. Thanks!")
    expect(page.get_by_text("Press Score")).to_be_visible()  # the server has the diff
    settled(page)
    tab_to(page, r"^BUTTON.*\nScore$")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMetric")).to_have_count(4)
    settled(page)
    tab_to(page, r"^INPUT.*Similarity threshold tau")
    page.keyboard.press("End")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("0.000")
    assert "tau=1" in page.url


def test_walk_the_matrix(page: Page, address: str) -> None:
    is_open(page, f"{address}/heatmap?data=sample")
    tab_to(page, r"^SUMMARY.*same as a table")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    tab_to(page, r"^CANVAS|^[A-Z]+\|grid\|")
    for key in (*["ArrowRight"] * 4, "ArrowDown"):  # past the names of rows, to the sentences
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile("cell="))
    expect(page.locator(".typed-word").first).to_be_visible()


def test_page_through_failure_cases(page: Page, address: str) -> None:
    is_open(page, f"{address}/failures?data=sample")
    tab_to(page, r"^BUTTON.*\nNext$")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    expect(page).to_have_url(re.compile("case="))
    first = page.url
    settled(page)
    tab_to(page, r"^BUTTON.*\n(Next|Previous)$")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(first)
