"""Take pictures of a running app: `python docs/pictures.py URL [FOLDER]`.

Without FOLDER, take the picture of the README: the first screen. With FOLDER, take every page in
both themes at both widths.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

PAGES = {
    "score": "",
    "own": "?view=own",
    "rate": "rate?rater=Ada",
    "heatmap": "heatmap",
    "failures": "failures",
    "rankings": "rankings",
    "thresholds": "thresholds",
    "validity": "validity",
    "data": "data",
    "guide": "guide",
}
WIDTHS = (1440, 800)
THEMES = ("light", "dark")
README = Path(__file__).with_name("pictures") / "score.png"
_BROWSERS = ("chromium-headless-shell", "chromium")
_PATIENCE = 120_000
_FIRST_HEIGHT, _MAX_HEIGHT = 1000, 12_000
_SETTLED = 1_500  # milliseconds; charts are drawn after the page has run


def main(url: str, folder: Path | None) -> None:
    """Save the pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, _BROWSERS)), None),
            args=["--no-sandbox", "--disable-gpu"],
        )
        if folder is None:
            page = browser.new_page(viewport={"width": WIDTHS[0], "height": _FIRST_HEIGHT})
            _open(page, url)
            page.screenshot(path=str(README), timeout=_PATIENCE)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            for theme in THEMES:
                page = browser.new_page(color_scheme="dark" if theme == "dark" else "light")
                for width in WIDTHS:
                    for name, address in PAGES.items():
                        file = folder / f"{name}-{theme}-{width}.png"
                        _take_whole(page, f"{url}/{address}", width, file)
                page.close()
        browser.close()


def _take_whole(page: Page, address: str, width: int, file: Path) -> None:
    """Take a picture of a page in its full height."""
    page.set_viewport_size({"width": width, "height": _FIRST_HEIGHT})
    _open(page, address)
    height = page.get_by_test_id("stMain").evaluate("element => element.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(height, _MAX_HEIGHT)})
    _wait(page)
    page.screenshot(path=str(file), timeout=_PATIENCE)


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for(timeout=_PATIENCE)
    _wait(page)
    if "rater=" in address:
        page.get_by_role("button", name="Rate a copy").click()
        page.get_by_text("Conciseness").first.wait_for(timeout=_PATIENCE)
        _wait(page)


def _wait(page: Page) -> None:
    page.wait_for_timeout(_SETTLED)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        timeout=_PATIENCE
    )
    # Parts of a page that are still loading have a skeleton.
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=_PATIENCE)
    page.wait_for_timeout(_SETTLED)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None)
