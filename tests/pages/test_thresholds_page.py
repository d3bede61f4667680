"""The page Threshold without a browser."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from pages.components import thresholds_panels
from pages.components.thresholds_panels import best_of
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import alt, app_page, chart, markup, said


def opened(data: str | CorpusComparison, tau: str = "0.600") -> AppTest:
    return app_page("thresholds", data, {"tau": tau})


def curves(page: AppTest) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in chart(page)["data"]}


def lines(page: AppTest) -> set[float]:
    """Where vertical lines stand."""
    shapes = chart(page)["layout"]["shapes"]
    return {shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]}


# One sentence against one pseudo-reference: half of the reviews fall at 0.5, half at 0.75.
FALLING = [
    Made(change, (rating,) * 3, [[similarity]], system)
    for change in range(8)
    for system, rating, similarity in (("a", 2, 0.5), ("b", 5, 0.75))
]
COMPARISON = made_comparison(*FALLING)


def rated(*ratings: Ratings) -> CorpusComparison:
    reviews = [
        replace(review, ratings=ratings[number % len(ratings)])
        for number, review in enumerate(COMPARISON.reviews)
    ]
    return replace(COMPARISON, reviews=tuple(reviews))


def test_the_sample_is_swept() -> None:
    page = opened("sample")
    assert not page.info
    assert {"Rel", "systems by Rel", "mean Con"} <= set(curves(page))
    assert "Precision" not in curves(page)
    assert all(len(trace["x"]) == 101 for trace in curves(page).values())
    assert "Table 4" not in markup(page)


def test_curves_figures_and_lines_are_those_of_each_tau(monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(COMPARISON)
    zero = curves(page)["with Rel 0"]["y"]
    assert (zero[40], zero[60], zero[80]) == (0, 0.5, 1)
    people = curves(page)["Rel"]["y"]
    assert people[40] is None  # all scores are 1, so there is no order
    assert people[60] == pytest.approx(1)
    shown = markup(page)
    assert all(words in shown for words in ("At tau 0.600", "share of reviews with Rel 0", "0.500"))
    # People rate b best, whose sentences are 0.75 similar; there are no reference reviews.
    assert {0.6, 0.75} <= lines(page)
    assert "0.750" in shown
    assert "there are none" in said(page)
    assert "best, b" in said(page)
    heads = re.findall(
        r'<th scope="col" class="([^"]*)" style="([^"]*)">(?:<[^>]*>)?95 %', markup(page)
    )
    width = len("0.000 to 1.000")  # intervals have the room of a line
    assert heads == [("typed-wide", f"min-width:calc({width}ch + 2rem)")] * 2

    def again(*_: object) -> None:
        raise AssertionError("the sweep depends on no tau")

    monkeypatch.setattr(thresholds_panels, "sweep_thresholds", again)
    page.slider(key="tau").set_value(0.7).run()
    assert not page.exception
    assert 0.7 in lines(page)
    assert 0.6 not in lines(page)
    assert "At tau 0.700" in markup(page)


def test_reference_reviews_are_left_out_where_there_are_others() -> None:
    truth = [Made(change, (5, 5, 5), [[0.6]], GROUND_TRUTH) for change in range(8)]
    for reviews, is_said in ((FALLING, False), (truth, False), ([*FALLING, *truth], True)):
        page = opened(made_comparison(*reviews))
        assert ("ground truth are left out" in said(page)) is is_said


def test_missing_ratings_and_missing_correlations_are_told_apart() -> None:
    page = opened(rated(UNRATED))
    assert list(curves(page)) == [
        "with Rel 0", "with Rel 1", "mean Con", "mean Comp", "mean Rel",
    ]  # fmt: skip
    assert "review by review" not in markup(page)
    for comparison in (rated(Ratings(3, 3, 3)), made_comparison(Made(0, (5, 4, 3), [[0.5]], "a"))):
        page = opened(comparison)
        assert "no correlation with what they say is defined" in page.info[0].value
    page = opened(rated(Ratings(conciseness=2), Ratings(conciseness=5)))
    assert not page.info
    assert "Con" in curves(page)
    assert "systems by Rel" not in curves(page)


def test_the_chart_has_its_figures_in_words() -> None:
    reviews = [
        scoring(change, share, rating, system)
        for change in range(6)
        for system, share, rating in (("a", 0.9, 5), ("b", 0.2, 3), ("c", 0.5, 1))
    ]
    assert "mean Rel: 0.533 at tau 0.50" in alt(opened(made_comparison(*reviews), "0.500"))
    assert best_of([0.1, 0.2, 0.3], [None, 0.5, 0.5]) == (0.2, 0.5)
    assert best_of([0.1], [None]) is None


def test_many_reviews_are_swept() -> None:
    reviews = [
        scoring(at % 500, (at % 10) / 10, 1 + at % 5, f"s{at % 2_000}") for at in range(5_000)
    ]
    page = opened(made_comparison(*reviews))
    assert "Over 5,000 reviews" in said(page)
    assert "of the 40 systems with the most reviews; there are 1,960 others" in said(page)


def test_the_study_has_matching_and_the_paper_s_tables(
    study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = opened("study")
    assert {"Precision", "Recall", "F1"} <= set(curves(page))
    shown = markup(page)
    assert "Table 4 and Table 18" in shown
    assert "0.7314 tau_best" in shown
    assert "precision of matching" in shown
    assert "cannot be compared" in said(page)
