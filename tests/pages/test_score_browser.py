"""The Score page in a real browser: scores, uploads, claims by hand and by a model's server."""

import json
import queue
import re
from itertools import chain
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.endpoint.faulty_server import faulty, pieces, streams
from tests.pages.browser import downloaded, needs_chromium, opened_list, settled, tab_to

pytestmark = needs_chromium

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks for this."
KEY = "sk-very-secret"
ROW, HEADER = 70, 36
"""Heights in the table of claims, in pixels."""


def fill_by_hand(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=own")
    settled(page)  # keys do nothing before their button is there
    page.get_by_role("textbox", name="Diff", exact=True).fill(PYTHON)
    page.get_by_label("Review 1", exact=True).fill(REVIEW)


def button(page: Page, name: str) -> Locator:
    main = page.get_by_test_id("stMain")  # above it Streamlit has a Stop of its own at times
    return main.get_by_role("button", name=re.compile(rf"^{name}(?: Shortcut .*)?$"))


def words(page: Page) -> Locator:
    """Read the sentence that states the scores of the shown review."""
    return page.get_by_text(re.compile(r"^About the change: \d+ of \d+ sentences?\."))


def figures(page: Page) -> list[str]:
    """Rel, Con and Comp of the only review."""
    table = page.locator("table.typed-table", has_text="comprehensiveness")
    return table.locator("tbody tr").first.locator("td").all_inner_texts()[1:]


def open_options(page: Page) -> None:
    page.get_by_text("Options: ").click()


def test_the_first_screen_is_a_scored_example_and_leads_to_the_form(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(address)
    expect(words(page)).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="people")).to_be_in_viewport()
    expect(page.locator(".heatmaplayer image")).to_be_in_viewport()
    settled(page)
    before = words(page).inner_text()
    example = page.get_by_role("combobox", name="Example")
    first = example.input_value()
    opened_list(page, "Example").filter(has_text="Written example, Java").first.click()
    expect(page.get_by_role("columnheader", name="comprehensiveness")).to_be_visible()
    expect(page).to_have_url(re.compile("example=java"))
    settled(page)
    chosen = example.input_value()
    page.reload()
    expect(example).to_have_value(chosen)
    settled(page)
    page.go_back()
    expect(example).to_have_value(first)
    settled(page)
    page.get_by_role("radio", name="Score your own").click()
    expect(page.get_by_role("textbox", name="Diff", exact=True)).to_have_value("")
    expect(page).to_have_url(re.compile("view=own"))
    page.go_back()
    expect(words(page)).to_have_text(before)


def test_paste_score_move_tau_by_keyboard_come_back_and_take_the_form_along(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/?view=own")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)
    tab_to(page, r"TEXTAREA\|.*Diff")
    page.keyboard.insert_text(PYTHON)
    tab_to(page, r"TEXTAREA\|.*Review 1")
    page.keyboard.insert_text(REVIEW)
    expect(page.get_by_text("Press Score")).to_be_visible()  # the server has the diff
    settled(page)
    page.keyboard.press("Control+Enter")
    expect(words(page)).to_be_visible()
    settled(page)
    expect(page.get_by_role("textbox", name="Diff", exact=True)).to_be_in_viewport()
    first, in_words = figures(page), words(page).inner_text()
    assert float(first[0]) > 0
    document = json.loads(downloaded(page, "Download JSON").read_text(encoding="utf-8"))
    (review,) = document["reviews"]
    names = ("relevance", "conciseness", "comprehensiveness")
    assert [f"{review[name]:.3f}" for name in names] == first
    assert review["review"] == REVIEW
    page.get_by_label("Review 1", exact=True).focus()
    tab_to(page, r"^INPUT.*Similarity threshold tau")
    page.keyboard.press("End")
    expect(words(page)).to_have_text(re.compile(r"change: 0 of 3 sentences\. Covers 0 of"))
    assert figures(page) == ["0.000"] * 3
    assert "tau=1" in page.url
    page.keyboard.press("Home")
    expect(words(page)).to_have_text(re.compile(r"change: 3 of 3 sentences\."))
    assert figures(page) == ["1.000"] * 3
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="Guide", level=1)).to_be_visible()
    page.get_by_role("link", name="Score", exact=True).click()
    expect(page.get_by_role("textbox", name="Diff", exact=True)).to_have_value(PYTHON)
    expect(words(page)).not_to_have_text(in_words)  # tau is where it was left
    page.get_by_role("button", name="tau_gt").click()
    expect(words(page)).to_have_text(in_words)
    assert figures(page) == first


def write(page: Page, table: Locator, row: int, text: str) -> None:
    """Write into the first column."""
    expect(table.get_by_test_id(f"glide-cell-1-{row}")).to_be_attached()
    table.dblclick(position={"x": 200, "y": HEADER + ROW * row + ROW / 2})
    cell = page.locator("#portal textarea")
    cell.fill(text)
    cell.press("Enter")
    expect(cell).to_have_count(0)


def sources(page: Page) -> dict[str, str]:
    """Source of each pseudo-reference that is no smell."""
    table = page.get_by_role("region", name="Pseudo-references, and")
    expect(table).to_be_visible()
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    texts = (text.rpartition("\n— ") for _, text, _ in rows)
    origins = {text: origin.split(", ")[:2] for text, _, origin in texts}
    return {text: source for text, (kind, source) in origins.items() if kind != "smell"}


def test_claims_are_edited_added_and_removed(page: Page, address: str) -> None:
    def counted(words: str) -> None:
        expect(page.get_by_text(f"{words}.")).to_be_visible()

    given = ("load now returns the items of the data", "Errors are hidden", "A list may be empty")
    fill_by_hand(page, address)
    open_options(page)
    opened_list(page, "Claims").filter(has_text="given below").click()
    field = page.get_by_label("Claims, one a line")
    field.fill("\n".join(given))
    field.blur()
    settled(page)
    button(page, "Make claims").click()
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    counted("3 claims, unedited")
    write(page, table, 1, "Any error is hidden <b>now</b>")
    counted("3 claims, edited")
    table.hover()
    button(page, "Add row: Claims about the diff").click()
    write(page, table, 3, "Nothing is logged")
    counted("3 claims, edited")
    table.click(position={"x": 200, "y": HEADER + ROW / 2})
    page.keyboard.press("Shift+Space")
    page.keyboard.press("Delete")
    counted("3 claims, edited")
    button(page, "Score").click()
    expect(words(page)).to_be_visible()
    assert sources(page) == {
        "Any error is hidden <b>now</b>": "edited",
        "A list may be empty": "given",
        "Nothing is logged": "edited",
    }


def test_a_model_is_watched_and_its_claims_are_scored(
    page: Page, address: str, tmp_path: Path
) -> None:
    fill_by_hand(page, address)
    open_options(page)
    opened_list(page, "Claims").filter(has_text="endpoint").click()
    said: queue.Queue[str | None] = queue.Queue()
    led = (chunk for text in iter(said.get, None) for chunk in pieces(text, finish_reason=None))
    with faulty() as server:
        server.plan = [streams(chain(led, pieces()))]
        # No answer to a model of this name is kept from an earlier run.
        fields = {"Base URL": server.base_url, "Model": tmp_path.as_posix(), "API key": KEY}
        for label, value in fields.items():
            page.get_by_label(label, exact=True).fill(value)
            page.get_by_label(label, exact=True).press("Enter")
        expect(page.get_by_text("Available: ")).to_be_visible()
        button(page, "Score").click()
        answer = page.get_by_test_id("stCode")
        expect(page.get_by_text("Waiting for the first token")).to_be_visible()
        said.put("Summary of changes:\n1. load hides every error\n")
        expect(answer).to_contain_text("1. load hides every error")
        page.get_by_role("link", name="Guide").click()
        said.put("2. An empty <b>list</b> is returned\n")
        page.get_by_role("link", name="Score", exact=True).click()
        expect(answer).to_contain_text("2. An empty <b>list</b> is returned")
        expect(page.get_by_text("2 tokens in")).to_be_visible()
        said.put(None)
        expect(words(page)).to_be_visible()
        assert server.received[0].key == f"Bearer {KEY}"
    assert sources(page) == {
        "load hides every error": "endpoint",
        "An empty <b>list</b> is returned": "endpoint",
    }
    assert KEY not in page.url
    assert KEY not in page.locator("body").inner_text()
