"""Features of a review, and the words that they compare."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import SimilarityError
from crscore_core.predicted.features import FEATURES, content_words, review_features

TEXTS = st.lists(st.text(max_size=40), min_size=1, max_size=5)


def named(
    references: list[str], sentences: list[str], similarity: list[list[float]]
) -> dict[str, float]:
    values = review_features(references, sentences, similarity).tolist()
    return {feature.name: value for feature, value in zip(FEATURES, values, strict=True)}


def test_by_hand() -> None:
    # words: {parser, fail}, {cach, entri, expir}; review: parser, crash, cach, parser
    features = named(
        ["The parser fails.", "A cache entry expires."],
        ["The parser crashes", "Cache the parser"],
        [[0.8, 0.3], [0.1, 0.5]],
    )
    assert features == pytest.approx(
        {
            "coverage": (0.8 + 0.5) / 2,
            "focus": (0.8 + 0.5) / 2,
            "word_coverage": (1 / 2 + 1 / 3) / 2,
            "word_focus": 3 / 4,
            "variety": 3 / 4,
            "sentences": math.log(3),
            "words": math.log(7),
            "pseudo_references": math.log(2),
        }
    )


def test_rows_and_columns_count_differently_and_shares_of_no_words_are_0() -> None:
    features = named(["the"], ["?", "?"], [[0.2, 0.6]])
    assert (features["coverage"], features["focus"]) == pytest.approx((0.6, 0.4))
    for name in ("word_coverage", "word_focus", "variety", "words"):
        assert features[name] == 0


@pytest.mark.parametrize(
    "matrix",
    [[[]], [[0.1, 0.2]], [[0.1], [0.2]], [0.1], [[float("nan")]], [[float("inf")]]],
)
def test_a_matrix_of_other_texts_is_refused(matrix: object) -> None:
    with pytest.raises(SimilarityError):
        review_features(["a"], ["b"], np.array(matrix))
    with pytest.raises(SimilarityError):
        review_features([], [], np.zeros((0, 0)))


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_features_are_finite_and_independent_of_order(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    cells = st.floats(-1, 1)
    matrix = np.array([[data.draw(cells) for _ in sentences] for _ in references])
    features = review_features(references, sentences, matrix)
    assert np.isfinite(features).all()
    assert (features[:2] >= -1).all()
    assert (features[:5] <= 1 + 1e-12).all()
    assert (features[2:] >= 0).all()
    turned = review_features(references[::-1], sentences[::-1], matrix[::-1, ::-1])
    assert turned == pytest.approx(features, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("the of and", ()),
        ("The parser fails.", ("parser", "fail")),
        ("maxRetryCount", ("max", "retri", "count")),
        ("the max retry counts", ("max", "retri", "count")),
        ("MAX_RETRY_COUNT", ("max", "retri", "count")),
        ("HTTPServer", ("http", "server")),
        ("utf8 and sha256", ("utf", "sha", "256")),
        ("i = x + 10", ("10",)),
        ("retries retrying retry", ("retri", "retri", "retri")),
        ("größe prüfen", ("größe", "prüfen")),
        ("配列 が空", ("配列", "が空")),
        ("z" * 41 + "ing", ("z" * 41 + "ing",)),
    ],
)
def test_content_words(text: str, words: tuple[str, ...]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize(("text", "count"), [("", 0), ("?!", 0), ("a b_c d.e", 4), ("don't", 2)])
def test_every_word_counts(text: str, count: int) -> None:
    assert named(["x"], [text], [[0.5]])["words"] == pytest.approx(math.log1p(count))


def test_threads_may_stem_at_once() -> None:
    texts = [f"running walkers{number} classes" for number in range(10, 200)]
    expected = [("run", "walker", str(number), "class") for number in range(10, 200)]
    results: list[list[tuple[str, ...]]] = []
    threads = [
        threading.Thread(target=lambda: results.append([content_words(text) for text in texts]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4
