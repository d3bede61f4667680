"""The Validity page: figures next to the paper's, runs without ratings."""

from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.data.shipped import shipped_pairs, shipped_run
from crscore_eval.table import HUMAN
from crscore_eval.validity.shown_tables import TABLES
from pages.components.validity_figures import cached_tables
from tests.pages.app_page import opened
from tests.pages.small_run import small_run, write_run


def test_study_is_compared_with_the_paper() -> None:
    page = opened("validity", {"tau": "0.331"})
    values = [float(value) for value in page.metrics().values()]
    assert values == pytest.approx([0.548, 0.579, 0.933], abs=0.002)
    titles = " ".join(expander.label for expander in page.expander)
    assert TABLES["review_level"].title in titles
    assert any("from" in table.value for table in page.table)
    assert len(page.get("plotly_chart")) == 1


def test_a_rated_run_has_figures_and_no_paper(rated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(rated))
    page = opened("validity")
    assert page.metrics()
    assert not any("from" in table.value for table in page.table)
    page.put(label="conciseness")
    assert "conciseness" in page.alt()


def test_without_ratings_no_agreement_is_shown(
    unrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(unrated))
    page = opened("validity")
    assert page.info
    assert not page.metrics()


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


def test_pairs_are_compared_by_the_encoder_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "pages.components.validity_figures"
    monkeypatch.setattr(f"{page}.validity_tables", lambda _run, _tau, _study, pairs: pairs)
    monkeypatch.setattr(
        f"{page}.score_addressed_pairs", lambda _study, encoder: pd.DataFrame([encoder])
    )
    run = shipped_run()
    other = run._replace(settings={**run.settings, "encoder": "other"})
    assert cached_tables("its pairs", 0.3, run, is_study=True).equals(shipped_pairs())
    assert cached_tables("other pairs", 0.3, other, is_study=True).to_numpy().item() == "other"


def test_chart_and_table_of_metrics_have_one_order() -> None:
    page = opened("validity", {"tau": "0.331"})
    drawn = page.chart()["data"][0]["y"]
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
