"""Back, reload and links of every page in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir

from pages.components.history import HistoryScript
from tests.pages.browser import needs_chromium, settled

OWN = Path(get_static_dir(), "index.html")
NAMES = (
    "Rate", "Heatmap", "Failure cases", "Rankings", "Validity", "Compare", "Data", "Threshold",
    "Guide", "Score",
)  # fmt: skip
HEADINGS = {"Guide": "What the numbers mean", "Score": "CRScore: how good is"}


def shown(page: Page, name: str) -> str:
    """The address of a page, once its script has run."""
    expect(page.get_by_role("heading", level=1, name=HEADINGS.get(name, name))).to_be_visible()
    settled(page)
    return page.url


@needs_chromium
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("Threshold", "Guide"), id="two pages"),
        pytest.param(NAMES, marks=pytest.mark.long, id="all pages"),
    ],
)
def test_each_page_is_one_entry_and_back_reload_and_links_keep_what_was_chosen(
    page: Page, address: str, names: tuple[str, ...]
) -> None:
    page.goto(f"{address}/?data=study&tau=0.61")
    walked = [("Score", shown(page, "Score"))]
    entries = page.evaluate("history.length")
    for name in names:
        page.get_by_role("link", name=name, exact=True).click()
        walked.append((name, shown(page, name)))
        entries += 1
        assert page.evaluate("history.length") == entries, name
        assert "data=study&tau=0.61" in page.url, name
    page.get_by_role("link", name="Threshold", exact=True).click()
    walked.append(("Threshold", shown(page, "Threshold")))
    page.get_by_role("slider").focus()
    for key in ("ArrowRight", "ArrowRight", "Home"):  # moves within one field are one choice
        page.keyboard.press(key)
    expect(page.get_by_role("slider")).to_have_value("0")
    expect(page).to_have_url(re.compile(r"tau=0(?:&|$)"))
    settled(page)
    assert page.evaluate("history.length") == entries + 2
    for name, url in reversed(walked):
        page.go_back()
        expect(page).to_have_url(url)
        assert shown(page, name) == url
    for name, url in walked[1 : len(names) + 1]:
        page.goto(url)
        assert shown(page, name) == url
        page.reload()
        assert shown(page, name) == url


@pytest.mark.parametrize(
    ("answer", "is_own"),
    [
        (FileResponse(OWN), True),
        (HTMLResponse(OWN.read_bytes()), True),
        (HTMLResponse("<html><head></head>A report.</html>"), False),
        (StreamingResponse(iter([b"<head>", b"rest"]), media_type="text/html"), False),
        (Response(status_code=204, media_type="text/html"), False),
    ],
    ids=["own", "own, at once", "another page", "no length", "empty"],
)
def test_the_script_is_in_the_app_s_own_page_alone(answer: Response, *, is_own: bool) -> None:
    plain = TestClient(answer).get("/").content
    given = TestClient(HistoryScript(answer)).get("/", headers={"accept": "text/html"})
    assert (b"popstate" in given.content) is is_own
    assert given.headers.get("content-length", str(len(given.content))) == str(len(given.content))
    assert is_own or given.content == plain or isinstance(answer, StreamingResponse)
