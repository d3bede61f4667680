"""The threshold tau: where the procedure puts it, and what depends on it."""

import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from crscore_eval.data.shipped import shipped_run
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import DIMENSIONS, GROUND_TRUTH, scores_at
from crscore_eval.validity.agreement import procedure_taus, sweep, system_ratings
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews

TAUS = [0.0, 0.3, 0.5, 0.7, 1.0]
NAN = float("nan")
FOUR = one_sentence_reviews(
    ("0", "a", 0.25, 1), ("0", "b", 0.625, 4), ("1", "a", 0.5, 2), ("1", "b", 0.875, 5),
    ("0", GROUND_TRUTH, 0.75, 5),
)  # fmt: skip
PEOPLE = system_ratings(FOUR, "relevance")
TRUTH_ALONE = one_sentence_reviews(("0", GROUND_TRUTH, 0.5, 5))


def test_shares_and_means_leave_the_ground_truth_out() -> None:
    swept = sweep(FOUR, TAUS, PEOPLE)
    # Similarities are 0.25, 0.5, 0.625 and 0.875; one equal to tau is not a match.
    assert swept["relevance"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    for name in DIMENSIONS:
        assert swept[name].tolist() == [1, 0.75, 0.5, 0.25, 0]
    by_tau = sweep(TRUTH_ALONE, [0.2, 0.6], system_ratings(TRUTH_ALONE, "relevance"))
    assert by_tau["relevance"].tolist() == [1, 0]
    assert by_tau["agreement_relevance"].isna().all()


def test_without_ratings_shares_and_means_are_left() -> None:
    swept = sweep(FOUR, TAUS, PEOPLE * NAN)
    assert swept["relevance"].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert swept["agreement_relevance"].isna().all()
    assert pd.isna(procedure_taus(FOUR.drop(columns=["human_relevance"]))["tau_best"].value)


def test_the_procedure_takes_means_of_best_similarities() -> None:
    taus = procedure_taus(FOUR)
    assert (taus["tau_gt"].value, taus["tau_best"].value) == (0.75, 0.75)
    ratings = [5, 1, 5, 1, 5]
    assert procedure_taus(FOUR.assign(human_relevance=ratings))["tau_best"].value == 0.375
    alone = procedure_taus(TRUTH_ALONE)
    assert [of.value for of in alone.values()] == pytest.approx([0.5, NAN], nan_ok=True)


def test_each_row_of_a_sweep_equals_the_figures_at_its_tau() -> None:
    reviews = shipped_run().reviews.head(400)
    people = system_ratings(reviews, "comprehensiveness")
    is_good = (people > 2).astype(float).where(people.notna()).mask(people.index % 9 == 0, 0.5)
    graded, binary = (sweep(reviews, [0.2, 0.4], label) for label in (people, is_good))
    for number, tau in enumerate((0.2, 0.4)):
        scores = scores_at(reviews, tau, count_empty=True)
        for name in DIMENSIONS:
            alone = correlate(scores[name], people)
            column = f"agreement_{name}"
            assert graded[column][number] == pytest.approx(alone["spearman"].value)
            of_both = is_good.isin([0, 1]) & scores[name].notna()  # raters disagree on the others
            expected = roc_auc_score(is_good[of_both], scores[name][of_both])
            assert binary[column][number] == pytest.approx(expected)
