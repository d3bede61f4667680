"""The page Rankings without a browser."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from pages.components.source.model import Source, SourceKind
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import app_page


def opened(data: str | None = None, source: Source | None = None, **url: str) -> AppTest:
    return app_page("rankings", data, source, url)


def chart(page: AppTest, at: int = 0) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(page.get("plotly_chart")[at].proto.spec)
    return spec


def markup(page: AppTest) -> str:
    return "".join(one.proto.body for one in page.get("html"))


def imported(*reviews: Made, ratings: Callable[[Ratings], Ratings] = lambda given: given) -> Source:
    made = made_comparison(*reviews)
    comparison: CorpusComparison = replace(
        made,
        reviews=tuple(replace(one, ratings=ratings(one.ratings)) for one in made.reviews),
    )
    return Source.of(SourceKind.FILE, "mine.csv", "Reviews made by hand.", comparison)


def three_systems(n_changes: int = 6) -> list[Made]:
    shares = {"alpha": (0.9, 5), "beta": (0.2, 3), "gamma": (0.5, 1)}
    return [
        scoring(change, share, rating, system)
        for change in range(n_changes)
        for system, (share, rating) in shares.items()
    ]


def test_the_sample_is_ranked() -> None:
    page = opened()
    assert page.title[0].value == "Rankings"
    assert len(page.get("plotly_chart")) == 2
    assert "made up" in "".join(one.value for one in page.caption)
    assert not page.info
    assert list(page.multiselect(key="rankings_metrics").value)[:2] == [
        "human_relevance",
        "relevance",
    ]


def test_lines_go_through_ranks_and_the_text_says_them() -> None:
    page = opened(source=imported(*three_systems()))
    lines = {trace["name"]: trace for trace in chart(page)["data"] if "customdata" in trace}
    # People put beta above gamma, Rel below; without a model for the encoder nothing else ranks.
    assert list(lines) == ["alpha", "beta", "gamma"]
    assert lines["beta"]["y"] == [2, 3]
    assert lines["gamma"]["y"] == [3, 2]
    assert lines["beta"]["customdata"] == ["beta", "beta"]
    alt = page.get("plotly_chart")[0].proto.alt
    assert "By Rel: alpha, gamma, beta; 2 of 2 pairs of neighbours are in a sure order." in alt
    assert "0.500" in markup(page)  # Spearman of 1, 3, 2 with 1, 2, 3


def test_the_table_says_the_same_ranks() -> None:
    table = opened(source=imported(*three_systems())).dataframe[0].value
    assert list(table["system"]) == ["alpha", "beta", "gamma"]
    assert list(table["Rel: rank"]) == [1, 3, 2]
    assert list(table["people: relevance: mean"]) == [1, 0.5, 0]


def test_moving_tau_ranks_anew() -> None:
    weak = [Made(at, (3, 3, 3), [[0.3]], "weak") for at in range(4)]
    mixed = [Made(at, (3, 3, 3), [[0.9 if at % 2 else 0.1]], "mixed") for at in range(4)]
    page = opened(source=imported(*weak, *mixed))
    page.slider(key="tau").set_value(0.2).run()
    assert "By Rel: weak, mixed;" in page.get("plotly_chart")[0].proto.alt
    page.slider(key="tau").set_value(0.6).run()
    assert not page.exception
    assert "By Rel: mixed, weak;" in page.get("plotly_chart")[0].proto.alt


def test_the_reviews_of_a_system_are_listed_with_ratings_and_links() -> None:
    page = opened(source=imported(*three_systems()))
    assert "reviews of gamma" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "6 of 6 reviews of gamma" in markup(page)
    assert "people&#39;s relevance" in markup(page)
    ids = page.selectbox(key="rankings_review").options
    page.selectbox(key="rankings_review").set_value(ids[0]).run()
    assert not page.exception
    links = [one.proto.query_string for one in page.get("page_link")]
    assert any(one.startswith("review=0%2Fgamma") for one in links)
    assert any(one.startswith("case=0%2Fgamma") for one in links)


def test_reviews_whose_ids_begin_the_same_are_told_apart() -> None:
    long = "a-system-whose-name-takes-all-the-room-that-an-id-has-in-a-list-of-reviews-to-choose"
    page = opened(source=imported(*(scoring(at, 0.5, 3, long) for at in (0, 0, 0))))
    page.selectbox(key="rankings_system").set_value(long).run()
    names = page.selectbox(key="rankings_review").options
    assert len(set(names)) == 3
    for at in range(3):
        page.selectbox(key="rankings_review").set_value(f"0/{long}/{at}").run()
        page.run()
        links = [one.proto.query_string for one in page.get("page_link")]
        assert [one for one in links if one.endswith(f"%2F{at}")], at


def test_the_url_restores_what_was_chosen() -> None:
    page = opened(
        source=imported(*three_systems()),
        rankings_metrics="Con",
        rankings_system="beta",
        rankings_language="python",
    )
    assert page.multiselect(key="rankings_metrics").value == ["conciseness"]
    assert page.selectbox(key="rankings_language").value == "python"
    assert "reviews of beta" in markup(page)


@pytest.mark.parametrize("value", ["<b>", "nothing like this", ""])
def test_nonsense_in_the_url_is_left_aside(value: str) -> None:
    page = opened(
        source=imported(*three_systems()),
        rankings_metrics=value,
        rankings_system=value,
        rankings_language=value,
        rankings_people=value,
        rankings_order=value,
    )
    assert len(page.get("plotly_chart")) == 2


def test_what_was_chosen_of_another_source_is_forgotten() -> None:
    page = opened(source=imported(*three_systems()))
    page.selectbox(key="rankings_system").set_value("gamma").run()
    page.session_state["data"] = SourceKind.SAMPLE
    page.run()
    assert not page.exception
    assert page.selectbox(key="rankings_system").value is None


def test_unrated_reviews_are_ranked_by_metrics_alone() -> None:
    page = opened(source=imported(*three_systems(), ratings=lambda _: UNRATED))
    assert "Nobody rated these reviews" in page.info[0].value
    assert "By Rel: alpha" in page.get("plotly_chart")[0].proto.alt
    assert "Agreement with the order" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "people&#39;s" not in markup(page)


def test_one_rated_dimension_is_what_metrics_are_compared_with() -> None:
    page = opened(
        source=imported(
            *three_systems(), ratings=lambda given: Ratings(conciseness=given.conciseness)
        )
    )
    assert not page.info
    assert "Agreement with the order by people: conciseness" in markup(page)


def test_a_wrong_column_of_systems_is_said_and_cut() -> None:
    reviews = [scoring(at % 20, 0.5, 3, f"review {at}") for at in range(3_000)]
    page = opened(source=imported(*reviews))
    assert "There are 3,000 systems; the 40 with the most reviews" in page.warning[-1].value
    assert len(page.dataframe[0].value) == 40


def test_names_of_systems_are_never_markup() -> None:
    hostile = "<img src=x onerror=alert(1)> [l](http://127.0.0.1) %{y} $x$"
    page = opened(source=imported(*three_systems(), scoring(0, 0.3, 2, hostile)))
    spec = page.get("plotly_chart")[0].proto.spec
    page.selectbox(key="rankings_system").set_value(hostile).run()
    assert not page.exception
    assert "<img" not in markup(page)
    texts = [trace["hovertext"] for trace in json.loads(spec)["data"] if "hovertext" in trace]
    assert all("<img" not in text and "%{" not in text for one in texts for text in one)


def test_an_only_system_and_a_source_without_reviews() -> None:
    page = opened(source=imported(scoring(0, 0.5, 3, "alone")))
    assert "0 of 0 pairs" in page.get("plotly_chart")[0].proto.alt
    empty = replace(made_comparison(scoring(0, 0.5, 3)), reviews=(), changes=())
    page = opened(source=Source.of(SourceKind.FILE, "empty", "", empty))
    assert "no review" in page.info[0].value
    assert not page.get("plotly_chart")


def test_reference_reviews_alone_are_not_ranked() -> None:
    page = opened(source=imported(scoring(0, 0.5, 3, GROUND_TRUTH)))
    assert "All reviews are reference reviews" in page.info[0].value
    assert not page.get("plotly_chart")


def in_two_languages(rated: str) -> Source:
    """Python alone has a system's reviews rated; Java has those of `rated`."""
    source = imported(scoring(0, 0.5, 3, "a"), scoring(0, 0.7, 4, "b"), scoring(1, 0.4, 2, rated))
    comparison = source.comparison
    first, last = comparison.changes
    *others, of_java = comparison.reviews
    changed = replace(
        comparison,
        changes=(first, replace(last, language="java")),
        reviews=(*others, replace(of_java, ratings=UNRATED)),
    )
    return Source.of(SourceKind.FILE, "mine.csv", "", changed)


def test_a_language_without_a_system_or_a_rating_is_said() -> None:
    page = opened(source=in_two_languages(GROUND_TRUTH), rankings_language="java")
    assert "No system has a review in this language" in page.info[0].value
    page = opened(source=in_two_languages("a"), rankings_language="java")
    assert any("Not ranked by people: relevance" in one.value for one in page.info)
    page.multiselect(key="rankings_metrics").set_value(["human_relevance"]).run()
    assert "No review has a value of people: relevance in this language" in page.info[0].value
    assert not page.get("plotly_chart")


def test_where_nothing_is_imported_the_page_leads_to_data() -> None:
    page = opened(SourceKind.FILE)
    assert "No file is imported" in page.info[0].value
    assert not page.get("plotly_chart")


def test_the_study_stands_beside_the_paper(
    study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = opened(SourceKind.STUDY)
    shown = markup(page)
    assert "Table 15" in shown
    assert "0.950 and 0.889" in shown
    assert any("ground truth" in one.value for one in page.caption)
    lines = [trace["name"] for trace in chart(page)["data"] if "customdata" in trace]
    assert "GPT-3.5" in lines
    assert "Ground Truth" not in lines


def test_a_missing_study_is_an_error_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path / "nothing"))
    page = opened(SourceKind.STUDY)
    assert page.error or page.info
    assert not page.get("plotly_chart")
