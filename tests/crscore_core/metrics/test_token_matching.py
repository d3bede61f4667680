"""Greedy matching of tokens against examples worked by hand, and on a tiny model."""

import math
from pathlib import Path

import numpy as np
import pytest

from crscore_core.errors import EncoderError, InputError
from crscore_core.metrics import TextPair, codebertscore
from crscore_core.metrics.codebertscore import token_scores
from crscore_core.metrics.token_matching import (
    BERTSCORE,
    CODEBERTSCORE,
    MatchedTokens,
    TokenMatch,
    TokenMatching,
    f_score,
    idf_weights,
    token_matches,
)
from crscore_core.scoring import CachedEncoder
from tests.crscore_core.scoring.tiny_model import write_tiny_model

PAIR = TextPair("check the cache", "is the cache null")


def match(reference_weights: list[float], review_weights: list[float]) -> TokenMatch:
    return TokenMatch(
        MatchedTokens(
            ("a", "b", "c"), np.array([[1, 0], [0, 1], [0.6, 0.8]]), np.array(reference_weights)
        ),
        MatchedTokens(("x", "y"), np.array([[1, 0], [0.8, 0.6]]), np.array(review_weights)),
    )


def test_matching_by_hand() -> None:
    table = [[1, 0.8], [0, 0.6], [0.6, 0.96]]  # 0.6 * 0.8 + 0.8 * 0.6 = 0.96
    np.testing.assert_allclose(match([1] * 3, [1] * 2).cosines, table)
    # Columns have the maxima 1 and 0.96, rows 1, 0.6 and 0.96.
    precision, recall = match([1] * 3, [1] * 2).precision_and_recall()
    assert (precision, recall) == pytest.approx((0.98, 2.56 / 3), abs=1e-6)
    # Twice the product over 1.833333; ten times the product over 9 * 0.98 + 0.853333.
    assert f_score(precision, recall, 1) == pytest.approx(0.912291, abs=1e-6)
    assert f_score(precision, recall, 3) == pytest.approx(0.864507, abs=1e-6)
    # (0 * 1 + 1 * 0.6 + 2 * 0.96) / 3; a text in which nothing weighs anything has the plain mean.
    weighted = match([0, 1, 2], [3, 0]).precision_and_recall()
    assert weighted == pytest.approx((1, 0.84), abs=1e-6)
    assert match([0] * 3, [0] * 2).precision_and_recall() == (precision, recall)
    assert f_score(0, 0, 1) == 0
    one, opposite = (MatchedTokens(("a",), np.array([[x]]), np.ones(1)) for x in (1.0, -1.0))
    assert TokenMatch(one, opposite).precision_and_recall() == (0, 0)


def test_rare_tokens_weigh_more() -> None:
    weights, unknown = idf_weights([["a", "b", "a"], ["a"], ["a", "c"]])
    assert weights == pytest.approx({"a": 0, "b": math.log(4 / 2), "c": math.log(4 / 2)})
    assert unknown == pytest.approx(math.log(4))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> CachedEncoder:
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_model(folder, seed=1)
    return CachedEncoder(str(folder), folder / "cache", drop_stop_words=False)


def test_punctuation_is_left_out_except_arithmetic_operators(tiny: CachedEncoder) -> None:
    def tokens(review: str, matching: TokenMatching = CODEBERTSCORE) -> tuple[str, ...]:
        return token_matches(review, "cache", tiny, matching).review.texts

    assert tokens("check(the.cache), a+1 % é!") == (
        *("check", "the", "cache", "a", "+", "1", "%", "é"),
    )
    assert tokens("check (it)", BERTSCORE) == ("check", "(", "it", ")")
    assert tokens("(!)") == ("(", "!", ")")
    assert tokens("\ud83d") == ("", "")
    assert tokens("\u200b") == ("", "")  # the marks around a text


def test_a_context_is_read_and_not_matched(tiny: CachedEncoder) -> None:
    alone = token_matches(*PAIR, tiny)
    within = token_matches(*PAIR, tiny, context="retry long session")
    assert within.review.texts == alone.review.texts == ("check", "the", "cache")
    assert within.reference.texts == ("is", "the", "cache", "null")
    assert np.abs(within.cosines - alone.cosines).max() > 1e-4
    longer = token_matches(*PAIR, tiny, context="session " * 50)
    assert longer.review.texts == alone.review.texts
    assert not longer.review.truncated
    assert token_matches("cache " * 50, "cache", tiny).review.truncated


def test_vectors_come_from_the_chosen_layer(tiny: CachedEncoder) -> None:
    """Vectors of layer 0 depend on word and position; the last layer is the output."""
    output = token_matches(*PAIR, tiny).cosines
    np.testing.assert_array_equal(
        token_matches(*PAIR, tiny, TokenMatching(layer=1)).cosines, output
    )
    first = token_matches("the cache", "the null", tiny, TokenMatching(layer=0)).cosines
    assert first[0, 0] == pytest.approx(1, abs=1e-6)
    with pytest.raises(InputError, match="rescale is 1: give a cosine less than 1"):
        TokenMatching(rescale=1)
    with pytest.raises(EncoderError, match="has the layers 0 to 1, not 2"):
        token_matches(*PAIR, tiny, TokenMatching(layer=2))


def test_scores_do_not_depend_on_batching(
    tiny: CachedEncoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(codebertscore, "_PAIRS_AT_ONCE", 2)
    pairs = [PAIR, TextPair("retry", "a long check of the session"), TextPair(*PAIR[::-1]), PAIR]
    contexts = ["", "null", "the cache", "retry"]
    for matching in (
        CODEBERTSCORE,
        BERTSCORE,
        TokenMatching(layer=0, idf=("the cache", "the session"), rescale=0.2),
    ):
        scores = token_scores(pairs, tiny, matching, contexts)
        base = matching.rescale or 0.0
        for row, (pair, context) in enumerate(zip(pairs, contexts, strict=True)):
            p, r = token_matches(*pair, tiny, matching, context).precision_and_recall()
            raw = np.array([p, r, f_score(p, r, 1), f_score(p, r, 3)])
            found = scores.precision, scores.recall, scores.f1, scores.f3
            np.testing.assert_allclose(
                [score[row] for score in found], (raw - base) / (1 - base), atol=1e-12
            )
    # BERTScore was kept with CodeBERTScore, and all of it for the next time.
    monkeypatch.setattr(codebertscore, "precision_and_recall", None)
    again = token_scores(pairs, tiny, matching, contexts)
    np.testing.assert_array_equal(again.f3, scores.f3)
