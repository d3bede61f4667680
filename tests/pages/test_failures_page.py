"""The page of failure cases without a browser, on every kind of source."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.review_table import ReviewTable
from pages.components.failures_scatter import keep_points, kept_points
from pages.components.source.model import Source, SourceKind
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring

APP = str(Path(__file__).resolve().parents[2] / "app.py")
IN_COMMON = "What they have in common"


def opened(data: str, **state: object) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["data"] = data
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    page = app.switch_page("pages/failures.py").run()
    assert not page.exception
    return page


def of_file(comparison: CorpusComparison, **state: object) -> AppTest:
    source = Source.of(SourceKind.FILE, "a file", "Made up.", comparison)
    return opened("file", imported_source=source, **state)


def counted(page: AppTest) -> str:
    return next(one.value for one in page.markdown if one.value.endswith(" reviews."))


def counted_points(page: AppTest) -> list[str]:
    return [
        one.value.split("**")[1] for one in page.markdown if "chosen; the choice stays" in one.value
    ]


def spec_of(page: AppTest) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(page.get("plotly_chart")[0].proto.spec)
    return spec


def shown_case(page: AppTest) -> str:
    return next(one.value for one in page.caption if one.value.startswith("Review "))


def pressed(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


@pytest.fixture
def study(study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    return opened("study")


def test_the_study_s_failures_are_listed_and_walked_through(study: AppTest) -> None:
    rows = study.dataframe[0].value
    assert set(rows["failure"]) == {"underestimated", "overestimated"}
    assert "ground" not in " ".join(rows["system"]).casefold()
    assert rows["id"].iloc[0] in shown_case(study).replace("\\", "")
    assert next(b for b in study.button if b.label == "Previous").disabled
    pressed(study, "Next")
    assert study.text_input(key="case").value == rows["id"].iloc[1]
    assert any(one.value == f"**2 of {len(rows)}**" for one in study.markdown)
    pressed(study, "Previous")
    assert study.text_input(key="case").value == rows["id"].iloc[0]


def test_tau_and_the_rule_decide_what_fails(study: AppTest) -> None:
    study.slider(key="tau").set_value(0.469).run()
    strict = counted(study)
    study.selectbox(key="failures_good").set_value(4).run()
    assert counted(study) != strict
    study.selectbox(key="failures_bad").set_value(4).run()
    assert "from 1 to 5" in study.error[0].value
    study.selectbox(key="failures_bad").set_value(1).run()
    study.selectbox(key="failures_score").set_value("conciseness").run()
    assert not study.exception
    assert "people's conciseness" in study.dataframe[0].value
    study.selectbox(key="failures_score").set_value("calibrated_relevance").run()
    before = counted(study)
    study.slider(key="tau").set_value(0.9).run()
    assert counted(study) == before  # it does not hang on tau


def test_points_stay_where_they_are_in_height_when_tau_moves(study: AppTest) -> None:
    before = spec_of(study)["data"][0]
    study.slider(key="tau").set_value(0.6).run()
    after = spec_of(study)["data"][0]
    assert before["y"] == after["y"]
    assert before["customdata"] == after["customdata"]
    assert before["x"] != after["x"]


def test_what_failures_have_in_common_stands_beside_the_paper_s(study: AppTest) -> None:
    study.segmented_control(key="failures_view").set_value(IN_COMMON).run()
    assert not study.exception
    assert any("Without these cases" in one.value for one in study.markdown)
    table = study.get("html")[-1].proto.body
    assert "0.0374" in table
    assert "95 % interval" in table
    assert "the rest" in table
    # The paper has no such figures of other scores.
    study.selectbox(key="failures_score").set_value("comprehensiveness").run()
    assert "0.0374" not in study.get("html")[-1].proto.body


def test_filters_narrow_the_list_and_are_cleared() -> None:
    page = opened("sample")
    page.selectbox(key="failures_which").set_value("all").run()
    everything = counted(page)
    page.multiselect(key="failures_language").set_value(["java"]).run()
    assert counted(page) != everything
    assert set(page.dataframe[0].value["language"]) == {"java"}
    page.text_input(key="failures_text").set_value("no review says (this").run()
    assert not page.dataframe
    assert "widen language or text search" in page.info[0].value
    pressed(page, "Show all reviews")
    assert counted(page) == everything
    assert page.text_input(key="failures_text").value == ""


def test_a_case_that_is_not_there_is_said_as_it_was_typed() -> None:
    page = opened("sample", case="<b>![x](http://x)")
    assert "No review of this source has the id" in page.warning[0].value
    assert "![x]" not in page.warning[0].value
    assert page.dataframe


def test_a_case_that_the_list_leaves_out_is_shown_all_the_same() -> None:
    page = of_file(made(), case="c/one")
    assert any("not among the" in one.value for one in page.markdown)
    assert "c/one" in shown_case(page)


def test_unrated_reviews_can_be_searched_and_read() -> None:
    page = of_file(unrated(made()))
    assert "nobody rated these" in page.info[0].value
    assert not page.get("plotly_chart")
    assert counted(page) == "**5** of 5 reviews."
    page.text_input(key="failures_text").set_value("café").run()
    assert page.dataframe[0].value["id"].tolist() == ["a/two"]
    assert "a/two" in shown_case(page)


def test_a_review_without_a_sentence_is_shown() -> None:
    page = of_file(made(), case="b/two")
    assert any("no sentence" in one.value for one in page.info)


def test_one_rated_dimension_is_compared_alone() -> None:
    page = of_file(made())
    assert page.selectbox(key="failures_score").options == ["Rel"]


def test_chosen_points_stay_when_tau_moves_until_they_are_cleared() -> None:
    page = of_file(
        made(),
        failures_which="all",
        failures_points=(("file", "a file"), frozenset({"c/one", "no such review"})),
    )
    for tau in (0.6, 0.7):
        page.slider(key="tau").set_value(tau).run()
        assert counted_points(page) == ["1"]
        assert page.dataframe[0].value["id"].tolist() == ["c/one"]
    pressed(page, "Clear points")
    assert counted_points(page) == []
    assert len(page.dataframe[0].value) > 1


def test_points_of_another_source_are_not_chosen() -> None:
    page = of_file(made(), failures_points=(("run", "a file"), frozenset({"c/one"})))
    assert counted_points(page) == []


def test_what_is_chosen_in_the_chart_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(streamlit, "session_state", state)
    source = Source.of(SourceKind.FILE, "a file", "Made up.", made())
    for chosen in (frozenset({0, 3}), frozenset({1}), frozenset[int]()):
        keep_points(source, chosen)
        assert kept_points(source) == chosen


def test_the_reviews_are_scored_once_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[float] = []
    at = ReviewTable.at

    def noted(table: ReviewTable, tau: float) -> pd.DataFrame:
        scored.append(tau)
        return at(table, tau)

    page = of_file(made())
    monkeypatch.setattr(ReviewTable, "at", noted)
    page.slider(key="tau").set_value(0.6).run()
    assert scored == [0.6]


def test_choices_of_another_source_are_forgotten() -> None:
    page = of_file(
        made(),
        failures_system=["no such system", "one"],
        failures_score="conciseness",
        failures_references=(3, 900),
        failures_words=(0, 4),
        failures_which="all",
    )
    assert page.multiselect(key="failures_system").value == ["one"]
    assert page.slider(key="failures_references").value == (1, 3)
    assert page.slider(key="failures_words").value == (0, 4)
    assert page.dataframe[0].value["id"].tolist() == ["a/one", "b/one"]


def test_thousands_of_reviews_are_drawn_and_listed_in_part() -> None:
    shares = [round(0.1 * (at % 11), 1) for at in range(6_000)]
    many = made_comparison(
        *(
            scoring(at // 10, share, 1 + at % 5, f"system {at % 2_000}")
            for at, share in enumerate(shares)
        )
    )
    page = of_file(many, failures_which="all")
    drawn = spec_of(page)["data"][0]
    assert len(drawn["hovertext"]) == 5_000
    assert any("5,000 of 6,000 reviews are drawn" in one.value for one in page.caption)
    assert len(page.dataframe[0].value) == 1_000
    assert any("the first 1,000 are listed" in one.value for one in page.markdown)


def test_people_s_text_is_no_markup_in_the_chart() -> None:
    named = made_comparison(
        *(scoring(0, at / 10, 1 + at % 5, "<b>x</b> %{y} $a$") for at in range(10))
    )
    page = of_file(named)
    hover = spec_of(page)["data"][0]["hovertext"]
    assert not any("<b>" in text or "%{" in text or "$" in text for text in hover)


def test_a_source_without_reviews_says_so() -> None:
    nothing = CorpusComparison("by hand", "by hand", (), (), ())
    page = of_file(nothing)
    assert "no review" in page.info[0].value


def test_a_study_that_is_not_there_is_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path))
    page = opened("study")
    assert page.error
    assert not page.dataframe
