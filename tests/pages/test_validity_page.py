"""The page on validity without a browser."""

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.statistics import Estimate, Interval
from crscore_core.validity.figures import Figure, FigureTable
from crscore_core.validity.paper import paper_figure
from pages.components.thresholds_panels import curves_of
from pages.components.validity_corpus import corpus_validity
from pages.components.validity_parts import figure_rows
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.app_page import alt, app_page, said, source_of, typed_tables

RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(5)
        for system, share, rating in (
            ("<b>good</b>", 0.9 - change / 20, 5),
            ("bad", change / 10, 1 + change % 2),
        )
    )
)


def opened(data: str | CorpusComparison, **state: object) -> AppTest:
    return app_page("validity", data, **({"tau": 0.5} | state))


def rated(ratings: Ratings) -> CorpusComparison:
    reviews = tuple(replace(review, ratings=ratings) for review in RATED.reviews)
    return replace(RATED, reviews=reviews)


def headings(page: AppTest) -> list[str]:
    return [heading.value for heading in page.subheader]


def column(table: pd.DataFrame, row: str, name: str) -> str:
    (value,) = table.loc[table["figure"] == row, name]
    return str(value)


@pytest.fixture
def study(study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))


@pytest.mark.usefixtures("study")
def test_the_study_stands_beside_the_paper_and_moves_with_tau() -> None:
    page = opened("study", tau=0.327)
    assert "another one than the paper's" in said(page)
    before = typed_tables(page)[0]
    assert list(before) == ["figure", "paper", "here", "95 % interval", "holds the paper's"]
    printed = paper_figure("review_level", "relevance", "tau_gt", "spearman")
    assert printed is not None
    assert float(column(before, "relevance spearman", "paper")) == pytest.approx(printed, abs=6e-4)
    here = float(column(before, "relevance spearman", "here"))
    low, high = map(float, column(before, "relevance spearman", "95 % interval").split(" to "))
    assert low < here < high
    holds = column(before, "relevance spearman", "holds the paper's")
    assert holds.startswith("✓" if low <= printed <= high else "✗")
    assert "where rated 5" in alt(page)
    page.slider(key="tau").set_value(0.6).run()
    after = typed_tables(page)[0]
    assert list(before["paper"]) == list(after["paper"])
    assert list(before["here"]) != list(after["here"])


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("part", "expected", "charts"),
    [
        ("Systems", "Ranks of systems", 0),
        ("Similarities", "Against a normal distribution", 2),
        ("Calibrated score", "Calibrated relevance beside Rel", 0),
        ("Claims", "Quality of claims, in percent", 0),
    ],
)
def test_each_part_of_the_study(part: str, expected: str, charts: int) -> None:
    page = opened("study", validity_part=part)
    assert expected in headings(page)
    assert len(page.get("plotly_chart")) == charts
    assert headings(page)[-1] == "Download"
    if part == "Calibrated score":  # figures held out come before those that flatter
        (table,) = typed_tables(page)
        scores = list(table["score"])
        assert (scores[0], scores[-1]) == ("Rel", "calibrated, not held out")
        assert {"calibrated, held out by change", "calibrated, held out by system"} < set(scores)
        assert "honest figures are the held-out ones" in said(page)


def test_sample_data_are_shown_as_made_up_and_without_a_paper() -> None:
    page = opened("sample")
    assert "made up" in page.warning[0].value
    assert all("paper" not in table for table in typed_tables(page))
    assert len(page.get("plotly_chart")) == 3


WITHOUT_RATINGS = ["Means of systems", "Similarities", "Against a normal distribution", "Download"]


def test_rated_reviews_show_agreement_levels_and_systems() -> None:
    page = opened(RATED)
    assert headings(page) == [
        "Agreement review by review", "Score by people's rating", "Agreement of Rel by language",
        "Order of systems, Rel with people", *WITHOUT_RATINGS,
    ]  # fmt: skip
    tables = typed_tables(page)
    assert column(tables[0], "relevance reviews", "here") == "10"
    assert list(tables[-1]["system"]) == ["<b>good</b>", "bad"]
    assert tables[-1]["conciseness, metric"][0].startswith("0.800 (")
    assert tables[-1]["relevance, people"][0] == "1.000 (1.000 to 1.000)"


def test_missing_ratings_are_said_and_what_rests_on_them_is_missing() -> None:
    page = opened(rated(UNRATED))
    assert headings(page) == WITHOUT_RATINGS
    assert len(page.get("page_link")) == 1
    page = opened(rated(Ratings(comprehensiveness=4)))
    assert "Nobody rated conciseness and relevance" in said(page)
    assert "Order of systems, Rel with people" not in headings(page)
    means = typed_tables(page)[-1]
    assert "comprehensiveness, people" in means
    assert "relevance, people" not in means


def test_many_systems_are_cut_and_many_reviews_have_rough_intervals() -> None:
    systems = (scoring(number % 3, 0.5, 1 + number % 5, f"s{number}") for number in range(60))
    page = opened(made_comparison(*systems))
    assert "The 40 systems with most reviews, of 60" in said(page)
    assert len(typed_tables(page)[-1]) == 40
    many = made_comparison(*(scoring(change, 0.5, 1 + change % 5) for change in range(5)))
    page = opened(replace(many, reviews=many.reviews * 1_000))
    assert "400 resamples" in said(page)
    assert "their ends are rough" in said(page)


def test_what_is_kept_of_a_file_goes_with_it() -> None:
    source = source_of(replace(RATED))
    comparison = weakref.ref(source.comparison)
    validity = corpus_validity(source)
    assert validity.at(0.5) is corpus_validity(source).at(0.5)
    assert curves_of(source) is curves_of(source)
    del source, validity
    gc.collect()
    assert comparison() is None


def test_the_sign_of_an_interval_follows_from_its_ends() -> None:
    interval = Interval(0.4, 0.6, 0.95)
    figures = [
        Figure(str(paper), paper, Estimate(0.5, interval)) for paper in (0.4, 0.6, 0.39, 0.61, None)
    ]
    figures.append(Figure("without", 0.5, Estimate(0.5, None)))
    rows = figure_rows(FigureTable("key", "title", "", tuple(figures)))
    assert [row["holds the paper's"] for row in rows] == [
        "✓ yes", "✓ yes", "✗ paper is lower", "✗ paper is higher", "", "",
    ]  # fmt: skip
    assert rows[0]["95 % interval"] == "0.400 to 0.600"
