"""Claims on the Score page in a real browser: edited by hand, and by a language model's server."""

import json
import queue
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    FaultyServer,
    faulty,
    status,
)
from tests.pages.browser import DASHBOARD, needs_chromium, opened_list, serving
from tests.pages.test_browser import SCORES_WITHIN, fill_by_hand

pytestmark = needs_chromium

WITHIN = 30_000
KEY = "sk-very-secret"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a freshly started app that remembers no answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with serving(DASHBOARD) as url:
            yield url


class LedModel:
    """A server whose answer a test leads: pieces are put, then None for its end."""

    def __init__(self, server: FaultyServer) -> None:
        self.server = server
        self.pieces: queue.Queue[str | None] = queue.Queue()
        server.plan = [self._answer, self._answer]

    def _answer(self, exchange: Exchange) -> None:
        exchange.start_stream()
        while (piece := self.pieces.get(timeout=60)) is not None:
            self._send(exchange, {"delta": {"content": piece}})
        self._send(exchange, {"delta": {}, "finish_reason": "stop"})
        exchange.chunk(b"data: [DONE]\n\n")
        exchange.wfile.write(b"0\r\n\r\n")

    @staticmethod
    def _send(exchange: Exchange, choice: dict[str, object]) -> None:
        exchange.chunk(
            b"data: " + json.dumps({"choices": [{"index": 0} | choice]}).encode() + b"\n\n"
        )


@pytest.fixture
def model() -> Iterator[LedModel]:
    with faulty() as server:
        led = LedModel(server)
        yield led
        led.pieces.put(None)
        led.pieces.put(None)


GIVEN = ("load now returns the items of the data", "Errors are hidden", "A list may be empty")
ROW = 70
HEADER = 36


def press(page: Page, name: str) -> None:
    main = page.get_by_test_id("stMain")  # above it Streamlit has a Stop of its own at times
    main.get_by_role("button", name=name, exact=True).click()


def choose_claims(page: Page, name: str) -> None:
    opened_list(page, "Claims").filter(has_text=name).click()


def make_claims(page: Page, address: str) -> Locator:
    """The table of the given claims, made and in view."""
    fill_by_hand(page, address)
    choose_claims(page, "given below")
    page.get_by_label("Claims, one a line").fill("\n".join(GIVEN))
    page.get_by_text("Claims", exact=True).last.click()
    press(page, "Make claims")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible(timeout=SCORES_WITHIN)
    expect(page.get_by_text("3 claims, as they were made.")).to_be_visible()
    return table


def write(page: Page, table: Locator, row: int, text: str) -> None:
    """Write into the first column."""
    expect(table.get_by_test_id(f"glide-cell-1-{row}")).to_be_attached()
    table.dblclick(position={"x": 200, "y": HEADER + ROW * row + ROW / 2})
    cell = page.locator("#portal textarea")
    cell.fill(text)
    cell.press("Enter")
    expect(cell).to_have_count(0)


def choose_endpoint(page: Page, address: str, model: LedModel) -> None:
    fill_by_hand(page, address)
    choose_claims(page, "endpoint")
    for label, value in (("Base URL", model.server.base_url), ("Model", "small"), ("API key", KEY)):
        page.get_by_label(label, exact=True).fill(value)
        page.get_by_label(label, exact=True).press("Enter")
    expect(page.get_by_text("Available: ")).to_be_visible(timeout=WITHIN)


def rows(page: Page) -> dict[str, str]:
    """Source of each pseudo-reference that is no smell."""
    cells = [
        row.locator("td").all_inner_texts()
        for row in page.locator("table.typed-table").nth(2).locator("tbody tr").all()
    ]
    return {text: source for _, text, kind, source, *_ in cells if kind != "smell"}


def test_claims_are_edited_added_removed_and_reset(page: Page, address: str) -> None:
    table = make_claims(page, address)
    write(page, table, 1, "Any error is hidden <b>now</b>")
    expect(page.get_by_text("1 of 3 claims edited, 0 added, 0 removed.")).to_be_visible()
    table.hover()
    press(page, "Add row: Claims about the diff")
    write(page, table, 3, "Nothing is logged")
    expect(page.get_by_text("1 of 3 claims edited, 1 added, 0 removed.")).to_be_visible()
    table.click(position={"x": 200, "y": HEADER + ROW / 2})
    page.keyboard.press("Shift+Space")
    page.keyboard.press("Delete")
    expect(page.get_by_text("1 of 3 claims edited, 1 added, 1 removed.")).to_be_visible()
    press(page, "Score")
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=SCORES_WITHIN)
    assert rows(page) == {
        "Any error is hidden <b>now</b>": "edited",
        "A list may be empty": "given",
        "Nothing is logged": "edited",
    }
    page.get_by_text("What was analysed, and how this was made").click()
    expect(page.get_by_text("+edited-")).to_be_visible()
    # They are there again after another page, and gone when they are reset.
    page.get_by_role("link", name="Guide").click()
    page.get_by_role("link", name="Score", exact=True).click()
    expect(page.get_by_text("1 of 3 claims edited, 1 added, 1 removed.")).to_be_visible()
    press(page, "Reset")
    expect(page.get_by_text("3 claims, as they were made.")).to_be_visible()
    expect(page.get_by_text("The form has changed since")).to_be_visible()


def test_a_model_is_watched_and_then_its_claims_are_scored(
    page: Page, address: str, model: LedModel
) -> None:
    choose_endpoint(page, address, model)
    press(page, "Score")
    expect(page.get_by_text("Waiting for the first token")).to_be_visible(timeout=WITHIN)
    model.pieces.put("Summary of changes:\n1. load hides every error\n")
    answer = page.get_by_test_id("stCode")
    expect(answer).to_contain_text("1. load hides every error", timeout=SCORES_WITHIN)
    page.get_by_role("link", name="Guide").click()
    model.pieces.put("2. An empty <b>list</b> is returned\n")
    page.get_by_role("link", name="Score", exact=True).click()
    expect(answer).to_contain_text("2. An empty <b>list</b> is returned", timeout=WITHIN)
    expect(page.get_by_text("2 tokens in")).to_be_visible()
    model.pieces.put(None)
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=SCORES_WITHIN)
    assert rows(page) == {
        "load hides every error": "endpoint",
        "An empty <b>list</b> is returned": "endpoint",
    }
    assert model.server.received[0].key == f"Bearer {KEY}"
    assert KEY not in page.url
    assert KEY not in page.locator("body").inner_text()


def test_a_model_is_stopped_while_it_writes(page: Page, address: str, model: LedModel) -> None:
    choose_endpoint(page, address, model)
    press(page, "Score")
    model.pieces.put("1. load ")
    expect(page.get_by_test_id("stCode")).to_contain_text("1. load", timeout=SCORES_WITHIN)
    expect(page.get_by_role("button", name="Score", exact=True)).to_be_disabled()
    press(page, "Stop")
    expect(page.get_by_text("The language model was stopped.")).to_be_visible(timeout=WITHIN)
    expect(page.get_by_role("button", name="Score", exact=True)).to_be_enabled()
    expect(page.get_by_test_id("stMetric")).to_have_count(0)


def test_a_server_that_refuses_is_a_message(page: Page, address: str, model: LedModel) -> None:
    model.server.plan = [status(401, {"error": {"message": "wrong key"}})]
    choose_endpoint(page, address, model)
    press(page, "Score")
    expect(page.get_by_test_id("stAlert").filter(has_text="wrong key")).to_be_visible(
        timeout=WITHIN
    )
    expect(page.get_by_role("button", name="Score", exact=True)).to_be_enabled()
