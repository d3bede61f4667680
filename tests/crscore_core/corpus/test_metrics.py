"""Metrics beside the three scores, against values worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus import metrics
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.scoring import DEFAULT_ENCODER
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()


KNOWN = replace(COMPARISON, encoder=DEFAULT_ENCODER)


def test_all_predictions_share_one_computation_of_the_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed: list[object] = []
    features = metrics.prediction_features

    def counted(comparison: CorpusComparison) -> metrics.Array:
        computed.append(comparison)
        return features(comparison)

    monkeypatch.setattr(metrics, "prediction_features", counted)
    known = replace(KNOWN)
    ReviewTable(known).at(0.5)
    ReviewTable(known).at(0.5)
    assert computed == [known]


@pytest.mark.parametrize("name", METRICS)
def test_each_review_has_a_number_from_0_to_1_or_none(name: str) -> None:
    values = METRICS[name].compute(KNOWN)
    assert values.shape == (len(KNOWN.reviews),)
    assert values.dtype == np.float64
    has_sentences = [bool(review.sentences) for review in KNOWN.reviews]
    assert (~np.isnan(values)).tolist() == has_sentences
    assert ((values >= 0) & (values <= 1))[has_sentences].all()


def test_without_a_model_for_the_encoder_nothing_is_predicted() -> None:
    assert np.isnan(METRICS["predicted_relevance"].compute(COMPARISON)).all()


def test_the_similarity_without_threshold_is_a_mean_of_maxima() -> None:
    # Best of the sentences 0.8 and 0.4, mean 0.6; of the references 0.8 and 0.1, mean 0.45.
    similarity = np.array([[0.8, 0.4], [-0.3, 0.1]], dtype=np.float32)
    review = replace(COMPARISON.reviews[0], similarity=similarity)
    negative = replace(review, similarity=np.array([[-0.5]], dtype=np.float32))
    comparison = replace(COMPARISON, reviews=(review, negative))
    values = METRICS["no_threshold"].compute(comparison).tolist()
    assert values == pytest.approx([2 * 0.6 * 0.45 / 1.05, 0.0], abs=1e-6)
    assert not any(map(math.isnan, values))
