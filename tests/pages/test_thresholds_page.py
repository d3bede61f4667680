"""The Threshold page: agreement by tau, the taus of the data, and curves."""

from pathlib import Path

import pytest

from crscore_eval.data import shipped_run
from crscore_eval.validity import procedure_taus, with_pseudo_references
from crscore_eval.validity.agreement import bootstrap_of
from tests.pages.app_page import AppPage, opened


def traces(page: AppPage, number: int = 0) -> list[str]:
    return [trace["name"] for trace in page.chart(number)["data"]]


def test_study_has_agreement_and_the_taus_of_its_data() -> None:
    page = opened("thresholds", {"tau": "0.4"})
    assert {"relevance", "conciseness", "comprehensiveness", "systems by relevance"} < set(
        traces(page)
    )
    reviews = with_pseudo_references(shipped_run().reviews)
    found = procedure_taus(reviews, bootstrap_of(reviews))
    drawn = [shape["x0"] for shape in page.chart()["layout"]["shapes"] if shape["type"] == "line"]
    assert drawn == pytest.approx([*(tau.value for tau in found.values()), 0.4])
    at_tau = page.dataframe[0].value
    assert at_tau["at tau 0.4"].tolist() == [
        "relevance", "comprehensiveness", "conciseness", "systems"
    ]  # fmt: skip
    assert at_tau["Spearman's rho"].between(at_tau["95% from"], at_tau["to"]).all()


def test_a_choice_draws_shares_or_mean_scores(rated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(rated))
    page = opened("thresholds")
    assert traces(page, 1) == ["with relevance 0", "with relevance 1"]
    page.put(threshold_curves="Mean score")
    assert traces(page, 1) == ["mean relevance", "mean comprehensiveness", "mean conciseness"]


def test_without_ratings_there_are_scores_alone(
    unrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_RUN", str(unrated))
    page = opened("thresholds")
    assert page.info
    assert "relevance" not in traces(page)
