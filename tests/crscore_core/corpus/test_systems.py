"""Systems of a corpus and their means, on reviews made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.corpus.systems import (
    busiest_systems,
    corpus_bootstrap,
    system_means,
)
from crscore_eval.statistics import ClusterBootstrap
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring

REVIEWS = made_comparison(
    scoring(0, 0.2, 1, "rare"),
    *(scoring(change, change / 10, 3, "a") for change in range(4)),
    *(scoring(change, 0.5, 2, "b") for change in range(3)),
)


def test_the_busiest_systems_keep_their_order() -> None:
    reviews = REVIEWS
    assert list(busiest_systems(reviews, 2).items()) == [("a", 4), ("b", 3)]
    assert list(busiest_systems(reviews, 9)) == ["rare", "a", "b"]
    of_first_change = REVIEWS.change == 0
    assert busiest_systems(reviews, 2, of_first_change) == {"rare": 1, "a": 1}


def test_means_are_plain_means_of_what_is_known() -> None:
    reviews = tuple(
        replace(review, ratings=Ratings(relevance=4 if number else 2))
        if review.system != "b"
        else replace(review, ratings=Ratings())
        for number, review in enumerate(REVIEWS)
    )
    comparison = altered(REVIEWS, reviews=reviews)
    bootstrap = ClusterBootstrap(4, 200)
    means = system_means(comparison, comparison.ratings.T, bootstrap, ["rare", "a", "b"])
    assert system_means(comparison, comparison.ratings.T, bootstrap, ["a"]) == {"a": means["a"]}
    assert means["rare"]["relevance"].value == 2
    assert means["a"]["relevance"].value == 4
    assert [means["b"][name].value for name in DIMENSIONS] == [None] * 3
    assert means["a"]["conciseness"].value is None
    scores = comparison.scores([0.5])[:, 0]
    of_a = system_means(comparison, scores, bootstrap, ["a"])["a"]["conciseness"]
    assert of_a.value == pytest.approx(scores[0, comparison.system == "a"].mean())
    assert of_a.interval
    samples = bootstrap.weights @ np.array([0, 0.1, 0.2, 0.3]) / bootstrap.weights.sum(axis=1)
    assert (of_a.interval.low, of_a.interval.high) == pytest.approx(
        tuple(np.quantile(samples, [0.025, 0.975]))
    )


@pytest.mark.parametrize(
    ("reviews", "resamples"), [(1, 1_000), (2_000, 1_000), (5_000, 400), (20_000, 100)]
)
def test_the_more_reviews_the_fewer_resamples(reviews: int, resamples: int) -> None:
    many = altered(REVIEWS, reviews=[REVIEWS[0]] * reviews)
    assert corpus_bootstrap(many).weights.shape == (resamples, 4)
