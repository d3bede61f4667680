"""Greedy matching of tokens against examples worked by hand, and on a tiny model."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.metrics import TextPair, token_matching
from crscore_core.metrics.token_matching import (
    f_score,
    matched_vectors,
    precision_and_recall,
    token_scores,
)
from crscore_core.scoring import CachedEncoder
from crscore_core.text import whole_text
from tests.crscore_core.scoring.tiny_model import write_tiny_model

PAIR = TextPair("check the cache", "is the cache null")


def test_matching_by_hand() -> None:
    review, reference = np.array([[1, 0], [0.8, 0.6]]), np.array([[1, 0], [0, 1], [0.6, 0.8]])
    # Cosines, a row a token of the reference: 1 and 0.8; 0 and 0.6; 0.6 and 0.96.
    # Columns have the maxima 1 and 0.96, rows 1, 0.6 and 0.96.
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


@pytest.mark.parametrize(
    ("review", "matched", "skips"),
    [
        ("check(the.cache), a+1 % é!", "check the cache a + 1 % é", True),
        ("check (it)", "check ( it )", False),
        ("(!)", "( ! )", True),
        ("\ud83d", " ", True),  # the marks around a text, where there is no other token
        ("\u200b", " ", True),
    ],
)
def test_punctuation_is_left_out_except_arithmetic_operators(
    review: str, matched: str, skips: bool, tiny: CachedEncoder
) -> None:
    (tokens,) = tiny.tokens([whole_text(review)])
    vectors = matched_vectors(review, tokens, skip_punctuation=skips)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    rows = [int(np.argmax(tokens.vectors @ vector)) for vector in vectors]
    assert " ".join(review[slice(*tokens.offsets[row])] for row in rows) == matched


def test_scores_do_not_depend_on_batching(
    tiny: CachedEncoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pairs = [
        PAIR,
        TextPair("retry, check!", "a check of it"),
        TextPair(*PAIR[::-1]),
        PAIR,
    ]

    def scores(some: list[TextPair], *, skip: bool) -> NDArray[np.float64]:
        found = token_scores(some, tiny, skip_punctuation=skip)
        return np.array([found.precision, found.recall, found.f1, found.f3])

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "alone"))
    alone = {
        skip: np.hstack([scores([pair], skip=skip) for pair in pairs]) for skip in (True, False)
    }
    assert np.abs(alone[True] - alone[False]).max() > 0.001
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "together"))
    monkeypatch.setattr(token_matching, "_PAIRS_AT_ONCE", 2)
    np.testing.assert_allclose(scores(pairs, skip=True), alone[True], atol=1e-12)
    # BERTScore was kept with CodeBERTScore, and all of it for the next time.
    monkeypatch.setattr(token_matching, "_read", None)
    np.testing.assert_allclose(scores(pairs, skip=False), alone[False], atol=1e-12)
