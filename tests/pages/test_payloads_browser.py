"""Hostile texts in a real browser: on every page, and in every component that shows text."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from crscore_core.text import escape_invisible
from pages.components.text import without_marks
from tests.pages.browser import ROOT, follow, needs_chromium, serving, settled
from tests.pages.payloads import PAYLOAD_GROUPS, PAYLOADS, SIGNS

pytestmark = needs_chromium

FOREIGN = """() => {
    const hostile = text => /payload\\.invalid|alert\\(/.test(text);
    const leads = value => {
        const to = new URL(value, location.href);
        return to.protocol === 'javascript:' || to.host !== location.host;
    };
    const bad = one => one.name.startsWith('on')
        || (['srcdoc', 'action', 'data', 'style'].includes(one.name) && hostile(one.value))
        || (['href', 'src'].includes(one.name) && hostile(one.value) && leads(one.value));
    return [...document.querySelectorAll('*')].filter(element =>
        [...element.attributes].some(bad)
        || (['STYLE', 'SCRIPT'].includes(element.tagName) && hostile(element.textContent))
    ).map(element => element.outerHTML.slice(0, 200));
}"""


def check(page: Page, address: str) -> None:
    """Look for effects of hostile texts that the fixture `page` does not watch."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)
    assert page.evaluate(FOREIGN) == []
    assert urlsplit(page.url).netloc == urlsplit(address).netloc
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_no_page_interprets_text(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 3000})
    for texts in PAYLOAD_GROUPS:
        page.goto(f"{address}/heatmap?heatmap_all=true&review={quote(texts[0])}")
        check(page, address)
    for title in ("Failure cases", "Rankings", "Threshold", "Validity", "Rate", "Data"):
        follow(page, title)
        check(page, address)


SCRIPT = """
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.components.diff_view import show_diff
from pages.components.tables import show_texts
from pages.components.text import escape_markdown, show_plain, wrap_hover
from tests.pages.payloads import PAYLOADS, SIGNS

st.set_page_config(layout="wide")
for payload in PAYLOADS:
    lines = payload.split("\\n")
    show_plain(payload)
    show_texts(pd.DataFrame([{"review": payload, payload: "x"}]))
    show_diff(f"@@ -0,0 +1,{len(lines)} @@ {lines[0]}\\n+" + "\\n+".join(lines), "python")
    show_diff(payload)
for payload in (*PAYLOADS, SIGNS):
    st.markdown(escape_markdown(payload))
labels = [wrap_hover(payload, 5_000) for payload in PAYLOADS]
names = [f"y{number}" for number in range(len(labels))]
figure = go.Figure(go.Bar(x=[1] * len(labels), y=names, orientation="h"))
figure.update_yaxes(tickvals=names, ticktext=labels)
st.plotly_chart(figure.update_layout(height=30 * len(labels)))
"""
MADE = "a, img, script, iframe, svg, math, form, input, button, object, video, link, meta, b, h1"
READ = """(elements, made) => elements.map(element => ({
    text: element.innerText,
    lines: [...element.querySelectorAll('.diff-line')].map(line => line.innerText),
    cells: [...element.querySelectorAll('td')].map(cell => cell.innerText),
    made: [...element.querySelectorAll(made)].map(one => one.outerHTML),
    styles: element.querySelectorAll('style').length,
    handlers: [...element.querySelectorAll('*')]
        .flatMap(one => one.getAttributeNames()).filter(name => name.startsWith('on')),
    width: element.scrollWidth - element.clientWidth,
}))"""


@pytest.fixture(scope="module")
def parts_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of all components, started elsewhere, with the app's configuration next to it."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "page.py").write_text(SCRIPT, encoding="utf-8")
    (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
    script, options = str(folder / "page.py"), ("--server.port", "PORT", "--server.headless", "1")
    command = (sys.executable, "-m", "streamlit", "run", script, *options)
    with serving(command, Path(folder.anchor)) as url:
        yield url


def test_every_component_shows_text_without_elements(page: Page, parts_address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 1200})
    page.goto(parts_address)
    plains, tables, diffs = map(page.get_by_test_id, ("stText", "stTable", "stHtml"))
    expect(diffs).to_have_count(2 * len(PAYLOADS))
    ticks = page.locator(".ytick text")
    expect(ticks).to_have_count(len(PAYLOADS))
    shown_plains, shown_tables, shown_diffs = (
        views.evaluate_all(READ, MADE) for views in (plains, tables, diffs)
    )
    for view in (*shown_plains, *shown_tables, *shown_diffs):
        assert view["made"] == view["handlers"] == []
        assert view["width"] <= 0
    for number, payload in enumerate(PAYLOADS):
        shown = escape_invisible(payload, keeps_lines=True)
        plain, table = shown_plains[number], shown_tables[number]
        diff, bare = shown_diffs[2 * number : 2 * (number + 1)]
        assert plain["text"].strip() == dedent(shown).strip()
        words = [cell.split() for cell in table["cells"]]
        assert words == [without_marks(shown).split(), ["x"]]
        cut = [line[:2_000] for line in shown.split("\n")]
        assert [line[:2_000] for line in diff["lines"][1:]] == cut
        assert all(line[1:2_000] in bare["text"] for line in cut)
    lines = page.get_by_test_id("stMarkdown").get_by_test_id("stMarkdownContainer")
    expect(lines).to_have_count(len(PAYLOADS) + 1)
    for line, text in zip(lines.evaluate_all(READ, MADE), (*PAYLOADS, SIGNS), strict=True):
        assert line["made"] == line["handlers"] == []
        shown = " ".join(escape_invisible(text, keeps_lines=True).split())
        assert line["text"] == shown
    assert page.locator("svg a").count() == 0
    labels = ticks.evaluate_all("labels => labels.map(label => label.textContent)")
    for label, payload in zip(labels, PAYLOADS, strict=True):
        shown = escape_invisible(without_marks(payload), keeps_lines=True)
        assert label.split() == shown.split()
    assert urlsplit(page.url).netloc == urlsplit(parts_address).netloc
