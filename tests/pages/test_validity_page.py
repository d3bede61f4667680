"""The page on validity without a browser, for every kind of source."""

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
from pages.components.source.model import Source, SourceKind
from pages.components.thresholds_panels import curves_of
from pages.components.validity_corpus import corpus_validity
from pages.components.validity_parts import figure_rows
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.typed_tables import typed_tables

APP = str(Path(__file__).resolve().parents[2] / "app.py")
WITHIN = 240

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


def opened(data: str, comparison: CorpusComparison | None = None, **state: object) -> AppTest:
    page = AppTest.from_file(APP, default_timeout=WITHIN)
    page.switch_page("pages/validity.py")
    page.session_state["data"] = data
    for name, value in ({"tau": 0.5} | state).items():
        page.session_state[name] = value
    if comparison is not None:
        page.session_state["imported_source"] = Source.of(
            SourceKind.FILE, "mine", "A note.", comparison
        )
    page.run()
    assert not page.exception
    return page


def imported(comparison: CorpusComparison) -> AppTest:
    return opened("file", comparison)


def unrated(comparison: CorpusComparison, ratings: Ratings = UNRATED) -> CorpusComparison:
    reviews = tuple(replace(review, ratings=ratings) for review in comparison.reviews)
    return replace(comparison, reviews=reviews)


def headings(page: AppTest) -> list[str]:
    return [heading.value for heading in page.subheader]


def said(page: AppTest) -> str:
    texts = (page.markdown, page.caption, page.info, page.warning, page.error)
    return "\n".join(element.value for elements in texts for element in elements)


def alts(page: AppTest) -> list[str]:
    return [chart.proto.alt for chart in page.get("plotly_chart")]


def column(table: pd.DataFrame, row: str, name: str) -> str:
    (value,) = table.loc[table["figure"] == row, name]
    return str(value)


@pytest.fixture
def study(study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))


@pytest.mark.usefixtures("study")
def test_the_study_stands_beside_the_paper() -> None:
    page = opened("study", tau=0.327)
    assert "rated reviews of" in said(page)
    assert "another one than the paper's" in said(page)
    agreement, *_ = typed_tables(page)
    assert list(agreement) == ["figure", "paper", "here", "95 % interval", "holds the paper's"]
    printed = paper_figure("review_level", "relevance", "tau_gt", "spearman")
    assert printed is not None
    assert float(column(agreement, "relevance spearman", "paper")) == pytest.approx(
        printed, abs=6e-4
    )
    here = float(column(agreement, "relevance spearman", "here"))
    low, high = map(float, column(agreement, "relevance spearman", "95 % interval").split(" to "))
    assert low < here < high
    holds = column(agreement, "relevance spearman", "holds the paper's")
    assert holds.startswith("✓" if low <= printed <= high else "✗")
    (levels,) = alts(page)
    assert "where rated 5" in levels


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
    assert len(alts(page)) == charts
    assert headings(page)[-1] == "Download"


@pytest.mark.usefixtures("study")
def test_figures_held_out_come_before_those_that_flatter() -> None:
    page = opened("study", validity_part="Calibrated score")
    (table,) = typed_tables(page)
    scores = list(table["score"])
    assert scores[0] == "Rel"
    assert scores[-1] == "calibrated, not held out"
    assert "calibrated, held out by change" in scores
    assert "calibrated, held out by system" in scores
    assert "honest figures are the held-out ones" in said(page)


@pytest.mark.usefixtures("study")
def test_moving_tau_moves_the_study_and_the_paper_keeps_its_own() -> None:
    page = opened("study", tau=0.327)
    before = typed_tables(page)[0]
    page.slider(key="tau").set_value(0.6).run()
    after = typed_tables(page)[0]
    assert list(before["paper"]) == list(after["paper"])
    assert list(before["here"]) != list(after["here"])


def test_sample_data_are_shown_as_made_up_and_without_a_paper() -> None:
    page = opened("sample")
    assert "no finding rests on them" in said(page)
    assert "made up" in page.warning[0].value
    assert all("paper" not in table for table in typed_tables(page))
    assert len(alts(page)) == 3
    assert headings(page)[-1] == "Download"


def test_rated_reviews_show_agreement_levels_and_systems() -> None:
    page = imported(RATED)
    assert headings(page) == [
        "Agreement review by review", "Score by people's rating", "Agreement of Rel by language",
        "Order of systems, Rel with people", "Means of systems", "Similarities",
        "Against a normal distribution", "Download",
    ]  # fmt: skip
    tables = typed_tables(page)
    assert column(tables[0], "relevance reviews", "here") == "10"
    assert list(tables[-1]["system"]) == ["<b>good</b>", "bad"]
    assert tables[-1]["conciseness, metric"][0].startswith("0.800 (")
    assert tables[-1]["relevance, people"][0] == "1.000 (1.000 to 1.000)"


def test_reviews_that_nobody_rated_say_what_is_missing() -> None:
    page = imported(unrated(RATED))
    assert headings(page) == [
        "Means of systems", "Similarities", "Against a normal distribution", "Download",
    ]  # fmt: skip
    assert "Nobody rated these reviews" in page.info[0].value
    assert len(page.get("page_link")) == 1


def test_reviews_rated_in_one_dimension_have_that_alone() -> None:
    page = imported(unrated(RATED, Ratings(comprehensiveness=4)))
    assert "Nobody rated conciseness and relevance" in said(page)
    assert "Order of systems, Rel with people" not in headings(page)
    means = typed_tables(page)[-1]
    assert "comprehensiveness, people" in means
    assert "relevance, people" not in means


def test_of_many_systems_the_page_says_which_it_shows() -> None:
    comparison = made_comparison(
        *(scoring(number % 3, 0.5, 1 + number % 5, f"s{number}") for number in range(60))
    )
    page = imported(comparison)
    assert "The 40 systems with most reviews, of 60" in said(page)
    assert len(typed_tables(page)[-1]) == 40


def test_many_reviews_have_rough_intervals_and_the_page_says_so() -> None:
    many = made_comparison(*(scoring(change, 0.5, 1 + change % 5) for change in range(5)))
    page = imported(replace(many, reviews=many.reviews * 1_000))
    assert "400 resamples" in said(page)
    assert "their ends are rough" in said(page)


def test_what_is_kept_of_a_file_goes_with_it() -> None:
    source = Source.of(SourceKind.FILE, "mine", "A note.", replace(RATED))
    comparison = weakref.ref(source.comparison)
    validity = corpus_validity(source)
    assert validity.at(0.5) is corpus_validity(source).at(0.5)
    assert curves_of(source) is curves_of(source)
    del source, validity
    gc.collect()
    assert comparison() is None


def test_without_any_review_the_page_leads_to_the_data() -> None:
    page = imported(replace(RATED, reviews=()))
    assert "No review here could be compared" in page.info[0].value
    assert len(page.get("page_link")) == 1
    assert headings(page) == []


def test_without_an_imported_file_the_page_leads_to_the_data() -> None:
    page = opened("file")
    assert "No file is imported" in page.info[0].value
    assert headings(page) == []


def test_a_study_that_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path))
    page = opened("study")
    assert len(page.error) == 1
    assert headings(page) == []


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
