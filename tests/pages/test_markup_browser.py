"""Hostile texts through everything that shows people's text, in a real browser."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from crscore_core.text import unseen_as_codes
from tests.pages.browser import CHROMIUM, ROOT, needs_chromium, wait_until_healthy
from tests.pages.payloads import PAYLOADS, SIGNS

SCRIPT = """
import plotly.graph_objects as go
import streamlit as st

from pages.components.markup import diff_view, marked_words, plain_text, text_table
from pages.components.text import escape_markdown, wrap_hover
from tests.pages.payloads import PAYLOADS, SIGNS

st.set_page_config(layout="wide")
for payload in PAYLOADS:
    lines = payload.split("\\n")
    plain_text(payload)
    marked_words([(payload, 0.8), (payload, None)], meaning=payload)
    text_table([{"review": payload, payload: "x"}], caption=payload)
    diff_view(f"@@ -0,0 +1,{len(lines)} @@ {lines[0]}\\n+" + "\\n+".join(lines), "python")
    diff_view(payload)
for payload in (*PAYLOADS, SIGNS):
    st.markdown(escape_markdown(payload))
labels = [wrap_hover(payload, 5_000) for payload in PAYLOADS]
names = [f"y{number}" for number in range(len(labels))]
figure = go.Figure(go.Bar(x=[1] * len(labels), y=names, orientation="h"))
figure.update_yaxes(tickvals=names, ticktext=labels)
st.plotly_chart(figure.update_layout(height=30 * len(labels)))
"""
pytestmark = needs_chromium

VIEWS = 5
DRAWN_WITHIN = 120_000
MADE = "a, img, script, iframe, svg, math, form, input, button, object, video, link, meta, b, h1"
READ = """(elements, made) => elements.map(element => ({
    text: element.innerText,
    lines: [...element.querySelectorAll('.typed-line')].map(line => line.innerText),
    cells: [...element.querySelectorAll('td')].map(cell => cell.innerText),
    made: [...element.querySelectorAll(made)].map(one => one.outerHTML),
    styles: element.querySelectorAll('style').length,
    handlers: [...element.querySelectorAll('*')]
        .flatMap(one => one.getAttributeNames()).filter(name => name.startsWith('on')),
    width: element.scrollWidth - element.clientWidth,
}))"""


class Drawn:
    """What the browser made of the page of hostile texts."""

    def __init__(self, browser: Browser, url: str) -> None:
        page = browser.new_page(viewport={"width": 800, "height": 1200})
        self.dialogs: list[str] = []
        self.hosts: set[str] = set()
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        page.goto(url)
        views = page.get_by_test_id("stHtml")
        expect(views).to_have_count(VIEWS * len(PAYLOADS), timeout=DRAWN_WITHIN)
        ticks = page.locator(".ytick text")
        expect(ticks).to_have_count(len(PAYLOADS), timeout=DRAWN_WITHIN)
        self.views = views.evaluate_all(READ, MADE)
        lines = page.get_by_test_id("stMarkdownContainer")
        expect(lines).to_have_count(len(PAYLOADS) + 1)
        self.lines = lines.evaluate_all(READ, MADE)
        self.labels = ticks.evaluate_all("labels => labels.map(label => label.textContent)")
        self.links = page.locator("svg a").count()
        self.still_there = urlsplit(page.url).netloc == urlsplit(url).netloc
        self.own = urlsplit(url).netloc

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of hostile texts, started elsewhere, with the app's configuration beside it."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "page.py").write_text(SCRIPT, encoding="utf-8")
    (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", str(folder / "page.py")),
            *("--server.port", str(port), "--server.headless", "true"),
        ],
        cwd=Path(folder.anchor),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(url, server)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture(scope="module")
def drawn(address: str) -> Drawn:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        try:
            return Drawn(browser, address)
        finally:
            browser.close()


def as_shown(text: str) -> str:
    return unseen_as_codes(text)


def test_nothing_runs_and_nobody_else_is_asked(drawn: Drawn) -> None:
    assert drawn.dialogs == []
    assert drawn.hosts == {drawn.own}
    assert drawn.still_there


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_a_hostile_text_is_all_there_and_makes_no_element(drawn: Drawn, number: int) -> None:
    views = drawn.views[VIEWS * number : VIEWS * (number + 1)]
    for view in views:
        assert view["made"] == []
        assert view["handlers"] == []
        assert view["styles"] == 1
        assert view["width"] <= 0
    shown = as_shown(PAYLOADS[number])
    plain, words, table, diff, bare = views
    assert plain["text"].strip("\n") == shown.strip("\n")
    assert words["text"].strip("\n") == (shown + shown).strip("\n")
    assert shown in table["text"]
    assert table["cells"] == [shown, "x"]
    cut = [line[:2_000] for line in shown.split("\n")]
    assert [line[:2_000] for line in diff["lines"][1:]] == cut
    assert all(line[1:2_000] in bare["text"] for line in cut)


@pytest.mark.parametrize("number", range(len(PAYLOADS) + 1))
def test_an_escaped_text_is_shown_as_it_is(drawn: Drawn, number: int) -> None:
    line = drawn.lines[number]
    assert line["made"] == []
    assert line["handlers"] == []
    shown = " ".join((*PAYLOADS, SIGNS)[number].replace("\u2060", "").split())
    assert line["text"].replace("\u2060", "") == shown


def test_a_chart_takes_a_label_for_text(drawn: Drawn) -> None:
    assert drawn.links == 0
    for label, payload in zip(drawn.labels, PAYLOADS, strict=True):
        assert " ".join(label.split()) == " ".join(as_shown(payload).split())


@pytest.mark.parametrize(
    ("scheme", "background"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(14, 19, 26)")]
)
def test_colours_follow_the_theme_of_the_browser(
    page: Page, address: str, scheme: str, background: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(address)
    expect(page.get_by_test_id("stApp")).to_have_css(
        "background-color", background, timeout=DRAWN_WITHIN
    )
    added = page.locator(".typed-added").first
    expect(added).to_have_css(
        "background-color",
        {"light": "rgb(226, 245, 230)", "dark": "rgb(16, 41, 26)"}[scheme],
        timeout=DRAWN_WITHIN,
    )
