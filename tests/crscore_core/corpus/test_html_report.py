"""A scored corpus as one HTML file: what it says, and that no text of people becomes markup."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Dialog, sync_playwright

from crscore_core.change import LineKind, parse
from crscore_core.change.diff_lines import diff_lines
from crscore_core.corpus.comparison import (
    ComparedChange,
    ComparedReview,
    CorpusComparison,
    LeftOut,
)
from crscore_core.corpus.html_report import html_report, report
from crscore_core.corpus.html_report.report import typed
from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.statistics import rank_correlation
from crscore_core.text import unseen_as_codes
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.browser import CHROMIUM, needs_chromium
from tests.pages.payloads import PAYLOADS

VOID = {"meta", "br", "hr", "img", "input", "link"}
MADE = ("script", "img", "svg", "iframe", "a", "form", "input", "button", "object", "video", "link")


class Outline(HTMLParser):
    """Which elements a document has, and whether each that begins also ends."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.wrong: list[str] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def table(document: str, start: str) -> list[list[str]]:
    """The texts of the rows of the first table whose tag begins so."""
    begin = document.index(start)
    end = document.index("</table>", begin) + len("</table>")
    rows = ET.fromstring(document[begin:end]).iter("tr")  # noqa: S314 - our own markup
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def hostile(payloads: tuple[str, ...] = PAYLOADS) -> CorpusComparison:
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
    return CorpusComparison(
        payloads[0], payloads[-1], tuple(changes), left_out, tuple(reviews), payloads
    )


def rated() -> CorpusComparison:
    return made_comparison(
        *(scoring(change, share, rating, system)
          for change in range(6)
          for system, share, rating in (("a", change / 10, 1 + change % 5), ("b", 0.7, 5)))
    )  # fmt: skip


def test_a_filler_that_nobody_sees_is_shown_by_its_code() -> None:
    assert "a\u3164\u115f\u202eb" not in typed("a\u3164\u115f\u202eb")
    assert typed("a\u3164\u115f\u202e\tb\n").striptags() == "aU+3164U+115FU+202E b"


def test_no_language_of_a_bare_hunk_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(parse, "guess_language")
    shown = diff_lines("@@ -1 +1 @@\n-x\n+y\n", guess=False)
    assert [(line.kind, line.text) for line in shown.lines[1:]] == [
        (LineKind.REMOVED, "x"), (LineKind.ADDED, "y"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "comparison",
    [hostile(), rated(), hostile(("\ud800 half a pair",)), made_comparison(scoring(0, 0.5, 3))],
)
def test_it_is_one_balanced_document_without_foreign_elements(
    comparison: CorpusComparison,
) -> None:
    document = html_report(comparison, 0.3, "A title", note="A note")
    outline = Outline(document)
    assert outline.wrong == []
    assert outline.open == []
    assert not set(MADE) & set(outline.tags)
    assert not [name for name in outline.attributes if name.startswith("on")]
    assert not outline.attributes & {"src", "href", "action", "srcdoc", "style"}
    assert outline.tags.count("html") == outline.tags.count("style") == 1
    assert document.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in document
    document.encode("utf-8")


def test_it_says_what_was_left_out_and_warned_of() -> None:
    left_out = (LeftOut("change 9", "it gives no pseudo-references"),)
    comparison = replace(rated(), left_out=left_out, warnings=("change 3: a warning",))
    document = html_report(comparison, 0.25, "My reviews")
    for text in ("change 9", "it gives no pseudo-references", "change 3: a warning"):
        assert text in document
    assert "12 reviews of 6 changes by 2 systems" in document
    assert "When" not in document


def test_figures_of_systems_are_those_of_the_core() -> None:
    """Rel knows b as better, predicted relevance a in every change."""
    comparison = rated()
    predicted = np.array([0.8 if system == "a" else 0.4 for system in comparison.system])
    known = zip(comparison.reviews, predicted, strict=True)
    reviews = tuple(replace(one, predicted=(float(value), 1, 1, 1)) for one, value in known)
    comparison = replace(comparison, reviews=reviews)
    scores = comparison.scores([0.3])[:, 0]
    document = html_report(comparison, 0.3, "x")
    groups, head, *rows = table(document, '<table id="systems">')
    assert groups == [
        "System", "Reviews", "Predicted relevance", "How much of the change it talks about",
        "People", "Spearman with people's relevance",
    ]  # fmt: skip
    assert head == ["Con", "Comp", "Rel", *DIMENSIONS, "predicted", "Rel"]
    assert [row[0] for row in rows] == ["a", "b"]
    for row, mean in zip(rows, ("0.800", "0.400"), strict=True):
        of = comparison.system == row[0]
        assert row[1:3] == [str(of.sum()), f"{mean} ({mean} to {mean})"]
        for column in range(len(DIMENSIONS)):
            score, people = scores[column, of].mean(), comparison.ratings[of, column].mean()
            assert row[3 + column].startswith(f"{score:.3f} (")
            assert row[6 + column].startswith(f"{people:.2f} (")
    of_a = comparison.system == "a"
    rho = rank_correlation(scores[2, of_a], comparison.ratings[of_a, 2]).spearman
    assert rows[0][10].startswith(f"{rho:.3f}")
    assert rows[0][9] == rows[1][9] == rows[1][10] == "–"  # all scores are the same: no order
    assert '<div class="note">\n<p><bdi dir="auto">By predicted relevance a is above b' in document
    *_, (score, n_reviews, spearman, kendall) = table(document, "<table>")
    both = rank_correlation(scores[2], comparison.ratings[:, 2])
    assert (score, n_reviews) == ("relevance", "12")
    assert spearman.startswith(f"{both.spearman:.3f} (")
    assert kendall.startswith(f"{both.kendall:.3f} (")
    first = table(document, "<table>")[1]
    also = rank_correlation(predicted, comparison.ratings[:, 2])
    assert first[0] == "predicted relevance"
    assert first[2].startswith(f"{also.spearman:.3f} (")
    # Nothing but Rel where nothing is predicted.
    _, head, *_ = table(html_report(rated(), 0.3, "x"), '<table id="systems">')
    assert head == ["Con", "Comp", "Rel", *DIMENSIONS, "Rel"]


def test_a_review_without_sentences_has_no_score() -> None:
    comparison = unrated(made())
    assert "It has no sentence" not in html_report(rated(), 0.3, "x")
    document = html_report(comparison, 0.3, "x")
    assert "Con not scored, Comp not scored, Rel not scored" in document
    assert "It has no sentence" in document
    assert "Nobody rated these reviews" in document


def test_many_reviews_have_no_matrices_and_too_many_changes_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = html_report(rated(), 0.3, "x")
    assert 'class="matrix"' in whole
    monkeypatch.setattr(report, "MOST_WITH_MATRICES", 11)
    without = html_report(rated(), 0.3, "x")
    assert 'class="matrix"' not in without
    assert "matrices are left out, as there are more than 11 reviews" in without
    one_change = (len(without) - without.index("<section>")) // 6
    monkeypatch.setattr(report, "MOST_CHARACTERS", 2 * one_change + 200)
    cut = html_report(rated(), 0.3, "x")
    assert "Only the first 2 of 6 changes" in cut
    assert cut.count("<section>") == 2
    assert "12 reviews of 6 changes" in cut


def test_long_diffs_are_cut_and_it_says_so() -> None:
    comparison = made_comparison(scoring(0, 0.5, 3))
    lines = ["+short"] * 700 + ["+end"]
    diff = f"@@ -0,0 +1,{len(lines) + 1} @@\n+" + "w" * 2_500 + "\n" + "\n".join(lines)
    comparison = replace(comparison, changes=(replace(comparison.changes[0], diff=diff),))
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
    texts = page.locator(".text bdi").evaluate_all("all => all.map(one => one.textContent)")
    assert texts == [unseen_as_codes(payload) for payload in PAYLOADS]
    names = page.locator("#systems th[scope=row] bdi").all_text_contents()
    assert names == [unseen_as_codes(f"S{payload}") for payload in PAYLOADS]
    assert page.locator("h1").text_content() == title
    assert page.locator(", ".join(MADE)).count() == 0
    page.emulate_media(media="print")
    assert page.locator(".text").first.is_visible()
    page.close()
    assert happened == [file.as_uri()]


@needs_chromium
def test_folded_changes_are_printed(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "report.html"
    comparison = made_comparison(*(scoring(change, 0.5, 3) for change in range(30)))
    file.write_text(html_report(comparison, 0.3, "x"), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    assert page.locator("details[open]").count() == 0
    on_screen = page.locator(".matrix").first.bounding_box()
    page.emulate_media(media="print")
    printed = page.locator(".matrix").first.bounding_box()
    page.close()
    assert not on_screen or on_screen["height"] == 0
    assert printed
    assert printed["height"] > 0
