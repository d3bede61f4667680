"""The app, served once for all that need no more of it, and a page of a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.pages.browser import CHROMIUM, DASHBOARD, serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the app, with which nobody did anything but in sessions of their own."""
    with serving(DASHBOARD) as url:
        yield url


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser.new_page(viewport={"width": 1400, "height": 1200})
        browser.close()
