"""Score and Heatmap in a real browser: clicked, typed, reloaded and downloaded."""

import re
from pathlib import Path
from threading import Event

from playwright.sync_api import Locator, Page, expect

from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.endpoint.faulty_server import Exchange, faulty, said
from tests.pages.browser import choose, click_part, needs_chromium, settled, tab_to

pytestmark = needs_chromium

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks for this."


def diff(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Diff", exact=True)


def button(page: Page, name: str) -> Locator:
    main = page.get_by_test_id("stMain")  # above it Streamlit may show its own Stop
    return main.get_by_role("button", name=re.compile(rf"^{name}(?: Shortcut .*)?$"))


def words(page: Page) -> Locator:
    """The sentence with the scores of the review shown."""
    return page.get_by_text(re.compile(r"^Sentences that match a pseudo-reference: \d+ of \d+\."))


def fill(page: Page, address: str) -> None:
    """Enter a diff and a review into the form with the keyboard alone."""
    page.goto(f"{address}/?view=own")
    settled(page)
    diff(page).focus()
    page.keyboard.insert_text(PYTHON)
    tab_to(page, page.get_by_role("textbox", name="Review 1", exact=True))
    page.keyboard.insert_text(REVIEW)
    settled(page)


def test_the_first_screen_is_a_scored_example(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(address)
    expect(words(page)).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="people")).to_be_in_viewport()
    expect(page.locator(".heatmaplayer image")).to_be_in_viewport()
    expect(page.locator(".diff-box")).to_have_css("max-height", "904px")  # of 1000
    settled(page)
    example = page.get_by_role("combobox", name="Example")
    first = example.input_value()
    choose(page, "Example", "Written example")
    expect(page.get_by_role("columnheader", name="people")).to_have_count(0)
    expect(page).to_have_url(re.compile("example="))
    settled(page)
    chosen = example.input_value()
    page.go_back()
    expect(example).to_have_value(first)
    page.go_forward()
    expect(example).to_have_value(chosen)


def test_paste_score_and_move_tau_by_keyboard(page: Page, address: str) -> None:
    fill(page, address)
    page.keyboard.press("Control+Enter")
    expect(words(page)).to_be_visible()
    settled(page)
    expect(diff(page)).to_be_hidden()  # the form is folded
    expect(words(page)).to_be_in_viewport()
    in_words = words(page).inner_text()
    page.get_by_text("Diff, reviews and options").click()
    expect(diff(page)).to_be_visible()
    button(page, "Score").click()
    expect(diff(page)).to_be_hidden()  # also after the user has opened it
    page.get_by_role("combobox", name="Reviews on other pages").focus()
    tab_to(page, page.get_by_role("slider", name="Similarity threshold tau"))
    steps = page.evaluate("history.length")
    for key in (*["ArrowRight"] * 6, "End"):  # faster than the page runs
        page.keyboard.press(key)
    expect(words(page)).to_have_text(re.compile(r"reference: 0 of 3\. .* covered: 0 of"))
    assert "tau=1" in page.url
    assert page.evaluate("history.length") == steps  # one step of Back leaves all movements
    page.get_by_role("button", name="usual 0").click()
    expect(words(page)).to_have_text(in_words)
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="Guide", level=1)).to_be_visible()
    settled(page)
    page.go_back()
    expect(words(page)).to_have_text(in_words)
    assert "view=own" in page.url
    settled(page)
    page.go_forward()
    expect(page.get_by_role("heading", name="Guide", level=1)).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Score", exact=True).click()
    expect(words(page)).to_have_text(in_words)
    settled(page)
    page.get_by_role("button", name="strict 0").click()
    settled(page)
    button(page, "Save as a run").click()
    expect(page.get_by_role("heading", name="Heatmap", level=1)).to_be_visible()
    settled(page)
    page.set_viewport_size({"width": 390, "height": 844})
    before_saving = re.compile(r"/\?view=own&tau=0\.4\d+$")
    for _ in range(3):  # the browser may keep steps of a change of page
        page.go_back()
        expect(page.get_by_role("cell", name=re.compile("^Review 1: "))).to_be_in_viewport()
        settled(page)
        if before_saving.search(page.url):
            break
    expect(page).to_have_url(before_saving)
    page.reload()
    expect(diff(page)).to_have_value(PYTHON)
    expect(page.get_by_role("textbox", name="Review 1")).to_have_value(REVIEW)
    assert "except" not in page.url


def test_a_phone_shows_the_scores_and_the_rating_of_each_review(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for url, people in ((address, True), (f"{address}/?example=retry-backoff", False)):
        page.goto(url)
        expect(words(page)).to_be_visible()
        settled(page)
        table = page.get_by_test_id("stTable").filter(has_text="relevance").first
        heads = table.locator("th:visible").all_inner_texts()
        assert heads[people + 1 : people + 3] == ["relevance", "conciseness"]
        boxes = [cell.bounding_box() for cell in table.locator("tbody tr td:visible").all()]
        assert all(box is not None and box["x"] + box["width"] <= 390 for box in boxes)
        assert boxes[0] is not None
        assert boxes[0]["width"] >= 340
        assert page.locator(".st-key-tau").evaluate("one => one.clientWidth") >= 340
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Rankings").click()
    page.get_by_role("heading", name="Rankings", level=1).click(trial=True)  # the menu is above it


def test_a_model_can_be_stopped(page: Page, address: str, tmp_path: Path) -> None:
    fill(page, address)
    page.get_by_text("Options: ").click()
    choose(page, "Claims", "endpoint")
    may_answer = Event()

    def answer(exchange: Exchange) -> None:
        may_answer.wait(240)
        said("Summary of changes:\n1. load hides errors\n2. An empty <b>list</b> is new")(exchange)

    with faulty() as server:
        server.otherwise = answer
        # No answer to a model of this name is kept from an earlier run.
        fields = {"Base URL": server.base_url, "Model": tmp_path.as_posix()}
        for label, value in fields.items():
            page.get_by_label(label, exact=True).fill(value)
            page.get_by_label(label, exact=True).press("Enter")
        expect(page.get_by_text("Available. Uses")).to_be_visible()
        settled(page)
        button(page, "Score").click()
        button(page, "Stop").click()
        expect(button(page, "Stop")).to_have_count(0)
        button(page, "Score").click()
        expect(button(page, "Stop")).to_be_visible()
        may_answer.set()
        expect(words(page)).to_be_visible()
    expect(page.get_by_text("— claim, endpoint")).to_have_count(2)


def test_a_cell_of_the_heatmap_is_chosen_reloaded_and_downloaded(page: Page, address: str) -> None:
    page.goto(f"{address}/heatmap?data=study&review=4977/deepseekcoder")
    heatmap = page.get_by_test_id("stPlotlyChart").filter(has=page.locator(".heatmaplayer image"))
    point = heatmap.locator(".scatterlayer .point").first
    expect(point).to_be_attached()
    settled(page)
    point.scroll_into_view_if_needed()
    click_part(heatmap, point)
    pair = page.get_by_text(re.compile(r"^P\d+ and S\d+: cosine"))
    expect(pair).to_contain_text("P1 and S1: cosine")
    expect(page).to_have_url(re.compile("cell=1-1"))
    texts = page.locator(".st-key-pair_texts").get_by_text("Sentence:")
    expect(texts).to_be_in_viewport()  # without scrolling to it
    page.reload()
    expect(pair).to_contain_text("P1 and S1: cosine")
    settled(page)
    for name in ("P1", "S1"):
        pair.get_by_role("link", name=name).press("Enter")
        expect(page.locator("th:target")).to_have_text(name)
        expect(page.locator("th:target")).to_be_in_viewport()
    page.get_by_role("row", name=re.compile("^S1 ")).get_by_role("link").press("Enter")
    expect(page.locator("th:target")).to_have_text(re.compile(r"^P\d+$"))
    heatmap.hover()
    with page.expect_download() as started:
        heatmap.locator('[data-title^="Download plot"]').click()
    picture = Path(started.value.path()).read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    fills = set(re.findall(r"<text[^>]* fill: (rgb[^;]+);", picture))
    numbers = {"rgb(68, 68, 68)", "rgb(255, 255, 255)"}  # Plotly chooses by the cell's colour
    assert fills - numbers == {"rgb(61, 71, 87)"}
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile("deepseekcoder"))
