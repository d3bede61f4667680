"""Greedy matching of tokens against an example worked by hand, and by the default encoder."""

import numpy as np
import pytest

from crscore_eval.metrics.embeddings import f_score, precision_and_recall, token_matching


def test_matching_equals_the_hand_calculation() -> None:
    reference = np.array([[1, 0], [0, 1], [0.6, 0.8]])
    review = np.array([[1, 0], [0.8, 0.6]])
    # Cosines are [1, 0.8], [0, 0.6] and [0.6, 0.6 * 0.8 + 0.8 * 0.6 = 0.96]: columns have the
    # maxima 1 and 0.96, rows 1, 0.6 and 0.96.
    precision, recall = precision_and_recall(review, reference)
    assert (precision, recall) == pytest.approx((0.98, 2.56 / 3), abs=1e-6)
    # Twice the product over 1.833333; ten times the product over 9 * 0.98 + 0.853333.
    assert f_score(precision, recall, 1) == pytest.approx(0.912291, abs=1e-6)
    assert f_score(precision, recall, 3) == pytest.approx(0.864507, abs=1e-6)
    assert f_score(0, 0, 1) == 0
    assert precision_and_recall(np.array([[1.0]]), np.array([[-1.0]])) == (0, 0)


def test_codebertscore_skips_punctuation_but_not_operators() -> None:
    reviews = ["check the cache", "check, the cache!", "a + b", "a - b"]
    scores = token_matching(reviews[1::2], reviews[::2], "f1")
    assert 0.9 < scores[0] < 1  # its tokens are seen in another context
    assert scores[1] < 0.97
    with_marks = token_matching(reviews[1::2], reviews[::2], "f1", skip_punctuation=False)
    assert with_marks[0] < scores[0]
    assert token_matching(["(!)"], ["(!)"], "p").tolist() == pytest.approx([1])


def test_scores_of_a_pair_do_not_depend_on_the_others() -> None:
    reviews = ["check the cache", "retry, check!", "is null", "check the cache"]
    others = ["is the cache null", "a check of it", "check the cache", "retry"]
    whole = token_matching(reviews, others, "f3")
    alone = [
        token_matching([one], [two], "f3")[0] for one, two in zip(reviews, others, strict=True)
    ]
    np.testing.assert_allclose(alone, whole, atol=1e-5)
    # 600 pairs are more than one batch.
    many = token_matching(reviews * 150, others * 150, "f3")
    np.testing.assert_allclose(many, np.tile(whole, 150), atol=1e-5)
