"""Agreement of a table's scores with people: what counts, and the order of systems."""

import pandas as pd
import pytest

from crscore_eval.statistics.bootstrap import bootstrap_changes
from crscore_eval.table import GROUND_TRUTH, scores_at
from crscore_eval.table.measures import people_ratings
from crscore_eval.validity.agreement import system_correlation, system_means, system_ratings
from tests.crscore_eval.validity.one_sentence_reviews import one_sentence_reviews

NAN = float("nan")
REVIEWS = one_sentence_reviews(
    ("0", "a", 0.25, 1), ("0", "b", 0.625, 4), ("1", "a", 0.5, NAN), ("1", "b", 0.875, 5),
    ("2", "a", 0.75, 2.5), ("2", GROUND_TRUTH, 0.75, 5),
)  # fmt: skip
BOOTSTRAP = bootstrap_changes(REVIEWS)
SCORES = scores_at(REVIEWS, 0.5, count_empty=True)


def test_a_correlation_of_systems_needs_three_of_them() -> None:
    three = one_sentence_reviews(("0", "a", 0.2, 1), ("0", "b", 0.9, 4), ("0", "c", 0.9, 5))
    of_two, unrated, figures = (
        system_correlation(
            reviews, scores_at(reviews, 0.5)["relevance"], system_ratings(reviews, "relevance")
        )
        for reviews in (REVIEWS, REVIEWS.drop(columns="human_relevance"), three)
    )
    assert of_two == unrated == {}
    assert figures["spearman"].value == pytest.approx(0.75**0.5)  # ranks 1 2.5 2.5 and 1 2 3
    assert pd.isna(figures["spearman"].low)  # resampled changes do not cover other systems


def test_ratings_of_systems_leave_the_ground_truth_out() -> None:
    rated = system_ratings(REVIEWS, "relevance").dropna()
    assert rated.to_dict() == {0: 1, 1: 4, 3: 5, 4: 2.5}
    assert system_ratings(REVIEWS.drop(columns="human_relevance"), "relevance").isna().all()
    people = people_ratings(REVIEWS, "relevance")
    assert people[5] == 5
    assert system_means(REVIEWS, people)["mean"].to_dict() == {"a": 1.75, "b": 4.5, "msg": 5}
