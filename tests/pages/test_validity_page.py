"""The Validity page: figures next to the paper's, runs without ratings."""

from pathlib import Path

import pytest

from crscore_eval.table import HUMAN
from crscore_eval.validity.shown_tables import TABLES
from tests.pages.app_page import opened
from tests.pages.small_run import small_run, write_run


def test_study_is_compared_with_the_paper() -> None:
    page = opened("validity", {"tau": "0.331"})
    figures = page.text_table("at").set_index(["of", "at"]).iloc[:, 0].str[:5].astype(float)
    assert figures["reviews", "tau_gt 0.331"] == pytest.approx(0.548, abs=0.002)
    assert figures["reviews", "without a threshold"] == pytest.approx(0.579, abs=0.002)
    assert figures["systems", "tau_gt 0.331"] == pytest.approx(0.933, abs=0.002)
    same = "Every metric is compared on the same 1,561 of 1,647 rated reviews. Relevance above is"
    assert same in page.texts()
    titles = page.box("Table").options
    assert any(TABLES["review_level"].title in title for title in titles)
    page.put(table="1")
    assert page.query_params["table"] == "1"
    assert any("from" in table.value for table in page.table)
    assert len(page.get("plotly_chart")) == 1


def test_a_rated_run_has_figures_and_no_paper(rated: Path) -> None:
    page = opened("validity", run=rated)
    assert len(page.text_table("at"))
    assert "Not computed here: BLEU" in page.texts()
    assert "no review has a reference review" in page.texts()
    assert not any("from" in table.value for table in page.table)
    page.put(label="conciseness")
    assert "conciseness" in page.alt()


def test_without_ratings_no_agreement_is_shown(unrated: Path) -> None:
    page = opened("validity", run=unrated)
    assert page.info
    assert not page.table


def test_with_few_ratings_pages_say_how_many_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = small_run()
    ratings = run.reviews[list(HUMAN.values())].where(run.reviews["change"] == "0")
    few = run._replace(reviews=run.reviews.assign(**ratings))
    monkeypatch.setenv("CRSCORE_RUN", str(write_run(tmp_path / "run", few)))
    validity, failures, threshold = map(opened, ("validity", "failures", "thresholds"))
    for page in (validity, failures, threshold):
        assert [element.value.count("1 change") for element in page.info] == [1]
    assert not validity.get("plotly_chart")
    assert not failures.get("plotly_chart")
    assert not [*failures.dataframe, *failures.table]
    assert len(threshold.get("plotly_chart")) == 1
    assert not [*threshold.dataframe, *threshold.table]


def test_chart_and_table_of_metrics_have_one_order() -> None:
    page = opened("validity", {"tau": "0.331"})
    drawn = [name.replace("<br>", " ") for name in page.chart()["data"][0]["y"]]
    listed = next(one.value for one in page.table if "metric" in one.value)["metric"].tolist()
    assert listed[: len(drawn)] == drawn
    assert page.chart()["layout"]["yaxis"]["autorange"] == "reversed"
    assert {"conciseness", "comprehensiveness"} < set(drawn)
    offered = {button.proto.label for button in page.get("download_button")}
    assert {
        f"{name} ({form})"
        for name in ("Metrics", "All tables")
        for form in ("CSV", "LaTeX", "Markdown")
    } <= offered


@pytest.mark.parametrize(
    "name", ["score", "heatmap", "failures", "rankings", "thresholds", "validity"]
)
def test_a_page_with_scores_ends_with_their_signature(name: str) -> None:
    page = opened(name, {"tau": "0.4"})
    assert page.code[-1].value.endswith("|tau:0.4")
    if name == "rankings":
        offered = {button.proto.label for button in page.get("download_button")}
        assert {f"Rankings ({form})" for form in ("CSV", "LaTeX", "Markdown")} <= offered
