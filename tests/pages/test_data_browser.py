"""Import, saved runs and the switch in a real browser."""

import csv
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from crscore_core.corpus.run.store import RunStore
from playwright.sync_api import Locator, Page, expect

from tests.pages.browser import DASHBOARD, needs_chromium, opened_list, serving, settled

pytestmark = needs_chromium

SCORED_WITHIN = 240_000  # the first time, the model is loaded
NAME = "First <b>run</b> **x** [y](z)"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return RunStore(tmp_path_factory.mktemp("data") / "runs")


@pytest.fixture(scope="module")
def address(store: RunStore) -> Iterator[str]:
    """The address of a freshly started app."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRSCORE_RUNS", str(store.folder))
        with serving(DASHBOARD) as url:
            yield url


def diff(number: int) -> str:
    return f"@@ -1,2 +1,2 @@\n def f():\n-    return {number}\n+    return {number + 1}\n"


def write(file: Path, second: str) -> Path:
    rows = [
        ("id", "patch", "comment", "model", "rating", "label_useful"),
        ("a", diff(1), 'It returns another value.\n\nWhy "that", one?', "ours", "4", "yes"),
        ("b", diff(1), second, "theirs", "2", ""),
        ("c", "no diff", "Something", "ours", "3", "1"),
        ("d", diff(7), "The number returned is larger.", "ours", "5", "0"),
    ]
    with file.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows(rows)
    return file


def give(page: Page, file: Path) -> None:
    settled(page)
    with page.expect_response(lambda answer: "upload_file" in answer.url and answer.ok):
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)


def is_scored(page: Page, file: str) -> None:
    expect(page.get_by_text(f"{file} is scored: 3 reviews")).to_be_visible(timeout=SCORED_WITHIN)
    expect(switch(page)).to_have_value("Imported file")
    settled(page)


def save(page: Page, name: str) -> None:
    field = page.get_by_label("Name of the run")
    field.fill(name)
    field.press("Enter")  # it saves nothing, as the click does
    page.get_by_role("button", name="Save as a run").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    settled(page)


def switch(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("combobox", name="Data")


def test_a_file_is_scored_without_a_click_saved_reloaded_compared_and_deleted(
    page: Page, address: str, store: RunStore, tmp_path: Path
) -> None:
    page.goto(f"{address}/data")
    for source in ("Drop a file", "Review comments", "Scored reviews", "Reviews that people rated"):
        expect(page.get_by_text(source)).to_be_in_viewport()
    give(page, write(tmp_path / "first.csv", "Nice."))
    expect(page).to_have_url(re.compile("[?&]import="))
    (first_import,) = re.findall("[?&](import=[^&]+)", page.url)
    page.reload()
    browser = page.context.browser
    assert browser is not None
    with closing(browser.new_page()) as other:
        other.goto(page.url.replace("/data?", "/rankings?").replace("data=study", "data=file"))
        is_scored(page, "first.csv")
        expect(page).to_have_url(re.compile(r"[?&]data=file"))
        expect(other.get_by_text("imported here")).to_be_visible()
        # Another session sees nothing of it without the address.
        other.goto(f"{address}/rankings?data=file")
        expect(other.get_by_text("No file is imported in this session")).to_be_visible()
        expect(other.get_by_text("first.csv")).to_have_count(0)
    page.get_by_text("Rows of the file set aside: 1").click()
    expect(page.locator("tr", has_text="no diff found")).to_contain_text("Something")

    save(page, NAME)
    (first,) = store.list()
    page.get_by_role("button", name="Show it on all pages").click()
    expect(switch(page)).to_have_value(f"Run: {NAME}")
    for parameter in (f"data=run-{first.id}", f"data_run={first.id}"):
        expect(page).to_have_url(re.compile(parameter))
    page.reload()
    expect(switch(page)).to_have_value(f"Run: {NAME}")
    expect(page.get_by_role("heading", name=NAME, exact=True)).to_be_visible()

    give(page, write(tmp_path / "second.csv", "It returns another value."))
    expect(page).not_to_have_url(re.compile(first_import))
    page.get_by_role("link", name="Guide").click()
    expect(page.get_by_role("heading", name="Guide", exact=True)).to_be_visible()
    settled(page)  # the button of the page Data is gone
    button = page.get_by_role("button", name="Show it on all pages")
    button.click(timeout=SCORED_WITHIN)
    expect(switch(page)).to_have_value("Imported file")
    page.get_by_role("link", name="Data", exact=True).click()
    is_scored(page, "second.csv")
    save(page, "Second")
    opened_list(page, "Compare with").filter(has_text=NAME).click()
    expect(page.get_by_text("1 matched review with another text")).to_be_visible()
    expect(page).to_have_url(re.compile(f"data_other={first.id}"))
    page.reload()
    expect(page.get_by_text("1 matched review with another text")).to_be_visible()
    settled(page)

    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("heading", name="Second", exact=True)).to_have_count(0)
    assert [run.id for run in store.list()] == [first.id]
