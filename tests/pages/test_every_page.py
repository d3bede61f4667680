"""Every page on every kind of source, without a browser: what all pages have in common."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.reviews import LeftOut, Reviews
from crscore_core.corpus.run.store import RunStore
from tests.crscore_core.corpus.made_reviews import altered, made, reviews_of, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.app_page import app_page, chart, markup, rated_in_turn, said
from tests.pages.payloads import PAYLOAD_GROUPS

TITLES = {
    "heatmap": "Heatmap",
    "failures": "Failure cases",
    "rankings": "Rankings",
    "thresholds": "Threshold",
    "validity": "Validity",
}
every_page = pytest.mark.parametrize("name", TITLES)

RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(4)
        for system, share, rating in (("good", 0.9, 5), ("bad", change / 10, 1 + change % 2))
    )
)
EMPTY = reviews_of([], [], left_out=[LeftOut("1", "it is empty")])


@pytest.mark.parametrize("name", [*TITLES, "rate", "data"])
def test_the_study_is_shown_without_an_encoder(name: str, no_encoder: None) -> None:  # noqa: ARG001
    page = app_page(name)
    assert page.title[0].value == TITLES.get(name, name.capitalize())
    assert bool(page.get("plotly_chart")) is (name in TITLES)
    assert ("other changes are kept apart as a test set" in said(page)) is (name != "data")
    assert not page.error


@every_page
@pytest.mark.parametrize(
    ("comparison", "is_rated"),
    [
        (RATED, True),
        (rated_in_turn(RATED, Ratings(3, 3, 3)), True),
        (rated_in_turn(RATED, Ratings(conciseness=2)), True),
        (rated_in_turn(RATED, UNRATED), False),
        (made(), True),
        (unrated(made()), False),
        (made_comparison(scoring(0, 0.5, 3, "alone")), True),
    ],
    ids=["rated", "all the same", "one dimension", "unrated", "by hand", "by hand, unrated", "one"],
)
def test_an_imported_file_is_shown_and_missing_ratings_are_said(
    name: str, comparison: Reviews, is_rated: bool
) -> None:
    page = app_page(name, comparison)
    assert "Reviews made by hand" in said(page)
    assert not page.error
    if name != "heatmap":
        assert ("obody rated these" in said(page)) is not is_rated
    if comparison is RATED:
        page.slider(key="tau").set_value(0.9).run()
        assert not page.exception


@every_page
def test_a_saved_run_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path))
    page = app_page(name, f"run-{RunStore().save('Mine', RATED).id}")
    assert "saved on" in said(page)
    assert not page.error


@pytest.mark.parametrize(
    ("name", "url"), [("heatmap", {}), ("failures", {}), ("rankings", {"rankings_change": "0"})]
)
def test_warnings_of_a_review_are_shown_with_it(
    name: str, url: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path))
    warnings = ("1 passage is **hidden**",)
    reviews = (replace(one, warnings=warnings) for one in RATED)
    run = RunStore().save("Mine", altered(RATED, reviews=tuple(reviews)))
    page = app_page(name, f"run-{run.id}", url)
    warned = [one.value for one in page.warning]
    assert any(text.endswith(r"1 passage is \*\*hidden\*\*") for text in warned)


@every_page
@pytest.mark.parametrize("data", ["release", "run-0123456789abcdef0123456789abcdef"])
def test_a_source_that_is_not_there_is_an_error(
    name: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CRSCORE_STUDY", "CRSCORE_RUNS"):
        monkeypatch.setenv(variable, str(tmp_path))
    page = app_page(name, data)
    assert len(page.error) == len(page.get("page_link")) == 1
    assert not page.get("plotly_chart")
    assert not page.dataframe


def nothing_scored(name: str) -> tuple[AppTest, str]:
    return app_page(name, EMPTY), "has no review that could be scored"


def nothing_imported(name: str) -> tuple[AppTest, str]:
    return app_page(name, "file"), "No file is imported"


@every_page
@pytest.mark.parametrize("opened", [nothing_scored, nothing_imported])
def test_a_page_with_nothing_to_show_says_why_and_leads_to_data(
    name: str, opened: Callable[[str], tuple[AppTest, str]]
) -> None:
    page, words = opened(name)
    assert words in page.info[0].value
    assert len(page.get("page_link")) == 1
    left_out = [change.value["why"].tolist() for change in page.dataframe]
    assert left_out == ([["it is empty"]] if opened is nothing_scored else [])
    assert not page.get("plotly_chart")
    assert not page.slider


NONSENSE = {
    "heatmap": ("review", "change", "cell", "heatmap_curve", "heatmap_picture"),
    "failures": (
        "case",
        "failures_score",
        "failures_system",
        "failures_words",
        "failures_view",
        "failures_people",
        "failures_good",
    ),
    "rankings": ("by", "rankings_change", "rankings_language"),
    "thresholds": (),
    "validity": ("validity_part", "validity_label"),
}


@every_page
@pytest.mark.parametrize("value", ["<b>![x](http://x)", "²-1", "9" * 5_000, ""])
def test_nonsense_in_the_address_is_left_aside(name: str, value: str) -> None:
    page = app_page(name, RATED, dict.fromkeys((*NONSENSE[name], "tau"), value))
    assert page.get("plotly_chart")
    assert "![" not in said(page)


@every_page
@pytest.mark.parametrize("number", range(len(PAYLOAD_GROUPS)))
def test_people_s_text_is_only_text(name: str, number: int, hostile: Reviews) -> None:
    text = PAYLOAD_GROUPS[number][1]
    comparison = altered(hostile, left_out=(LeftOut(text, text),))
    page = app_page(name, comparison, {"change": comparison.changes[number].id})
    charts = ""
    for at in range(len(page.get("plotly_chart"))):
        figure = chart(page, at)
        for trace in figure["data"]:
            trace.pop("customdata", None)  # is not shown
            assert "%{" not in str(trace.get("hovertext"))
        charts += json.dumps(figure, ensure_ascii=False)
    assert not re.search(r"<(?!/?b>|br>|extra>|/extra>)", charts)
    assert "$" not in charts
    assert "](" not in said(page)
    assert not re.search(r"<(img|script|svg|iframe|a|b|i|h1|form)\b", markup(page))


def test_the_guide_explains_the_numbers() -> None:
    text = said(app_page("guide"))
    assert all(word in text for word in ("conciseness", "comprehensiveness", "relevance", "tau"))
    assert "Not measured: whether a review is right, or worth saying." in text
