"""Similarity matrices."""

import numpy as np
import pytest

from crscore_core.sts import Comparison, compare
from tests.word_encoder import WordEncoder


def test_rows_are_references_and_columns_sentences() -> None:
    encoder = WordEncoder()
    (only,) = compare(encoder, ["alpha beta", "gamma"], [["gamma", "beta alpha", "delta"]])
    assert only.similarity.shape == (2, 3)
    assert only.similarity.dtype == np.float32
    assert only.similarity[0, 1] == pytest.approx(1)
    assert only.similarity[1, 0] == pytest.approx(1)
    assert abs(only.similarity[0, 2]) < 0.6


def test_every_distinct_text_is_encoded_once_in_one_call() -> None:
    encoder = WordEncoder()
    compare(encoder, ["a", "b", "a"], [["a", "c"], ["c", "c"], []])
    assert encoder.calls == [("a", "b", "c")]


def test_cosines_stay_within_one() -> None:
    texts = [f"word{number} common" for number in range(50)]
    (only,) = compare(WordEncoder(), texts, [texts])
    assert only.similarity.max() <= 1
    assert only.similarity.min() >= -1
    assert np.allclose(np.diag(only.similarity), 1)


def test_cut_texts_are_reported_by_index() -> None:
    (only,) = compare(WordEncoder(longest=5), ["short", "much longer"], [["tiny", "long as well"]])
    assert only.truncated_references == (1,)
    assert only.truncated_sentences == (1,)


def test_a_review_without_sentences_has_no_columns() -> None:
    filled, empty = compare(WordEncoder(), ["a", "b"], [["a"], []])
    assert filled.similarity.shape == (2, 1)
    assert empty.similarity.shape == (2, 0)
    assert Comparison.nothing(2, 0).similarity.shape == empty.similarity.shape
