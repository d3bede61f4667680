"""Scores of a whole table: hand-calculated values, and the metric of single matrices."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import InputError
from crscore_core.scoring import metric
from crscore_eval.table import scores_at

TWO_BY_THREE = np.array([[0.9, 0.1, 0.2], [0.3, 0.4, 0.1]], dtype=np.float32)


def table_of(*matrices: np.ndarray) -> pd.DataFrame:
    """A table whose reviews have these matrices, (n_pseudo_references, n_sentences)."""
    return pd.DataFrame(
        {
            "n_pseudo_references": [matrix.shape[0] for matrix in matrices],
            "n_sentences": [matrix.shape[1] for matrix in matrices],
            "similarity": [matrix.ravel() for matrix in matrices],
            "sentence_maxima": [matrix.max(axis=0) if matrix.size else [] for matrix in matrices],
            "reference_maxima": [matrix.max(axis=1) if matrix.size else [] for matrix in matrices],
        }
    )


def test_a_similarity_equal_to_tau_is_not_a_match() -> None:
    (scores,) = scores_at(table_of(TWO_BY_THREE), 0.3).itertuples(index=False)
    assert scores == pytest.approx((2 / 3, 1.0, 0.8))  # 2 * 2/3 / (5/3)
    assert scores_at(table_of(np.full((1, 1), 0.5, np.float32)), 0.5)["relevance"].item() == 0


def test_empty_reviews_count_zero_only_where_asked_and_only_of_scorable_changes() -> None:
    empty, unscorable = np.zeros((2, 0), np.float32), np.zeros((0, 2), np.float32)
    table = table_of(empty, unscorable, TWO_BY_THREE)
    assert scores_at(table, 0.5)["relevance"].isna().tolist() == [True, True, False]
    for scores in (
        scores_at(table, 0.5, count_empty=True),
        scores_at(table, None, count_empty=True),
    ):
        assert scores.iloc[0].tolist() == [0, 0, 0]
        assert scores.iloc[1].isna().all()


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2**32 - 1)), max_size=5
    ),
    st.lists(st.floats(-1, 1), max_size=4),
)
def test_agrees_with_each_matrix(shapes: list[tuple[int, int, int]], taus: list[float]) -> None:
    matrices = [
        np.random.default_rng(seed).uniform(-1, 1, (height, width)).astype(np.float32)
        for height, width, seed in shapes
    ]
    table = table_of(*matrices)
    by_tau, free = [scores_at(table, tau) for tau in taus], scores_at(table, None)
    for number, matrix in enumerate(matrices):
        if not matrix.size:
            assert all(scores.iloc[number].isna().all() for scores in [*by_tau, free])
            continue
        for scores, tau in zip(by_tau, taus, strict=True):
            score = metric.score(matrix, tau)
            expected = (score.conciseness, score.comprehensiveness, score.relevance)
            assert scores.iloc[number].tolist() == pytest.approx(expected)
        score = metric.score(matrix, None)
        expected = (score.conciseness, score.comprehensiveness, score.relevance)
        assert free.iloc[number].tolist() == pytest.approx(expected, abs=1e-6)


def test_keeps_the_index() -> None:
    table = table_of(TWO_BY_THREE, TWO_BY_THREE.T).set_index(pd.Index([7, 3]))
    assert scores_at(table, 0.5).index.tolist() == [7, 3]


@pytest.mark.parametrize("tau", [float("nan"), float("inf")])
def test_rejects_a_tau_that_is_not_finite(tau: float) -> None:
    with pytest.raises(InputError):
        scores_at(table_of(TWO_BY_THREE), tau)
