"""Greedy matching of tokens against examples worked by hand, and on a tiny model."""

from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from crscore_core.metrics import TextPair, token_matching
from crscore_core.metrics.token_matching import (
    f_score,
    matched_rows,
    precision_and_recall,
    token_scores,
)
from crscore_core.scoring import CachedEncoder
from crscore_core.text import whole_text
from tests.crscore_core.scoring.tiny_model import write_tiny_model

PAIR = TextPair("check the cache", "is the cache null")


def test_matching_by_hand() -> None:
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


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> CachedEncoder:
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_model(folder, seed=1)
    return CachedEncoder(str(folder), folder / "cache", drop_stop_words=False)


def test_punctuation_is_left_out_except_arithmetic_operators(tiny: CachedEncoder) -> None:
    def tokens(text: str, *, skip_punctuation: bool = True) -> tuple[str, ...]:
        (read,) = tiny.tokens([whole_text(text)])
        rows = matched_rows(text, read, skip_punctuation=skip_punctuation)
        return tuple(text[slice(*read.offsets[row])] for row in rows)

    assert tokens("check(the.cache), a+1 % é!") == (
        *("check", "the", "cache", "a", "+", "1", "%", "é"),
    )
    assert tokens("check (it)", skip_punctuation=False) == ("check", "(", "it", ")")
    assert tokens("(!)") == ("(", "!", ")")
    assert tokens("\ud83d") == ("", "")
    assert tokens("\u200b") == ("", "")  # the marks around a text


def test_scores_do_not_depend_on_batching(
    tiny: CachedEncoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(token_matching, "_PAIRS_AT_ONCE", 2)
    pairs = [PAIR, TextPair("retry, check!", "a check of it"), TextPair(*PAIR[::-1]), PAIR]
    for skip in (True, False):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "alone"))
        alone = [astuple(token_scores([pair], tiny, skip_punctuation=skip)) for pair in pairs]
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "together"))
        scores = token_scores(pairs, tiny, skip_punctuation=skip)
        expected = np.concatenate(alone, axis=1)
        np.testing.assert_allclose(np.array(astuple(scores)), expected, atol=1e-12)
        assert len(set(scores.f3)) == 3
    # BERTScore was kept with CodeBERTScore, and all of it for the next time.
    monkeypatch.setattr(token_matching, "_read", None)
    again = token_scores(pairs, tiny, skip_punctuation=False)
    np.testing.assert_array_equal(again.f3, scores.f3)
