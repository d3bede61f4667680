"""Metrics next to the three scores."""

import numpy as np
import pytest

from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.scoring import metric
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()


@pytest.mark.parametrize("name", METRICS)
def test_each_review_has_a_number_from_0_to_1_or_none(name: str) -> None:
    values = METRICS[name].compute(COMPARISON)
    assert values.shape == (len(COMPARISON.reviews),)
    assert values.dtype == np.float64
    has_sentences = [bool(review.sentences) for review in COMPARISON.reviews]
    assert (~np.isnan(values)).tolist() == has_sentences
    assert ((values >= 0) & (values <= 1))[has_sentences].all()


def test_tables_have_the_similarity_without_a_threshold() -> None:
    expected = [
        metric.no_threshold(review.similarity).relevance if review.sentences else 0.0
        for review in COMPARISON.reviews
    ]
    rows = ReviewTable(COMPARISON).at(0.5)
    assert rows["no_threshold"].tolist() == pytest.approx(expected, abs=1e-12)
    assert max(expected) > min(expected)
