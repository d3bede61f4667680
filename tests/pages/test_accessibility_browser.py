"""Automated rules of accessibility on every page, in both themes, by axe-core."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.crscore_core.changes import PYTHON
from tests.pages.browser import needs_chromium, settled

FORM = "?view=own"
VALIDITY_PART = "validity?validity_part=Reviews"
PAGES = (
    "", FORM, "rate", "heatmap", "failures", "rankings", "thresholds", "validity", VALIDITY_PART,
    "data", "guide",
)  # fmt: skip
STREAMLIT = (
    ("list", "stSidebarNavItems"),  # sections of the navigation are wrapped in <div>
    ("listitem", '<li class="st-emotion-cache'),  # the same, seen from its pages
    ("color-contrast", "<kbd"),  # the shortcut on a button is half transparent
    ("color-contrast", 'data-selected="true"'),  # primary colour on a tint of itself
)
"""Rules, and marks of the elements that break them: Streamlit's own, which no theme mends."""


@needs_chromium
@pytest.mark.parametrize(
    ("pages", "theme"),
    [
        (("", FORM), "dark"),
        pytest.param(PAGES, "dark", marks=pytest.mark.long),
        pytest.param(PAGES, "light", marks=pytest.mark.long),
    ],
)
def test_no_page_has_a_finding_that_matters(
    page: Page, address: str, pages: tuple[str, ...], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for name in pages:
        page.goto(f"{address}/{name}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settled(page)
        if name == FORM:
            page.get_by_role("textbox", name="Diff", exact=True).fill(PYTHON)
            page.get_by_label("Review 1", exact=True).fill("Why is an empty list returned?")
            page.keyboard.press("Control+Enter")
        if name in {"", FORM}:
            expect(page.get_by_text("About the change: ")).to_be_visible()
            settled(page)
        found = [
            (rule["id"], node["html"], node["target"])
            for rule in Axe().run(page).response["violations"]
            if rule["impact"] in {"moderate", "serious", "critical"}
            for node in rule["nodes"]
            if not any(
                rule["id"] == known and re.search(mark, f"{node['html']} {node['target']}")
                for known, mark in STREAMLIT
            )
        ]
        assert found == [], name or "score"
