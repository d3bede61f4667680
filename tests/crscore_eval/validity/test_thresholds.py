"""The threshold tau: where the procedure puts it, and what depends on it."""

import pandas as pd
import pytest

from crscore_eval.data.shipped import shipped_run
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import DIMENSIONS, GROUND_TRUTH, scores_at
from crscore_eval.table.clusters import bootstrap_changes
from crscore_eval.validity.agreement import best_system, procedure_taus, sweep, system_ratings
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews

TAUS = [0.0, 0.3, 0.5, 0.7, 1.0]
NAN = float("nan")
FOUR = one_sentence_reviews(
    ("0", "a", 0.25, 1), ("0", "b", 0.625, 4), ("1", "a", 0.5, 2), ("1", "b", 0.875, 5),
    ("0", GROUND_TRUTH, 0.75, 5),
)  # fmt: skip
TRUTH_ALONE = one_sentence_reviews(("0", GROUND_TRUTH, 0.5, 5))


def test_shares_and_means_leave_the_ground_truth_out() -> None:
    swept = sweep(FOUR, TAUS)
    # Similarities are 0.25, 0.5, 0.625 and 0.875; one equal to tau is not a match.
    assert swept["share_one"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert swept["share_zero"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    for name in DIMENSIONS:
        assert swept[name].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert swept["system_spearman"].isna().all()  # two systems are too few
    three = pd.concat([FOUR, one_sentence_reviews(("0", "c", 0.625, 5))], ignore_index=True)
    # At 0.3 the means of a, b and c are 0.5, 1 and 1; at 0 all are 1, so no order is defined.
    by_system = sweep(three, TAUS)["system_spearman"][:2].tolist()
    assert by_system == pytest.approx([NAN, 0.75**0.5], nan_ok=True)
    by_tau = sweep(TRUTH_ALONE, [0.2, 0.6])
    assert by_tau["share_one"].tolist() == [1, 0]
    assert by_tau["spearman_relevance"].isna().all()


def test_without_ratings_shares_and_means_are_left() -> None:
    swept = sweep(FOUR.assign(human_relevance=NAN), TAUS)
    assert swept["share_one"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert swept[["spearman_relevance", "system_spearman"]].isna().all(axis=None)
    assert best_system(FOUR.drop(columns=["human_relevance"])) is None


def test_the_procedure_takes_means_of_best_similarities() -> None:
    taus = procedure_taus(FOUR, bootstrap_changes(FOUR, 100))
    assert best_system(FOUR) == "b"
    assert (taus["tau_gt"].value, taus["tau_best"].value) == (0.75, 0.75)
    assert procedure_taus(FOUR, bootstrap_changes(FOUR, 100), "a")["tau_best"].value == 0.375
    alone = procedure_taus(TRUTH_ALONE, bootstrap_changes(TRUTH_ALONE, 100))
    assert [of.value for of in alone.values()] == pytest.approx([0.5, NAN], nan_ok=True)


def test_each_row_of_a_sweep_equals_the_figures_at_its_tau() -> None:
    reviews = shipped_run().reviews.head(400)
    swept = sweep(reviews, [0.2, 0.4])
    for row, tau in zip(swept.to_dict("records"), (0.2, 0.4), strict=True):
        scores = scores_at(reviews, tau, count_empty=True)
        for name in DIMENSIONS:
            people = system_ratings(reviews, name).dropna()
            alone = correlate(scores.loc[people.index, name], people)
            assert row[f"spearman_{name}"] == alone["spearman"].value
            assert row[f"kendall_{name}"] == alone["kendall"].value
