"""A browser, and the app served as a user would serve it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), None)
STARTS_WITHIN = 240
DASHBOARD = (
    str(Path(sys.executable).with_name("crscore")), "dashboard", "--port", "PORT", "--no-browser",
)  # fmt: skip

WITHIN = 120_000
"""Milliseconds to wait for a condition: a busy machine is slow."""

_MAX_TABS = 150
_TRIES = 10
_TRY_WITHIN = 15_000  # milliseconds

_STILL = """new MutationObserver((_, observer) => {
    if (!document.head) return;
    observer.disconnect();
    const style = document.createElement('style');
    style.textContent = '*, ::before, ::after { animation: none !important }';
    style.textContent += '*, ::before, ::after { transition: none !important }';
    document.head.append(style);
}).observe(document, { childList: true, subtree: true })"""
"""Stops animations, because each frame is expensive without a graphics card."""

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="no Chromium on this machine; install the package chromium to run these tests",
)


def still_context(browser: Browser) -> BrowserContext:
    """A new context without animations, with a timeout that suits a busy machine."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(WITHIN)
    context.add_init_script(_STILL)
    return context


def settled(page: Page) -> None:
    """Wait until the script of the page has run."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def follow(page: Page, title: str) -> None:
    """Go to the page with this title by its sidebar link, which does not reload scripts."""
    expand = page.get_by_test_id("stExpandSidebarButton")
    if expand.is_visible():
        expand.click()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("heading", name=title, level=1, exact=True)).to_be_visible()
    settled(page)


def choose(page: Page, label: str, text: str) -> None:
    """Choose the first option with this text from the list of a field.

    A list closes if the page moves below it; it is then opened again.
    """
    field = page.get_by_role("combobox", name=label, exact=True)
    option = page.get_by_role("option").filter(has_text=text).first
    for _ in range(_TRIES):
        settled(page)
        field.scroll_into_view_if_needed()
        if field.get_attribute("aria-expanded") != "true":
            field.click()
        with suppress(Error, AssertionError):
            name = option.inner_text(timeout=_TRY_WITHIN)
            option.click(timeout=_TRY_WITHIN)
            expect(field).to_have_value(name, timeout=_TRY_WITHIN)
            return
    raise AssertionError(f"no option {text!r} of {label!r} can be chosen")


def tab_to(page: Page, element: Locator) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(_MAX_TABS):
        page.keyboard.press("Tab")
        if element.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"{element} has no focus")


def click_part(whole: Locator, part: Locator) -> None:
    """Click the middle of a chart's part, even if another covers it, once it stands still."""
    outer, inner = whole.bounding_box(), part.bounding_box()
    assert outer is not None
    assert inner is not None
    x = inner["x"] + inner["width"] / 2 - outer["x"]
    y = inner["y"] + inner["height"] / 2 - outer["y"]
    whole.click(position={"x": x, "y": y})


@contextmanager
def serving(command: Sequence[str], folder: Path = ROOT, **variables: str) -> Iterator[str]:
    """The address of an app that `command` starts in a folder; `PORT` becomes a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [port if word == "PORT" else word for word in command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    server = subprocess.Popen(words, cwd=folder, env=environment, start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(url, server)
        yield url
    finally:
        os.killpg(server.pid, 15)
        server.wait(timeout=STARTS_WITHIN)


def wait_until_healthy(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and server.poll() is None:
        with suppress(OSError), urlopen(f"{url}/_stcore/health", timeout=5):  # noqa: S310
            return
        time.sleep(0.2)
    raise RuntimeError("the app did not start")
