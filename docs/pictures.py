"""Take the picture of the README, the first screen of an app: `python docs/pictures.py URL`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

README = Path(__file__).with_name("pictures") / "score.png"
_BROWSERS = ("chromium-headless-shell", "chromium")
_PATIENCE = 120_000  # milliseconds
_SETTLED = 3_000  # milliseconds; charts are drawn after the page has run


def main(url: str) -> None:
    """Save the picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, _BROWSERS)), None),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(_PATIENCE)
        page.goto(url)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_timeout(_SETTLED)
        # Parts of a page that are still loading have a skeleton.
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=_PATIENCE)
        page.wait_for_timeout(_SETTLED)
        page.screenshot(path=str(README))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
