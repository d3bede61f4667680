"""Back, reload and links of every page in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser import needs_chromium, settled, tab_to

NAMES = (
    "Rate", "Heatmap", "Failure cases", "Rankings", "Validity", "Compare", "Data", "Threshold",
    "Guide", "Score",
)  # fmt: skip
HEADINGS = {"Score": "CRScore: how good is"}


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


@needs_chromium
def test_each_page_says_by_keys_what_it_answers_and_leads_to_its_part_of_the_guide(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/thresholds")
    shown(page, "Threshold")
    tab_to(page, "^BUTTON.*About this page")
    page.keyboard.press("Enter")
    question = page.get_by_text("which tau fits?")
    expect(page.get_by_role("dialog").filter(has=question)).to_be_visible()
    tab_to(page, "^A.*What the numbers mean")
    page.keyboard.press("Enter")
    shown(page, "Guide")
    expect(question).to_be_visible()
    expect(page.get_by_text("Which reviews do the pages show?")).to_be_hidden()
