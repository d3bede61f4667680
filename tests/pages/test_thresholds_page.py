"""The Threshold page: agreement by tau, the taus of the data, and curves."""

from pathlib import Path

import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from crscore_eval.data.shipped import shipped_run
from crscore_eval.table import HUMAN, measure_values
from crscore_eval.validity.agreement import procedure_taus
from tests.pages.app_page import AppPage, opened
from tests.pages.runs import TAU, small_run, write_run


def traces(page: AppPage, number: int = 0) -> list[str]:
    return [trace["name"] for trace in page.chart(number)["data"]]


def test_study_has_agreement_and_the_taus_of_its_data() -> None:
    page = opened("thresholds", {"tau": "0.4"})
    curves = {"relevance", "conciseness", "comprehensiveness"}
    assert curves < {*traces(page)}
    found = procedure_taus(shipped_run().reviews)
    drawn = [shape["x0"] for shape in page.chart()["layout"]["shapes"] if shape["type"] == "line"]
    assert drawn == pytest.approx([*(tau.value for tau in found.values()), 0.4])
    (label,) = page.chart()["layout"]["annotations"]  # no other text is among the curves
    assert "tau 0.4" in label["text"]
    assert "tau_best* 0.483 (0." in page.texts()
    at_tau = page.text_table("at tau 0.4")
    scores = ["relevance", "comprehensiveness", "conciseness", "relevance without a threshold"]
    assert at_tau["at tau 0.4"].tolist() == scores
    figures = at_tau["Spearman"].str.extractall(r"(0\.\d+)")[0].astype(float).unstack()
    assert figures[0].between(figures[1], figures[2]).all()


def test_a_label_is_compared_by_the_area_under_the_curve(tmp_path: Path) -> None:
    run = small_run()
    is_good = (run.reviews["human_relevance"] > 2) * 1.0
    reviews = run.reviews.drop(columns=[*HUMAN.values()]).assign(label_good=is_good)
    page = opened("thresholds", run=write_run(tmp_path / "run", run._replace(reviews=reviews)))
    tau = run.settings["tau"]
    relevance = page.text_table(f"at tau {tau:.4g}")["AUC"][0].split()[0]
    expected = roc_auc_score(is_good, measure_values(reviews, "relevance", tau))
    assert float(relevance) == pytest.approx(expected, abs=0.0005)
    for words in ("Area under the ROC curve of relevance with label good", "Chance is 0.5"):
        assert words in page.texts()
    assert "Agreement with label good" in page.alt()


def test_a_tau_below_0_is_shown_and_an_invalid_one_is_rejected(rated: Path) -> None:
    page = opened("thresholds", {"tau": "-0.25"}, run=rated)
    assert {"mean relevance", "mean conciseness"} < {*traces(page, 1)}
    assert not page.warning
    assert page.slider(key="tau").value == -0.25
    assert page.chart()["layout"]["xaxis"]["range"][0] == -0.25
    assert page.put(tau=0.5).slider(key="tau").min == 0
    for wrong in ("1.5", "-2", "nan", "high"):
        page = opened("thresholds", {"tau": wrong})
        assert len(page.warning) == 1
        assert page.slider(key="tau").value == TAU
        assert "tau" not in page.query_params
