"""The page Rankings without a browser."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from pages.components.source.model import SourceKind
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import alt, app_page, chart, markup, said


def opened(*reviews: Made, **url: str) -> AppTest:
    return app_page("rankings", made_comparison(*reviews), url)


def rated(comparison: CorpusComparison, ratings: Callable[[Ratings], Ratings]) -> CorpusComparison:
    reviews = (replace(review, ratings=ratings(review.ratings)) for review in comparison.reviews)
    return replace(comparison, reviews=tuple(reviews))


def three_systems(n_changes: int = 6) -> list[Made]:
    shares = {"alpha": (0.9, 5), "beta": (0.2, 3), "gamma": (0.5, 1)}
    return [
        scoring(change, share, rating, system)
        for change in range(n_changes)
        for system, (share, rating) in shares.items()
    ]


def test_lines_texts_and_tables_say_the_same_ranks() -> None:
    page = opened(*three_systems())
    lines = {trace["name"]: trace for trace in chart(page)["data"] if "customdata" in trace}
    # People put beta above gamma, Rel below; without a model for the encoder nothing else ranks.
    assert list(lines) == ["alpha", "beta", "gamma"]
    assert lines["beta"]["y"] == [2, 3]
    assert lines["gamma"]["y"] == [3, 2]
    assert lines["beta"]["customdata"] == ["beta", "beta"]
    assert "By Rel: alpha, gamma, beta; 2 of 2 pairs of neighbours are in a sure order." in alt(
        page
    )
    assert "0.500" in markup(page)  # Spearman of 1, 3, 2 with 1, 2, 3
    table = page.dataframe[0].value
    assert list(table["system"]) == ["alpha", "beta", "gamma"]
    assert list(table["Rel: rank"]) == [1, 3, 2]
    assert list(table["people: relevance: mean"]) == [1, 0.5, 0]


def test_moving_tau_ranks_anew() -> None:
    weak = [Made(change, (3, 3, 3), [[0.3]], "weak") for change in range(4)]
    mixed = [Made(at, (3, 3, 3), [[0.9 if at % 2 else 0.1]], "mixed") for at in range(4)]
    page = opened(*weak, *mixed)
    page.slider(key="tau").set_value(0.2).run()
    assert "By Rel: weak, mixed;" in alt(page)
    page.slider(key="tau").set_value(0.6).run()
    assert "By Rel: mixed, weak;" in alt(page)


def test_the_reviews_of_a_system_are_listed_with_ratings_and_links() -> None:
    page = opened(*three_systems())
    assert "reviews of gamma" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "6 of 6 reviews of gamma" in markup(page)
    assert "people&#39;s relevance" in markup(page)
    ids = page.selectbox(key="rankings_review").options
    page.selectbox(key="rankings_review").set_value(ids[0]).run()
    links = [link.proto.query_string for link in page.get("page_link")]
    assert any(link.startswith("review=0%2Fgamma") for link in links)
    assert any(link.startswith("case=0%2Fgamma") for link in links)
    # Another source has no such system.
    page.session_state["data"] = SourceKind.SAMPLE
    page.run()
    assert not page.exception
    assert page.selectbox(key="rankings_system").value is None


def test_reviews_whose_ids_begin_the_same_are_told_apart() -> None:
    long = "a-system-whose-name-takes-all-the-room-that-an-id-has-in-a-list-of-reviews-to-choose"
    page = opened(*(scoring(change, 0.5, 3, long) for change in (0, 0, 0)))
    page.selectbox(key="rankings_system").set_value(long).run()
    assert len(set(page.selectbox(key="rankings_review").options)) == 3
    for number in range(3):
        page.selectbox(key="rankings_review").set_value(f"0/{long}/{number}").run()
        page.run()
        links = [link.proto.query_string for link in page.get("page_link")]
        assert [link for link in links if link.endswith(f"%2F{number}")], number


def test_the_url_restores_what_was_chosen() -> None:
    page = opened(
        *three_systems(),
        rankings_metrics="Con",
        rankings_system="beta",
        rankings_language="python",
    )
    assert page.multiselect(key="rankings_metrics").value == ["conciseness"]
    assert page.selectbox(key="rankings_language").value == "python"
    assert "reviews of beta" in markup(page)


def test_metrics_are_compared_with_what_people_rated() -> None:
    comparison = made_comparison(*three_systems())
    page = app_page("rankings", rated(comparison, lambda _: UNRATED))
    assert "By Rel: alpha" in alt(page)
    assert "Agreement with the order" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "people&#39;s" not in markup(page)
    page = app_page(
        "rankings", rated(comparison, lambda given: Ratings(conciseness=given.conciseness))
    )
    assert not page.info
    assert "Agreement with the order by people: conciseness" in markup(page)


def test_a_wrong_column_of_systems_is_said_and_cut() -> None:
    page = opened(*(scoring(at % 20, 0.5, 3, f"review {at}") for at in range(3_000)))
    assert "There are 3,000 systems; the 40 with the most reviews" in page.warning[-1].value
    assert len(page.dataframe[0].value) == 40


def test_an_only_system_has_no_neighbour_and_reference_reviews_have_no_rank() -> None:
    assert "0 of 0 pairs" in alt(opened(scoring(0, 0.5, 3, "alone")))
    page = opened(scoring(0, 0.5, 3, GROUND_TRUTH))
    assert "All reviews are reference reviews" in page.info[0].value
    assert not page.get("plotly_chart")


def in_two_languages(rated_in_java: str) -> CorpusComparison:
    """Reviews of a Python change with ratings, and one of a Java change without."""
    comparison = made_comparison(
        scoring(0, 0.5, 3, "a"), scoring(0, 0.7, 4, "b"), scoring(1, 0.4, 2, rated_in_java)
    )
    first, last = comparison.changes
    *others, of_java = comparison.reviews
    return replace(
        comparison,
        changes=(first, replace(last, language="java")),
        reviews=(*others, replace(of_java, ratings=UNRATED)),
    )


def test_a_language_without_a_system_or_a_rating_is_said() -> None:
    java = {"rankings_language": "java"}
    page = app_page("rankings", in_two_languages(GROUND_TRUTH), java)
    assert "No system has a review in this language" in page.info[0].value
    page = app_page("rankings", in_two_languages("a"), java)
    assert "Not ranked by people: relevance" in said(page)
    page.multiselect(key="rankings_metrics").set_value(["human_relevance"]).run()
    assert "No review has a value of people: relevance in this language" in page.info[0].value
    assert not page.get("plotly_chart")


def test_the_study_stands_beside_the_paper(
    study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = app_page("rankings", "study")
    assert "Table 15" in markup(page)
    assert "0.950 and 0.889" in markup(page)
    assert "The ground truth" in said(page)
    lines = [trace["name"] for trace in chart(page)["data"] if "customdata" in trace]
    assert "GPT-3.5" in lines
    assert "Ground Truth" not in lines
