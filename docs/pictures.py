"""Take a picture of every page, from the app as it runs: `python docs/pictures.py URL [FOLDER]`.

Without FOLDER those that the README shows, else all pages in both themes at both widths. The app
shows its sample data in them.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PAGES = {
    "score": "?example=python/retry-backoff",
    "rate": "rate?data=sample&rater=Ada",
    "heatmap": "heatmap?data=sample&review=python/retry-backoff/Atlas-Large",
    "failures": "failures?data=sample",
    "rankings": "rankings?data=sample",
    "thresholds": "thresholds?data=sample",
    "validity": "validity?data=sample",
    "compare": "compare?data=sample",
    "data": "data?data=sample",
    "guide": "guide",
}
WIDTHS = (1440, 800)
THEMES = ("light", "dark")
IN_README = Path(__file__).with_name("pictures")
_PATIENCE = 120_000
_FIRST_HEIGHT, _MOST_HEIGHT, _README_HEIGHT = 1200, 12_000, 1500
_SETTLED = 1_500  # milliseconds: charts are drawn after the page has run


def main(url: str, folder: Path | None) -> None:
    """Save the pictures."""
    target = folder or IN_README
    target.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for theme in THEMES if folder else THEMES[:1]:
            for width in WIDTHS if folder else WIDTHS[:1]:
                page = browser.new_page(color_scheme="dark" if theme == "dark" else "light")
                for name, address in PAGES.items():
                    page.set_viewport_size({"width": width, "height": _FIRST_HEIGHT})
                    _open(page, f"{url}/{address}")
                    most = _MOST_HEIGHT if folder else _README_HEIGHT
                    height = page.get_by_test_id("stMain").evaluate("one => one.scrollHeight")
                    page.set_viewport_size({"width": width, "height": min(height, most)})
                    _wait(page)
                    file = f"{name}-{theme}-{width}.png" if folder else f"{name}.png"
                    page.screenshot(path=str(target / file))
                page.close()
        browser.close()


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for(timeout=_PATIENCE)
    _wait(page)
    if "example=" in address:
        page.keyboard.press("Control+Enter")
        page.get_by_test_id("stMetric").first.wait_for(timeout=_PATIENCE)
        _wait(page)
    if "rater=" in address:
        page.get_by_role("button", name="Save as a run and rate it").click()
        page.get_by_text("Conciseness").first.wait_for(timeout=_PATIENCE)
        _wait(page)


def _wait(page: Page) -> None:
    page.wait_for_timeout(_SETTLED)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        timeout=_PATIENCE
    )
    page.wait_for_timeout(_SETTLED)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None)
