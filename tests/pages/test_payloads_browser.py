"""Hostile texts as reviews, systems, claims, diffs, ids and names of runs, through every page."""

import os
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from crscore_core.claims import Claim, ClaimKind, claim_generator
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.run.store import RunStore
from crscore_core.corpus.score import score_corpus
from crscore_core.scoring import CachedEncoder
from crscore_core.text import unseen_as_codes
from tests.pages.browser import CHROMIUM, DASHBOARD, needs_chromium, serving, settled
from tests.pages.payloads import PAYLOADS

pytestmark = needs_chromium

GROUPS = [PAYLOADS[start : start + 10] for start in range(0, len(PAYLOADS), 10)]
WITHIN = 90_000
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


def diff_of(texts: tuple[str, ...]) -> str:
    lines = "\n".join(texts).split("\n")
    return f"@@ -0,0 +1,{len(lines)} @@ {texts[1]}\n+" + "\n+".join(lines) + "\n"


def hostile_corpus() -> Corpus:
    """Ten hostile texts a change; each is a claim, a review, its system and its id."""
    changes = []
    for number, texts in enumerate(GROUPS):
        reviews = tuple(
            CorpusReview(text, text, text, Ratings(3, 3, 1 + 4 * (at % 2)))
            for at, text in enumerate(texts)
        )
        claims = tuple(Claim(text, ClaimKind.CLAIM, text, text, 1) for text in texts)
        changes.append(
            CorpusChange(
                f"{number} {texts[0]}", "python", diff_of(texts), reviews, texts[2], claims
            )
        )
    return Corpus("hostile", tuple(changes))


@pytest.fixture(scope="module")
def run_id(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A saved run of hostile texts, in a folder that the app is told of."""
    folder = tmp_path_factory.mktemp("runs")
    comparison = score_corpus(hostile_corpus(), claim_generator("symbolic"), CachedEncoder())
    assert not comparison.left_out
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(os.environ, "CRSCORE_RUNS", str(folder))
        yield RunStore(folder).save(PAYLOADS[1], comparison).id


@pytest.fixture(scope="module")
def address(run_id: str) -> Iterator[str]:
    assert run_id
    with serving(DASHBOARD) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


class Watched:
    """A page that notes dialogs, and whom it asks for anything."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1440, "height": 3000})
        self.dialogs: list[str] = []
        self.hosts: set[str] = set()
        self._own = urlsplit(url).netloc
        self.page.on("dialog", self._dismiss)
        self.page.on("request", self._note)

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _note(self, request: object) -> None:
        address = urlsplit(request.url)  # type: ignore[attr-defined]
        if address.scheme in {"http", "https", "ws", "wss", "ftp"}:
            self.hosts.add(address.netloc)

    def wait(self) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_be_visible(timeout=WITHIN)
        settled(self.page, WITHIN)
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=WITHIN)

    def check(self) -> None:
        assert self.dialogs == []
        assert self.hosts == {self._own}
        assert self.page.evaluate(FOREIGN) == []
        assert urlsplit(self.page.url).netloc == self._own
        expect(self.page.get_by_test_id("stException")).to_have_count(0)


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[Watched]:
    found = Watched(browser, address)
    yield found
    found.page.close()


def as_shown(text: str) -> str:
    return unseen_as_codes(text)


PLACES = [
    "failures",
    "rankings",
    "thresholds",
    "validity",
    "data?data_section=Saved+runs",
    *(f"heatmap?change={quote(f'{number} {texts[0]}')}" for number, texts in enumerate(GROUPS)),
]


@pytest.mark.parametrize("place", PLACES)
def test_no_page_takes_text_for_more(
    watched: Watched, address: str, run_id: str, place: str
) -> None:
    joint = "&" if "?" in place else "?"
    watched.page.goto(f"{address}/{place}{joint}data=run-{run_id}")
    watched.wait()
    expect(watched.page.get_by_text("<img src=x").first).to_be_attached()  # the run's name
    watched.check()


@pytest.mark.parametrize("text", PAYLOADS[:41:4])
def test_a_case_shows_its_review_as_typed(
    watched: Watched, address: str, run_id: str, text: str
) -> None:
    watched.page.goto(f"{address}/failures?data=run-{run_id}&case={quote(text)}")
    watched.wait()
    shown = watched.page.locator(".typed-text").filter(visible=True)
    expect(shown.first).to_be_visible(timeout=WITHIN)
    assert as_shown(text).strip() in [one.strip() for one in shown.all_inner_texts()]
    watched.check()


def test_the_score_page_takes_them_for_text(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address)
    page.get_by_label("Diff", exact=True).fill(diff_of(PAYLOADS[:20]))
    page.get_by_label("Review 1", exact=True).fill("\n".join(PAYLOADS[:40]))
    page.get_by_label("Name of review 1").fill(PAYLOADS[1])
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_test_id("stMetric")).to_have_count(4, timeout=WITHIN)
    watched.wait()
    sentences = page.locator("table.typed-table").nth(1)
    expect(sentences).to_contain_text(PAYLOADS[1])
    expect(sentences).to_contain_text(PAYLOADS[3])
    watched.check()
