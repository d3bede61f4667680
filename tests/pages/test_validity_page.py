"""The Validity page: figures next to the paper's, runs without ratings."""

from pathlib import Path

import pytest

from crscore_eval.table import HUMAN
from crscore_eval.validity.shown_tables import TABLES
from tests.pages.app_page import opened
from tests.pages.runs import SyntheticReview, small_run, synthetic_run, write_run


def test_study_is_compared_with_the_paper() -> None:
    page = opened("validity", {"tau": "0.33"})
    figures = page.text_table("at").set_index(["of", "at"]).iloc[:, 0].str[:5].astype(float)
    assert figures["reviews", "tau_gt 0.330"] == pytest.approx(0.548, abs=0.002)
    assert figures["reviews", "without a threshold"] == pytest.approx(0.579, abs=0.002)
    assert figures["reviewers", "tau_gt 0.330"] == pytest.approx(0.933, abs=0.002)
    assert "the same 1,561 of 1,647 rated reviews" in page.texts()
    drawn = [name.replace("<br>", " ") for name in page.chart()["data"][0]["y"]]
    listed = next(one.value for one in page.table if "metric" in one.value)["metric"].tolist()
    assert listed[: len(drawn)] == drawn
    assert page.chart()["layout"]["yaxis"]["autorange"] == "reversed"
    assert {"conciseness", "comprehensiveness"} < set(drawn)
    titles = page.box("Table").options
    assert any(TABLES["review_level"] in title for title in titles)
    page.put(table="1")
    assert page.query_params["table"] == "1"
    assert any(", paper" in table.value.to_csv() for table in page.table)
    assert len(page.get("plotly_chart")) == 1


def test_a_rated_run_has_figures_and_no_paper(rated: Path) -> None:
    page = opened("validity", run=rated)
    assert len(page.text_table("at"))
    assert "Not computed here: BLEU" in page.texts()
    assert not any(", paper" in table.value.to_csv() for table in page.table)
    page.put(label="conciseness")
    assert "conciseness" in page.alt()


def test_equal_ratings_leave_nothing_to_compare(tmp_path: Path) -> None:
    run = small_run()
    equal = run._replace(reviews=run.reviews.assign(**dict.fromkeys(HUMAN.values(), 3.0)))
    page = opened("validity", run=write_run(tmp_path / "run", equal))
    assert "Not shown, since all labels are equal" in page.texts()
    assert "cannot disagree" in page.visit("failures").texts()
    assert "percentile points lower" not in page.texts()


@pytest.mark.parametrize("name", ["failures", "thresholds", "validity"])
def test_pages_say_what_a_comparison_with_people_needs(name: str, tmp_path: Path) -> None:
    run = small_run()
    ratings = run.reviews[list(HUMAN.values())].where(run.reviews["change"] == "0")
    few = run._replace(reviews=run.reviews.assign(**ratings))
    own = synthetic_run(SyntheticReview(0, "one", [[0.5]]))
    unrated = small_run(is_rated=False), "0 of 18 changes", True
    cases = unrated, (few, "1 of 18 changes", True), (own, "0 of 1 change", False)
    for number, (shown, words, leads_to_rating) in enumerate(cases):
        page = opened(name, run=write_run(tmp_path / f"{number}", shown))
        assert [words in element.value for element in page.info] == [True]
        labels = [link.proto.label for link in page.get("page_link")]
        links = [label in labels for label in ("Choose other data", "Rate some reviews")]
        assert links == [not leads_to_rating, leads_to_rating]
        assert len(page.get("plotly_chart")) == (name == "thresholds")  # of scores alone
        assert not [*page.dataframe, *page.table]


@pytest.mark.parametrize(("name", "tables"), [
    ("score", []), ("heatmap", []), ("failures", []), ("thresholds", []),
    ("rankings", ["Rankings"]), ("validity", ["Metrics", "All tables"]),
])  # fmt: skip
def test_a_page_offers_its_tables_and_ends_with_the_signature(name: str, tables: list[str]) -> None:
    page = opened(name, {"tau": "0.4"})
    assert page.code[-1].value.endswith("|tau:0.4")
    offered = {button.proto.label for button in page.get("download_button")}
    formats = ("CSV", "LaTeX", "Markdown")
    assert {f"{table} ({form})" for table in tables for form in formats} <= offered
