"""Similarity matrices."""

import numpy as np
import pytest

from crscore_core.scoring import Comparison, compare, compare_each
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


CHANGES = [
    (["alpha beta", "gamma"], [["gamma", "delta"], [], ["alpha", "alpha"]]),
    ([], [["alpha"], []]),
    (["gamma"], []),
    ([], []),
    (["epsilon", "alpha beta"], [["a much longer sentence", "gamma"]]),
]


def test_many_changes_at_once_equal_one_by_one() -> None:
    together = compare_each(WordEncoder(longest=10), CHANGES)
    assert [len(of_change) for of_change in together] == [3, 2, 0, 0, 1]
    for of_change, (references, reviews) in zip(together, CHANGES, strict=True):
        alone = compare(WordEncoder(longest=10), references, reviews)
        for one, other in zip(of_change, alone, strict=True):
            assert one.similarity.shape == other.similarity.shape
            assert one.similarity.dtype == np.float32
            assert np.array_equal(one.similarity, other.similarity)
            assert one.truncated_references == other.truncated_references
            assert one.truncated_sentences == other.truncated_sentences
    assert together[4][0].truncated_references == ()
    assert together[4][0].truncated_sentences == (0,)


def test_shapes_follow_the_texts_where_some_are_missing() -> None:
    shapes = [
        [one.similarity.shape for one in of_change]
        for of_change in compare_each(WordEncoder(), CHANGES)
    ]
    assert shapes == [[(2, 2), (2, 0), (2, 2)], [(0, 1), (0, 0)], [], [], [(2, 2)]]


def test_every_distinct_text_of_all_changes_is_encoded_once() -> None:
    encoder = WordEncoder()
    compare_each(encoder, [(["a", "b"], [["c"]]), (["b"], [["a", "d"], ["c"]])])
    assert encoder.calls == [("a", "b", "c", "d")]


@pytest.mark.parametrize("changes", [[], [([], [])], [([], [[], []]), ([], [])]])
def test_where_there_is_no_text_nobody_is_asked(
    changes: list[tuple[list[str], list[list[str]]]],
) -> None:
    encoder = WordEncoder()
    found = compare_each(encoder, changes)
    assert encoder.calls == []
    assert [[one.similarity.shape for one in of_change] for of_change in found] == [
        [(0, 0)] * len(reviews) for _, reviews in changes
    ]
