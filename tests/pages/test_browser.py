"""The web app in a real browser, served as a person serves it."""

import csv
import io
import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.crscore_core.changes import PYTHON
from tests.pages.browser import ROOT, needs_chromium, settled

REVIEW = "The bare except hides every error. Why is an empty list returned? Thanks for this."
SCORES_WITHIN = 90_000

pytestmark = needs_chromium


def fill_by_hand(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Diff", exact=True).fill(PYTHON)
    page.get_by_label("Review 1", exact=True).fill(REVIEW)


def score_by_hand(page: Page, address: str) -> None:
    fill_by_hand(page, address)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=SCORES_WITHIN)


def values(page: Page) -> list[float]:
    return [float(text) for text in page.get_by_test_id("stMetricValue").all_inner_texts()]


def click_slider(page: Page, share: float) -> None:
    box = page.get_by_test_id("stSlider").bounding_box()
    thumb = page.get_by_role("slider").bounding_box()
    assert box is not None
    assert thumb is not None
    page.mouse.click(box["x"] + share * box["width"], thumb["y"] + thumb["height"] / 2)


def test_paste_score_move_tau_and_read_the_changed_scores(page: Page, address: str) -> None:
    score_by_hand(page, address)
    first = values(page)
    assert all(0 <= value <= 1 for value in first)
    assert first[2] > 0
    click_slider(page, 0.95)
    expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text("0.000")
    assert values(page)[:3] == [0, 0, 0]
    assert "tau=0.9" in page.url
    click_slider(page, 0.02)
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("1.000")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(1)


def test_the_url_restores_example_encoder_and_tau(page: Page, address: str) -> None:
    other_encoder = "mixedbread-ai/mxbai-embed-large-v1"
    page.goto(f"{address}/?example=python/page-count&tau=0.5&encoder={other_encoder}")
    expect(page.get_by_label("Diff", exact=True)).to_have_value(
        (ROOT / "sample_data/python/page-count.diff").read_text(encoding="utf-8"), timeout=30_000
    )
    expect(page.get_by_role("slider")).to_have_value("0.5")
    expect(page.get_by_role("combobox", name="Encoder")).to_have_value(other_encoder)


def test_a_bad_diff_is_a_message_and_the_form_is_kept(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Diff", exact=True).fill("no diff at all")
    page.get_by_label("Review 1", exact=True).fill(REVIEW)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_text("no diff found")).to_be_visible(timeout=SCORES_WITHIN)
    expect(page.get_by_label("Diff", exact=True)).to_have_value("no diff at all")


def test_results_can_be_downloaded(page: Page, address: str) -> None:
    score_by_hand(page, address)
    shown = values(page)
    document = json.loads(download(page, "JSON"))
    (row,) = csv.DictReader(io.StringIO(download(page, "CSV")))
    for source in (document["reviews"][0], row):
        names = ("conciseness", "comprehensiveness", "relevance", "calibrated_relevance")
        assert [round(float(source[name]), 3) for name in names] == shown
    assert document["reviews"][0]["review"] == row["review"] == REVIEW


def download(page: Page, kind: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=f"Download {kind}").click()
    return Path(started.value.path()).read_text(encoding="utf-8")


def upload(page: Page, number: int, file: Path) -> None:
    """Upload a file and wait until the server has it: its name is shown before that.

    While the page is being built anew, what is given to one of its parts may be lost.
    """
    page.wait_for_timeout(500)  # what left a field is on its way to the server
    settled(page, SCORES_WITHIN)
    with page.expect_response(lambda answer: "upload_file" in answer.url and answer.ok):
        page.get_by_test_id("stFileUploaderDropzoneInput").nth(number).set_input_files(file)


def test_an_uploaded_diff_is_scored(page: Page, address: str, tmp_path: Path) -> None:
    file = tmp_path / "change.diff"
    file.write_text(PYTHON, encoding="utf-8")
    page.goto(address)
    upload(page, 0, file)
    expect(page.get_by_text("change.diff")).to_be_visible()
    page.get_by_label("Review 1", exact=True).fill(REVIEW)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=SCORES_WITHIN)
    assert values(page)[2] > 0


def test_an_uploaded_file_is_analysed_as_a_whole(page: Page, address: str, tmp_path: Path) -> None:
    file = tmp_path / "shop.js"
    file.write_text("export function price(item) {\n    const spare = 1;\n}\n", encoding="utf-8")
    page.goto(address)
    page.get_by_label("Diff", exact=True).fill(
        "--- a/src/shop.js\n+++ b/src/shop.js\n@@ -1,2 +1,3 @@\n export function price(item) {\n"
        "+    const spare = 1;\n }\n"
    )
    page.get_by_label("Review 1", exact=True).fill("The variable spare is never used.")
    page.get_by_text("Analyzers", exact=True).click()
    upload(page, 1, file)
    expect(page.get_by_text("shop.js").first).to_be_visible()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=SCORES_WITHIN)
    assert any("spare" in row for row in page.locator("tr", has_text="smell").all_inner_texts())


def test_an_unknown_encoder_is_a_message_in_place(page: Page, address: str) -> None:
    fill_by_hand(page, address)
    encoder = page.get_by_role("combobox", name="Encoder")
    encoder.fill("no such encoder")
    encoder.press("Enter")
    expect(page.get_by_text("This encoder has no preset of tau")).to_be_visible()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_text("neither a folder nor a model")).to_be_visible(timeout=SCORES_WITHIN)
    expect(page.get_by_label("Review 1", exact=True)).to_have_value(REVIEW)


def test_text_of_people_becomes_no_element(page: Page, address: str) -> None:
    hostile = (
        "<img src=x onerror=alert(1)> ![a](http://127.0.0.1/a.png) [l](http://127.0.0.1/b) "
        "http://127.0.0.1/c www.example.com me@example.com :material/delete: :smile: **b** $x^2$"
    )
    fill_by_hand(page, address)
    page.get_by_label("Diff", exact=True).fill(f"@@ -1 +1 @@\n-x = 1\n+x = '{hostile}'\n")
    page.get_by_label("Review 1", exact=True).fill(hostile)
    page.get_by_role("button", name="Score", exact=True).click()
    tables = page.locator("table.typed-table")
    expect(tables).to_have_count(5, timeout=SCORES_WITHIN)
    for element in ("a", "img", "strong", "code", "[role=img]", ".katex"):
        expect(tables.locator(element)).to_have_count(0)
    expect(tables.nth(1)).to_contain_text("onerror=alert(1)")


def test_the_form_is_kept_while_another_page_is_read(page: Page, address: str) -> None:
    score_by_hand(page, address)
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="What the numbers mean")).to_be_visible()
    page.get_by_role("link", name="Score", exact=True).click()
    expect(page.get_by_label("Diff", exact=True)).to_have_value(PYTHON)
    expect(page.get_by_label("Review 1", exact=True)).to_have_value(REVIEW)
    expect(page.get_by_test_id("stMetric")).to_have_count(4)
    expect(page.get_by_text("The form has changed since")).to_have_count(0)


def test_tau_of_an_address_goes_along_to_the_next_page(page: Page, address: str) -> None:
    page.goto(f"{address}/?tau=0.7")
    expect(page.get_by_role("slider")).to_have_value("0.7", timeout=SCORES_WITHIN)
    page.get_by_role("link", name="Threshold").click()
    expect(page.get_by_role("heading", name="Threshold", level=1)).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value("0.7", timeout=SCORES_WITHIN)
    page.get_by_role("link", name="Score", exact=True).click()
    expect(page.get_by_role("slider")).to_have_value("0.7", timeout=SCORES_WITHIN)
