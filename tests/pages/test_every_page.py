"""Every page on every kind of source, without a browser: what all pages have in common."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison, LeftOut
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.run.store import RunStore
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.app_page import app_page, chart, labels, markup, said
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
EMPTY = CorpusComparison("by hand", "by hand", (), (LeftOut("1", "it is empty"),), ())


def with_ratings(ratings: Ratings) -> CorpusComparison:
    return replace(RATED, reviews=tuple(replace(one, ratings=ratings) for one in RATED.reviews))


@every_page
def test_the_sample_is_called_made_up(name: str) -> None:
    page = app_page(name)
    assert page.title[0].value == TITLES[name]
    assert "no finding rests on them" in said(page)
    assert page.get("plotly_chart")
    assert not page.error


@every_page
def test_the_study_is_shown(name: str, study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = app_page(name, "study")
    assert "rated by people" in said(page)
    assert page.get("plotly_chart")
    assert not page.error


@every_page
@pytest.mark.parametrize(
    ("comparison", "is_rated"),
    [
        (RATED, True),
        (with_ratings(Ratings(3, 3, 3)), True),
        (with_ratings(Ratings(conciseness=2)), True),
        (with_ratings(UNRATED), False),
        (made(), True),
        (unrated(made()), False),
        (made_comparison(scoring(0, 0.5, 3, "alone")), True),
    ],
    ids=["rated", "all the same", "one dimension", "unrated", "by hand", "by hand, unrated", "one"],
)
def test_an_imported_file_is_shown_and_missing_ratings_are_said(
    name: str, comparison: CorpusComparison, is_rated: bool
) -> None:
    page = app_page(name, comparison)
    assert "Reviews made by hand" in said(page)
    assert not page.error
    if name != "heatmap":
        assert ("obody rated these" in said(page)) is not is_rated
    page.slider(key="tau").set_value(0.9).run()
    assert not page.exception


@every_page
def test_a_saved_run_is_shown_until_it_is_gone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path))
    store = RunStore()
    run_id = store.save("Mine", RATED).id
    page = app_page(name, f"run-{run_id}")
    assert "saved on" in said(page)
    assert not page.error
    page = app_page(name, "run-0123456789abcdef0123456789abcdef")
    assert len(page.error) == len(page.get("page_link")) == 1
    assert not page.get("plotly_chart")


def nothing_scored(name: str) -> tuple[AppTest, str]:
    return app_page(name, EMPTY), "could be compared" if name == "validity" else "no review"


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
    assert not page.get("plotly_chart")
    assert not page.slider


@every_page
def test_a_study_that_is_not_there_is_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path))
    page = app_page(name, "study")
    assert len(page.error) == len(page.get("page_link")) == 1
    assert not page.get("plotly_chart")
    assert not page.dataframe


NONSENSE = {
    "heatmap": ("review", "change", "cell", "heatmap_curve", "heatmap_picture"),
    "failures": ("case", "failures_score", "failures_system", "failures_words", "failures_view"),
    "rankings": ("rankings_metrics", "rankings_system", "rankings_language", "rankings_people"),
    "thresholds": (),
    "validity": ("validity_part",),
}


@every_page
@pytest.mark.parametrize("value", ["<b>![x](http://x)", "²-1", "9" * 5_000, ""])
def test_nonsense_in_the_address_is_left_aside(name: str, value: str) -> None:
    page = app_page(name, RATED, dict.fromkeys((*NONSENSE[name], "tau"), value))
    assert page.get("plotly_chart")
    assert "![" not in said(page)


def hostile(texts: Sequence[str]) -> CorpusComparison:
    """Each text as a review, its system, its id, its sentences; the title of the change, too."""
    first = made().reviews[0]
    reviews = tuple(
        replace(
            first,
            system=text,
            text=text,
            id=f"{number} {text}",
            sentences=(text,),
            ratings=Ratings(3, 3, 1 + 4 * (number % 2)),
        )
        for number, text in enumerate(texts)
    )
    changes = tuple(replace(change, title=texts[1], diff=texts[2]) for change in made().changes)
    return replace(
        made(), reviews=reviews, changes=changes, left_out=(LeftOut(texts[1], texts[1]),)
    )


@every_page
@pytest.mark.parametrize("texts", PAYLOAD_GROUPS)
def test_people_s_text_is_only_text(name: str, texts: Sequence[str]) -> None:
    comparison = hostile(texts)
    page = app_page(name, comparison, {"change": "a"} if name == "heatmap" else None)
    charts = ""
    for number in range(len(page.get("plotly_chart"))):
        figure = chart(page, number)
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
    assert "fitted to the ratings of the CRScore human study" in text.replace("\n", " ")


def test_the_data_page_and_the_score_page_open() -> None:
    assert app_page("data").title[0].value == "Data"
    assert "Score" in labels(app_page("score"))
