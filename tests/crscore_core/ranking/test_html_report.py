"""A scored corpus as one HTML file: what it says, and that no text of people becomes markup."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Dialog, sync_playwright

from crscore_core.corpus.model import Ratings
from crscore_core.corpus.reviews import (
    ComparedChange,
    ComparedReview,
    LeftOut,
    Reviews,
)
from crscore_core.corpus.systems import MOST_SYSTEMS
from crscore_core.datasets.study.shipped import shipped_comparison
from crscore_core.ranking.html_report import file_name, html_report, report
from crscore_core.ranking.html_report.report import prose
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.text import unseen_as_codes
from tests.crscore_core.corpus.made_reviews import altered, reviews_of
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.browser import CHROMIUM, needs_chromium
from tests.pages.payloads import PAYLOADS

MADE = ("script", "img", "iframe", "a", "form", "input", "button", "object", "video", "link")


def table(document: str, number: int = 0) -> list[list[str]]:
    """The texts of the rows of a table, by its place in the document."""
    tables = list(ET.fromstring(document).iter("table"))  # noqa: S314 - our own markup
    return [["".join(cell.itertext()) for cell in row] for row in tables[number].iter("tr")]


def hostile(payloads: tuple[str, ...] = PAYLOADS) -> Reviews:
    """A comparison in which every text is a payload."""
    changes, reviews = [], []
    for number, text in enumerate(payloads):
        references = tuple(
            PseudoReference(f"{row}{text}", kind, text, text, row + 1)
            for row, kind in enumerate(ReferenceKind)
        )
        texts = tuple(one.text for one in references)
        changes.append(ComparedChange(f"{number}{text}", text, text, references, f"T{text}"))
        similarity = np.linspace(-0.2, 1, 6, dtype=np.float32).reshape(3, 2)
        made = ComparedReview(
            number, f"R{text}", f"S{text}", text, Ratings(1, 2.5, 3), texts, (text, "."), similarity
        )
        reviews.append(made)
    left_out = tuple(LeftOut(text, text) for text in payloads)
    return reviews_of(
        changes, reviews, left_out=left_out, warnings=payloads, encoder=payloads[0],
        claims=payloads[-1],
    )  # fmt: skip


def rated() -> Reviews:
    return made_comparison(
        *(scoring(change, share, rating, system)
          for change in range(6)
          for system, share, rating in (("a", change / 10, 1 + change % 5), ("b", 0.7, 5)))
    )  # fmt: skip


@pytest.mark.parametrize(
    "comparison",
    [hostile(), rated(), hostile(("\ud800 half a pair",)), made_comparison(scoring(0, 0.5, 3))],
)
def test_it_is_one_balanced_document_without_foreign_elements(
    comparison: Reviews,
) -> None:
    document = html_report(comparison, 0.3, "A title", note="A note")
    elements = list(ET.fromstring(document).iter())  # noqa: S314 - our own markup
    tags, attributes = (
        [one.tag for one in elements],
        {name for one in elements for name in one.attrib},
    )
    assert not set(MADE) & set(tags)
    assert not [name for name in attributes if name.startswith("on")]
    assert not attributes & {"src", "href", "action", "srcdoc", "style"}
    assert tags.count("html") == tags.count("style") == 1
    assert document.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in document
    document.encode("utf-8")


def with_cosines(*values: float) -> Reviews:
    """Rated reviews of systems a and b, all cosines of each the same, change by change."""
    known = zip(rated(), values, strict=True)
    reviews = tuple(
        replace(one, similarity=np.full_like(one.similarity, value)) for one, value in known
    )
    return altered(rated(), reviews=reviews)


def test_it_says_what_was_scored_left_out_and_warned_of() -> None:
    left_out = (LeftOut("change 9", "it gives no pseudo-references"),)
    first, *others = rated()
    reviews = (replace(first, warnings=("it has <hidden> text",)), *others)
    comparison = altered(
        rated(), left_out=left_out, warnings=("change 3: a warning",), reviews=reviews
    )
    document = html_report(comparison, 0.25, "My reviews", version="7.8")
    for text in ("change 9", "it gives no pseudo-references", "change 3: a warning",
                 "Warning: <bdi dir=\"auto\">it has &lt;hidden&gt; text</bdi>",
                 "12 reviews of 6 changes by 2 systems", "crscore:7.8|", "|tau:0.25",
                 "1 changes left out with their reviews",
                 "<title>CRScore report: My reviews</title>"):  # fmt: skip
        assert text in document
    day = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    dated = html_report(comparison, 0.25, "My <b>reviews", scored_at=day)
    assert "<title>CRScore report: My &lt;b&gt;reviews, 2026-01-02</title>" in dated
    assert "CRScore report of 2026-01-02 03:04 UTC</p>" in dated
    assert file_name("../My <b>", day, "html") == "crscore-my-b-2026-01-02.html"
    assert file_name("\u202e", None, "csv") == "crscore.csv"


def test_systems_stand_with_their_figures_a_chart_and_their_pairs() -> None:
    comparison = with_cosines(*[0.8, 0.4] * 6)
    document = html_report(comparison, 0.3, "x", measure="no_threshold")
    groups, head, *rows = table(document)
    assert groups == [
        "Rank", "System", "Reviews", "similarity without a threshold",
        "How much of the change it talks about", "People, 1 to 5", "Words",
    ]  # fmt: skip
    assert head == ["value (95 % interval)", "0.40.8", "Con", "Comp", "Rel"]
    assert [[*row[:2], row[3][:5], *row[5:]] for row in rows] == [
        ["1", "a", "0.800", "1.00", "1.00", "1.00", "2.67", "2"],
        ["2", "b", "0.400", "1.00", "1.00", "1.00", "5.00", "2"],
    ]
    assert "a&#39;s reviews are more similar to the change&#39;s points than b&#39;s: " in document
    (pair,) = table(document, 1)[1:]
    assert pair == ["a", "b", "0.400", "100.0%", "clear"]
    assert re.findall(r'<circle cx="([\d.]+)"', document) == ["156.0", "4.0"]
    by_relevance = html_report(comparison, 0.3, "x")
    assert "Systems, ordered by relevance" in by_relevance
    assert "right, or worth saying" in by_relevance


def test_people_order_the_systems_where_they_rated_enough() -> None:
    made = made_comparison(
        *(scoring(change, share, rating, system)
          for change in range(30)
          for system, share, rating in (("a", 0.9, 2), ("b", 0.3, 4)))
    )  # fmt: skip
    document = html_report(made, 0.5, "x")
    assert "People rated b&#39;s reviews as more relevant than a&#39;s" in document
    assert "The verdict rests on people&#39;s ratings: 60 reviews" in document
    assert [row[1] for row in table(document)[2:]] == ["b", "a"]
    chosen = html_report(made, 0.5, "x", measure="relevance")
    assert "People&#39;s ratings contradict this order" in chosen
    assert [row[1] for row in table(chosen)[2:]] == ["a", "b"]


def test_telling_reviews_follow_the_rule() -> None:
    """Change 2 is the one where the systems are farthest apart, once the extremes are taken."""
    comparison = with_cosines(0.9, 0.5, 0.5, 0.1, 0.7, 0.2, 0.5, 0.4, 0.5, 0.45, 0.5, 0.48)
    document = html_report(comparison, 0.3, "x", measure="no_threshold")
    told = re.findall(r"<h3>(.*?)</h3>\s*<p[^>]*><bdi[^>]*>(.)</bdi> on: <bdi[^>]*>(\w+)", document)
    title = "similarity without a threshold"
    assert told[:4] == [
        (f"Highest {title}", "a", "0"),
        (f"Lowest {title}", "b", "1"),
        (f"Widest gap on one change: the higher {title}", "a", "2"),
        (f"Widest gap on one change: the lower {title}", "b", "2"),
    ]
    assert told[4][0].endswith("by similarity without a threshold than by people")
    assert "Similarity without a threshold 0.90. About the change: " in document


@pytest.mark.parametrize(
    ("empty", "reviews", "ranks"),
    [
        (range(1, 2), ["6", "6 (1 empty)"], ["1", "2"]),
        (range(1, 12, 2), ["6", "6 (6 empty)"], ["1", ""]),
        (range(12), ["6 (6 empty)"] * 2, ["", ""]),
    ],
)
def test_an_empty_review_has_no_score(empty: range, reviews: list[str], ranks: list[str]) -> None:
    """A system whose reviews are all empty has none either, and no rank."""
    comparison = with_cosines(*[0.8, 0.4] * 6)
    kept = list(comparison)
    for at in empty:
        nothing = kept[at].similarity[:, :0]
        kept[at] = replace(kept[at], text="", sentences=(), similarity=nothing)
    kept_reviews = altered(comparison, reviews=tuple(kept))
    document = html_report(kept_reviews, 0.3, "x", measure="no_threshold")
    rows = table(document)[2:]
    assert [[row[0] for row in rows], [row[2] for row in rows]] == [ranks, reviews]
    assert [row[3] == "no score" for row in rows] == [not place for place in ranks]
    assert document.count("It has no sentence, so it has no score") == len(empty)
    assert document.count("Con not scored, Comp not scored, Rel not scored") == len(empty)
    assert ("No ranking: all reviews are empty" in document) == (len(empty) == 12)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a `b` c", "a <code>b</code> c"),
        ("a `b…", "a <code>b…</code>"),
        ("it`s `<b>`", "it<code>s </code>&lt;b&gt;`"),
        ("a ` b", "a ` b"),
        ("a\u3164\u115f\u202e\tb\n", "aU+3164U+115FU+202E\tb\n"),
    ],
)
def test_code_is_shown_as_code_and_what_nobody_sees_by_its_code(text: str, shown: str) -> None:
    assert re.sub("</?(bdi|span)[^>]*>", "", prose(text)) == shown


def test_too_many_changes_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = "<details>\n<summary>{}. ".format
    whole = html_report(rated(), 0.3, "x")
    first, second = (whole.index(changes(number)) for number in (1, 2))
    monkeypatch.setattr(report, "MOST_BYTES", 2 * (second - first) + 200)
    cut = html_report(rated(), 0.3, "x")
    assert "Only the first 2 of 6 changes" in cut
    assert changes(2) in cut
    assert changes(3) not in cut
    assert "12 reviews of 6 changes" in cut


def test_long_diffs_are_cut_and_it_says_so() -> None:
    comparison = made_comparison(scoring(0, 0.5, 3))
    lines = ["+short"] * 700 + ["+end"]
    diff = f"@@ -0,0 +1,{len(lines) + 1} @@\n+" + "w" * 2_500 + "\n" + "\n".join(lines)
    comparison = altered(comparison, changes=(replace(comparison.changes[0], diff=diff),))
    document = html_report(comparison, 0.3, "x")
    assert "500 more characters are not shown" in document
    assert "103 more lines are not shown" in document


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@needs_chromium
def test_all_columns_of_the_systems_are_in_view(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "report.html"
    file.write_text(html_report(shipped_comparison(), 0.3, "Study"), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    for width in (1440, 1024, 800):
        page.set_viewport_size({"width": width, "height": 900})
        sizes = "one => [one.scrollWidth, one.clientWidth]"
        needed, shown = page.locator("#systems").locator("..").evaluate(sizes)
        assert needed <= shown, width
    page.close()


@needs_chromium
def test_hostile_texts_stay_text_in_a_browser(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "report.html"
    title = PAYLOADS[0]
    file.write_text(html_report(hostile(), 0.3, title, note=PAYLOADS[1]), encoding="utf-8")
    happened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        happened.append(dialog.message)
        dialog.dismiss()

    page = browser.new_page()
    page.on("request", lambda request: happened.append(request.url))
    page.on("console", lambda message: happened.append(message.text))
    page.on("dialog", dismiss)
    page.goto(file.as_uri())
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    texts = page.locator(".said li > bdi").evaluate_all("all => all.map(one => one.textContent)")
    assert texts[::2] == [unseen_as_codes(payload) for payload in PAYLOADS]
    names = page.locator("#systems th[scope=row] bdi").all_text_contents()
    assert len(set(names)) == min(len(PAYLOADS), MOST_SYSTEMS)
    assert set(names) <= {unseen_as_codes(f"S{payload}") for payload in PAYLOADS}
    assert page.locator("h1").text_content() == title
    assert page.locator(", ".join(MADE)).count() == 0
    # What is folded is printed where it is open; the rest of the report always is.
    page.emulate_media(media="print")
    folded = page.locator("details").last
    assert folded.is_visible()
    folded.evaluate("one => { one.open = false }")
    assert not folded.is_visible()
    assert page.locator("#systems").is_visible()
    page.close()
    assert happened == [file.as_uri()]
