"""Print how long people wait who use one app at once.

`python -m benchmarks.load [--sessions N] [--moves N]`: each session is a tab of a real browser that
opens the Heatmap of the shipped study, and moves tau with the keyboard, thinking in between. All
tabs share the processors with the server, so times are an upper bound. Needs Chromium.
"""

import argparse
import asyncio
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from urllib.request import urlopen

from playwright.async_api import Browser, Page, async_playwright, expect

from benchmarks.measuring import COMMAND, machine, print_table

_PATIENCE = 300
_THINKING = 2.0

Waits = dict[str, list[float]]
"""Seconds of each thing that was waited for."""


async def visit(browser: Browser, address: str, moves: int) -> Waits:
    """Open the page, then move tau."""
    page = await (await browser.new_context()).new_page()
    start = time.perf_counter()
    await page.goto(f"{address}/heatmap?data=study", timeout=1000 * _PATIENCE)
    slider = page.get_by_role("slider", name="Similarity threshold tau")
    await expect(slider).to_be_visible(timeout=1000 * _PATIENCE)
    await _settled(page)
    opened, moved = time.perf_counter() - start, []
    for _ in range(moves):
        await asyncio.sleep(random.uniform(0, 2 * _THINKING))  # noqa: S311 - no secret
        before = page.url
        start = time.perf_counter()
        await slider.press("ArrowRight")
        await page.wait_for_function("url => location.href !== url", arg=before)
        await _settled(page)
        moved.append(time.perf_counter() - start)
    return {"page opens": [opened], "tau moves": moved}


async def visit_together(address: str, sessions: int, moves: int) -> Waits:
    """Open as many sessions at once, and return what all of them waited for."""
    async with async_playwright() as playwright:
        found = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        visits = [visit(browser, address, moves) for _ in range(sessions)]
        waits = await asyncio.gather(*visits)
        await browser.close()
    return {name: [wait for of in waits for wait in of[name]] for name in waits[0]}


async def _settled(page: Page) -> None:
    app = page.get_by_test_id("stApp")
    await expect(app).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=1000 * _PATIENCE
    )


def main() -> None:
    """Start an app, visit it, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--moves", type=int, default=5)
    chosen = parser.parse_args()
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(  # noqa: S603 - our own words
            [*COMMAND, "dashboard", "--no-browser", "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "CRSCORE_RUNS": folder},
        )
        try:
            _wait_for(f"{address}/_stcore/health")
            asyncio.run(visit_together(address, 1, 1))  # loads what all sessions share
            waits = asyncio.run(visit_together(address, chosen.sessions, chosen.moves))
        finally:
            server.terminate()
            server.wait()
    print(machine())
    rows = []
    for name, times in waits.items():
        worst = statistics.quantiles(times, n=20)[-1]
        rows.append((name, f"{statistics.median(times):.2f}", f"{worst:.2f}", f"{max(times):.2f}"))
    head = ("seconds until", "median", "95th percentile", "most")
    print_table(f"{chosen.sessions} sessions at once", head, rows)


def _wait_for(url: str) -> None:
    for _ in range(_PATIENCE):
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(1)
    sys.exit("the app did not start")


if __name__ == "__main__":
    main()
