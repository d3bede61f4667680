"""Agreement of a table's scores with people: what counts, and the order of systems."""

import pytest

from crscore_eval.table import GROUND_TRUTH, people_ratings, scores_at
from crscore_eval.validity import bootstrap_of, correlation, pairwise, ratings_of_systems
from crscore_eval.validity.agreement import (
    busiest_systems,
    clusters,
    means_of_systems,
    system_agreement,
)
from crscore_eval.validity.tables import AT_TAU, ScoredReviews
from tests.crscore_eval.validity.made import made, made_run

NAN = float("nan")
REVIEWS = made(
    ("0", "a", 0.25, 1), ("0", "b", 0.625, 4), ("1", "a", 0.5, NAN), ("1", "b", 0.875, 5),
    ("2", "a", 0.75, 2.5), ("2", GROUND_TRUTH, 0.75, 5),
)  # fmt: skip
BOOTSTRAP = bootstrap_of(REVIEWS, 50)
SCORES = scores_at(REVIEWS, 0.5, count_empty=True)


def test_changes_are_numbered_in_their_order() -> None:
    assert clusters(REVIEWS).tolist() == [0, 0, 1, 1, 2, 2]
    assert BOOTSTRAP.weights.shape == (50, 3)


def test_ratings_of_systems_leave_the_ground_truth_out() -> None:
    rated = ratings_of_systems(REVIEWS, "relevance").dropna()
    assert rated.to_dict() == {0: 1, 1: 4, 3: 5, 4: 2.5}
    assert people_ratings(REVIEWS, "relevance")[5] == 5
    assert ratings_of_systems(REVIEWS.drop(columns="human_relevance"), "relevance").isna().all()


def test_correlations_are_over_the_rated_reviews_that_are_chosen() -> None:
    people = ratings_of_systems(REVIEWS, "relevance")
    of_all = correlation(REVIEWS, SCORES["relevance"], people, BOOTSTRAP)
    # Scores 0 1 1 1 with ratings 1 4 5 2.5: ranks 1 3 3 3 and 1 3 4 2.
    assert of_all.n == 4
    assert of_all.spearman.value == pytest.approx(3 / 15**0.5)
    chosen = REVIEWS["change"] == "0"
    assert correlation(REVIEWS, SCORES["relevance"], people, BOOTSTRAP, chosen).n == 2
    assert correlation(REVIEWS, SCORES["relevance"], people * NAN, BOOTSTRAP).n == 0


def test_pairs_are_within_changes() -> None:
    people = ratings_of_systems(REVIEWS, "relevance")
    accuracy, epsilon, n_pairs = pairwise(REVIEWS, SCORES["relevance"], people, BOOTSTRAP)
    assert (accuracy.value, epsilon, n_pairs) == (1, 0, 1)  # a and b of change 0


def test_means_of_systems_are_over_reviews_with_a_value() -> None:
    people = people_ratings(REVIEWS, "relevance")
    means = means_of_systems(REVIEWS, people, BOOTSTRAP)
    assert {name: estimate.value for name, estimate in means.items()} == {
        "a": 1.75,
        "b": 4.5,
        "msg": 5,
    }


def test_systems_are_ranked_by_both() -> None:
    agreement = system_agreement(REVIEWS, SCORES["relevance"], BOOTSTRAP)
    assert agreement is not None
    assert [ranked.system for ranked in agreement.by_people] == ["b", "a"]
    assert [ranked.rank.value for ranked in agreement.by_scores] == [1, 2]
    assert agreement.means.spearman.value == pytest.approx(1)
    assert agreement.soft_pairwise_accuracy.value is not None
    unrated = REVIEWS.drop(columns="human_relevance")
    assert system_agreement(unrated, SCORES["relevance"], BOOTSTRAP) is None


def test_the_busiest_systems_stand_in_order_of_occurrence() -> None:
    reviews = made(*(("0", name, 0.5, 1.0) for name in "abbccc"))
    assert busiest_systems(reviews, 2) == ["b", "c"]
    assert busiest_systems(REVIEWS) == ["a", "b"]


def test_a_rating_between_two_levels_counts_for_the_nearer_one() -> None:
    levels = {
        level: mean.value
        for row, level, mean in AT_TAU["levels"](
            ScoredReviews(made_run(REVIEWS), SCORES, BOOTSTRAP)
        )
        if row == "relevance"
    }
    assert levels == {"1": 0, "3": 1, "4": 1, "5": 1}  # 2.5 counts for 3
