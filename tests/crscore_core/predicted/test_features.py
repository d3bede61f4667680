import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from crscore_core.errors import SimilarityError
from crscore_core.predicted.features import FEATURES, review_features

NAMES = [feature.name for feature in FEATURES]
TEXTS = st.lists(st.text(max_size=40), min_size=1, max_size=5)


def named(
    references: list[str], sentences: list[str], similarity: list[list[float]]
) -> dict[str, float]:
    values = review_features(references, sentences, similarity)
    return dict(zip(NAMES, values.tolist(), strict=True))


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


def test_rows_and_columns_count_differently() -> None:
    features = named(["a"], ["b", "c"], [[0.2, 0.6]])
    assert (features["coverage"], features["focus"]) == pytest.approx((0.6, 0.4))
    features = named(["a", "b"], ["c"], [[0.2], [0.6]])
    assert (features["coverage"], features["focus"]) == pytest.approx((0.4, 0.6))


def test_without_content_words_their_shares_are_0() -> None:
    features = named(["the"], ["?"], [[0.5]])
    assert features["word_coverage"] == features["word_focus"] == features["variety"] == 0
    assert features["words"] == 0


@pytest.mark.parametrize(
    "matrix",
    [[[]], [[0.1, 0.2]], [[0.1], [0.2]], [0.1], [[float("nan")]], [[float("inf")]]],
)
def test_what_is_no_matrix_of_the_texts_is_refused(matrix: object) -> None:
    with pytest.raises(SimilarityError):
        review_features(["a"], ["b"], np.array(matrix))
    with pytest.raises(SimilarityError):
        review_features([], [], np.zeros((0, 0)))


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_any_texts_have_finite_features_that_no_order_changes(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    cells = st.floats(-1, 1)
    matrix: NDArray[np.float64] = np.array(
        [[data.draw(cells) for _ in sentences] for _ in references]
    )
    features = review_features(references, sentences, matrix)
    assert np.isfinite(features).all()
    assert (features[:2] >= -1).all()
    assert (features[:5] <= 1 + 1e-12).all()
    assert (features[2:] >= 0).all()
    rows = data.draw(st.permutations(range(len(references))))
    columns = data.draw(st.permutations(range(len(sentences))))
    turned = review_features(
        [references[row] for row in rows],
        [sentences[column] for column in columns],
        matrix[np.ix_(rows, columns)],
    )
    assert turned == pytest.approx(features, rel=1e-12, abs=1e-12)
