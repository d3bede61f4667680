"""Take the README's picture of the Score page: run the app, then `python docs/picture.py URL`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

EXAMPLE = "python/retry-backoff"
WIDTH, HEIGHT = 1300, 1640


def main(url: str) -> None:
    """Score an example, scroll to the scores and save what a person sees."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{url}/?example={EXAMPLE}")
        page.get_by_role("button", name="Score", exact=True).click()
        page.get_by_test_id("stPlotlyChart").wait_for(timeout=90_000)
        # the third review has hits and misses
        detail = page.get_by_role("combobox", name="Review in detail")
        detail.click()
        page.wait_for_timeout(500)
        for key in ("ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        page.wait_for_timeout(1500)
        page.get_by_text("Similarity threshold tau").first.evaluate(
            "element => element.scrollIntoView()"
        )
        page.wait_for_timeout(1500)
        page.screenshot(path=str(Path(__file__).with_name("score-page.png")))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
