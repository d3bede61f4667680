"""Journeys through the pages of data, systems and ratings, in a browser."""

import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from crscore_eval.data.ratings import Ratings
from crscore_eval.export.report import report
from tests.crscore_eval.ranking.runs_of_rows import run_of_systems
from tests.crscore_eval.run.corpus import rows_of, write_rows
from tests.pages.browser import follow, needs_chromium, settled, still_context

pytestmark = needs_chromium

PAGES = ("Rate", "Failure cases", "Rankings", "Threshold", "Validity", "Data", "Guide")
STREAMLIT = (
    ("list", "stSidebarNavItems"),  # sections of the navigation are wrapped in <div>
    ("listitem", '<li class="st-emotion-cache'),  # the same, reported for the links in a section
    ("color-contrast", "<kbd"),  # the shortcut on a button is half transparent
    ("color-contrast", 'data-selected="true"'),  # primary colour on a tint of itself
)
"""Violations by Streamlit itself: the rule, and part of the element's HTML or selector."""
DARK = "rgb(2, 4, 6)"  # the background of the dark theme


def opened(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)


def test_a_file_becomes_a_ranked_run(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/data")
    file = write_rows(tmp_path / "mine.jsonl", rows_of(3))
    page.locator("input[type=file]").set_input_files(file)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("mine.jsonl")).to_be_visible()
    sidebar.get_by_role("link", name="Threshold").click()  # progress shows on every page
    sidebar.get_by_role("button", name="Open it").click()
    expect(page).to_have_url(re.compile("data="))
    sidebar.get_by_role("link", name="Rankings").click()
    expect(page.get_by_test_id("stTable").get_by_text("good", exact=True).first).to_be_visible()
    settled(page)
    with page.expect_download() as started:  # a click may miss a button in an opening expander
        page.get_by_role("button", name="Download report", exact=True).press("Enter")
    report = Path(started.value.path()).read_text(encoding="utf-8")
    assert "<html" in report
    assert "mine.jsonl" in report


def test_keys_rate_and_ratings_are_kept(page: Page, address: str, data: Path) -> None:
    opened(page, f"{address}/rate?data=unrated")
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="wrong")).to_be_enabled()
    settled(page)
    page.keyboard.press("n")
    page.keyboard.press("4")  # before its question is shown
    expect(page.get_by_text("1 of 54 reviews rated")).to_be_visible()
    answers = Ratings(data / "crscore" / "runs" / "unrated").answers()
    given = answers[["rater", "question", "value"]].to_numpy().tolist()
    assert given == [["ann", "right", 0], ["ann", "worth", 4]]


def violations(page: Page, *rules: str) -> list[tuple[str, str]]:
    """Return the violations of these accessibility rules, or of all rules."""
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {})}
    return [
        (rule["id"], node["html"])
        for rule in Axe().run(page, options=options).response["violations"]
        if rule["impact"] in {"moderate", "serious", "critical"}
        for node in rule["nodes"]
        if not any(
            rule["id"] == known and mark in f"{node['html']} {node['target']}"
            for known, mark in STREAMLIT
        )
    ]


def test_pages_are_accessible_and_fit_a_narrow_screen(page: Page, address: str) -> None:
    opened(page, f"{address}/guide?data=small")
    for name in PAGES:
        follow(page, name)
        assert violations(page) == [], name
        page.emulate_media(color_scheme="dark")
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
        settled(page)
        assert violations(page, "color-contrast") == [], f"{name}, dark"
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 390, "height": 844})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        page.set_viewport_size({"width": 1400, "height": 1200})
        expect(page.get_by_test_id("stExpandSidebarButton")).to_be_hidden()


def test_a_report_of_six_systems_and_two_labels_fits_a4_and_a_small_window(page: Page) -> None:
    scores = {f"reviewer number {number}": 0.1 * number for number in range(1, 7)}
    run = run_of_systems(scores, 12, dict(zip(scores, [5, 4, 3, 2, 2, 1], strict=True)))
    labels = dict.fromkeys(("label_is_correct", "label_usefulness"), 0.5)
    page.set_content(report(run._replace(reviews=run.reviews.assign(**labels))))
    for medium, width in (("screen", 1024), ("print", 680)):  # A4 without its margins
        page.emulate_media(media=medium)  # type: ignore[arg-type] # a literal
        page.set_viewport_size({"width": width, "height": 900})
        widths = "all => all.map(one => one.scrollWidth - one.clientWidth)"
        assert max(page.locator(".scroll").evaluate_all(widths)) <= 0, medium
    page.emulate_media(media="screen")


def test_no_foreign_host_name_and_no_frame_shows_the_app(browser: Browser, address: str) -> None:
    context = still_context(browser)
    page = context.new_page()
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    answer = page.goto(address.replace("127.0.0.1", "rebound.example"))
    assert answer is not None
    assert answer.status in {400, 403}
    page.set_content(f"<iframe src='{address}'></iframe>")
    page.wait_for_function("frames.length === 1")
    page.frames[1].wait_for_load_state()
    assert page.frames[1].url.startswith("chrome-error:")
    assert sockets == []
    context.close()
