"""The tidy frame of all figures, for the shipped study and for a user's tables."""

import numpy as np
import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.data.shipped import shipped_pairs, shipped_run, shipped_study
from crscore_eval.validity.agreement import TAU_NAMES, resolve_study_tau
from crscore_eval.validity.figures import rows_by_name, validity_tables
from crscore_eval.validity.shown_tables import TABLES, shown_tables, wide_table
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews, run_of_reviews

OWN = one_sentence_reviews(
    ("0", "a", 0.25, 1), ("0", "b", 0.625, 4), ("1", "a", 0.5, 2), ("1", "b", 0.875, 5),
    ("2", "a", 0.1, 1), ("2", "b", 0.9, 4), language=["python"] * 4 + [""] * 2,
)  # fmt: skip


@pytest.fixture(scope="module")
def shipped() -> pd.DataFrame:
    return validity_tables(shipped_run(), None, shipped_study(), shipped_pairs())


@pytest.mark.parametrize(("name", "row", "column", "paper", "expected"), [
    ("review_level", "relevance", "spearman", 0.5405, 0.5474983309),
    ("review_level_not_empty", "relevance", "spearman", np.nan, 0.5190036222),
    ("review_level_by_system", "codellama_13b", "n", np.nan, 105),
    ("review_level", "conciseness", "kendall", 0.4168, 0.4308556999),
    ("review_level at tau_best", "relevance", "spearman", 0.5431, 0.5156005843),
    ("review_level_by_language", "python", "spearman", 0.5788, 0.5834203679),
    ("system_level", "systems", "spearman", np.nan, 0.9333333333),
    ("system_level", "systems", "spearman_p", np.nan, 0.0002358),
    ("system_level at tau_best", "systems", "spearman", 0.95, 0.95),
    ("no_threshold", "relevance", "spearman", np.nan, 0.5785682105),
    ("procedure_taus", "tau_gt", "tau", 0.6576, 0.3299212605),
    ("procedure_taus", "tau_best", "tau", 0.7314, 0.4826670645),
    ("matching", "tau_gt", "precision", 0.4475, 0.4632587859),
    ("human_means_0_to_1", "knn", "conciseness", 0.0301, 0.0218579235),
    ("metric_means", "knn", "conciseness", np.nan, 0.0204918033),
    ("claim_quality", "python", "accuracy", 83.65, 83.6177474403),
])  # fmt: skip
def test_shipped_figures_are_reproduced(  # noqa: PLR0917 - the columns of a table
    name: str, row: str, column: str, paper: float, expected: float, shipped: pd.DataFrame
) -> None:
    table, _, at = name.partition(" at ")
    figures = shipped[shipped["tau_name"] == at] if at else shipped
    keys = figures[["table", "row", "column"]]
    figure, *_ = figures[(keys == [table, row, column]).all(axis=1)].to_dict("records")
    assert at or figure["tau_name"] in {"", "tau_gt"}  # the tau in use comes first
    assert figure["recomputed"] == pytest.approx(expected, abs=1e-6)
    assert figure["paper"] == pytest.approx(paper, nan_ok=True)
    assert not figure["low"] > figure["recomputed"] > figure["high"]


def test_tables_have_titles_and_their_order(shipped: pd.DataFrame) -> None:
    assert not shipped.duplicated(["table", "tau_name", "row", "column"]).any()
    assert shipped["table"].unique().tolist() == list(TABLES)
    assert set(shipped["tau_name"]) == {"", *TAU_NAMES}
    tables = shown_tables(shipped, 0.330)
    title = TABLES["system_level"]
    assert tables[title]["tau"].unique().tolist() == [0.330]
    assert set(tables[f"{title}, at tau_best"]["table"]) == {"system_level"}
    assert TABLES["matching"] in tables
    assert sum(map(len, tables.values())) == len(shipped)
    wide = wide_table(tables[title])
    assert wide.columns[:3].tolist() == ["", "Spearman's rho", "Kendall's tau-b"]
    assert wide[""].tolist() == ["reviewers"]
    means = wide_table(tables[TABLES["human_means_0_to_1"]])
    assert means[""].tolist()[:2] == ["GPT-3.5", "GPT-3.5, paper"]


def test_the_paper_s_figures_are_shown_only_for_a_tau_of_the_same_role() -> None:
    for tau, printed in ((0.330, 0.5405), (0.483, 0.5431), (0.4, np.nan)):
        frame = validity_tables(shipped_run(), tau, shipped_study())
        frame = frame[frame["tau"] == tau]
        figures = frame.set_index(["table", "row", "column"])["paper"]
        spearman = figures["review_level", "relevance", "spearman"]
        assert spearman == pytest.approx(printed, nan_ok=True)


def test_a_tau_is_a_number_a_role_or_by_default_the_run_s_own() -> None:
    run = shipped_run()
    taus = [resolve_study_tau(run, name) for name in ("0.5", None, "tau_best")]
    assert taus == [0.5, 0.330, 0.483]
    assert set(validity_tables(run)["tau"].dropna()) == {0.330}
    of_one = run._replace(reviews=run.reviews[run.reviews["system"] == "knn"])
    with pytest.raises(InputError):
        resolve_study_tau(of_one, "tau_gt")


def test_own_ratings_give_tables_without_the_paper() -> None:
    frame = validity_tables(run_of_reviews(OWN))
    assert frame["paper"].isna().all()
    assert set(frame["tau_name"]) == {"", "tau"}
    assert rows_by_name(frame, "review_level")["relevance"]["n"] == 6
    assert set(rows_by_name(frame, "review_level_by_language")) == {"python", ""}
    assert "tau_gt" not in rows_by_name(frame, "procedure_taus")  # no reference reviews
    assert frame[frame["table"] == "procedure_taus"]["recomputed"].notna().all()
    maxima = [[], [], *OWN["sentence_maxima"][2:]]
    left_out = OWN.assign(n_pseudo_references=[0, 0, 1, 1, 1, 1])
    left_out = left_out.assign(sentence_maxima=maxima, reference_maxima=maxima)
    frame = validity_tables(run_of_reviews(left_out))
    assert rows_by_name(frame, "review_level")["relevance"]["n"] == 4
    unrated = run_of_reviews(OWN.filter(regex="^(?!human)"))
    tables = {*validity_tables(unrated)["table"]}
    assert "metric_means" in tables
    assert {"procedure_taus", "review_level", "system_level"}.isdisjoint(tables)
