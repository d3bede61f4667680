"""Scores of many matrices at once against the metric of each."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.errors import SimilarityError
from crscore_core.scoring import metric
from crscore_core.scoring.metric import Maxima

Matrix = NDArray[np.float32]

# A coarse grid makes ties with tau frequent, also where float32 and float64 differ.
cells = st.integers(-20, 20).map(lambda number: number / 20)
matrices = st.tuples(st.integers(0, 5), st.integers(0, 5)).flatmap(
    lambda shape: arrays(np.float32, shape, elements=cells.map(np.float32))
)
taus = st.lists(cells, max_size=8)


def three(maxima: Maxima, taus: list[float]) -> NDArray[np.float64]:
    found = maxima.at(taus)
    return np.stack([found.conciseness, found.comprehensiveness, found.relevance])


def of_each(matrices: list[Matrix], taus: list[float]) -> NDArray[np.float64]:
    expected = np.full((3, len(taus), len(matrices)), math.nan)
    for column, matrix in enumerate(matrices):
        if matrix.size:
            for row, tau in enumerate(taus):
                score = metric.score(matrix, tau)
                expected[:, row, column] = (
                    score.conciseness,
                    score.comprehensiveness,
                    score.relevance,
                )
    return expected


@given(st.lists(matrices, max_size=6), taus)
def test_they_equal_the_metric_of_each_matrix(matrices: list[Matrix], taus: list[float]) -> None:
    found = three(Maxima.of(matrices), taus)
    np.testing.assert_array_equal(found, of_each(matrices, taus))


@given(st.lists(matrices, min_size=1, max_size=4), taus)
def test_float32_and_float64_are_compared_in_one_precision(
    matrices: list[Matrix], taus: list[float]
) -> None:
    wide = Maxima.of(matrix.astype(np.float64) for matrix in matrices)
    np.testing.assert_array_equal(three(wide, taus), three(Maxima.of(matrices), taus))


def test_by_hand() -> None:
    # First: S1 matches P1, S2 nothing: Con 1/2. P1 of P1, P2: Comp 1/2. Rel 1/2.
    # Second: both sentences match P1 of four: Con 1, Comp 1/4, Rel = 2 * 1/4 / (5/4) = 2/5.
    matrices = [[[0.9, 0.1], [0.2, 0.3]], [[0.8, 0.7], [0.1, 0.1], [0.2, 0.0], [0.3, 0.4]]]
    found = three(Maxima.of(matrices), [0.5])
    assert found[:, 0].tolist() == [[1 / 2, 1], [1 / 2, 1 / 4], [1 / 2, pytest.approx(2 / 5)]]


def test_equal_to_tau_is_no_match() -> None:
    found = three(Maxima.of([[[0.5]]]), [0.4999, 0.5, 0.5001])
    assert found[:, :, 0].tolist() == [[1, 0, 0]] * 3


def test_empty_matrices_have_no_scores_and_shift_no_other() -> None:
    shapes = [(0, 3), (1, 1), (2, 0), (0, 0), (2, 1)]
    matrices = [np.array([0.9, 0.1][: math.prod(shape)]).reshape(shape) for shape in shapes]
    found = three(Maxima.of(matrices), [0.5])[:, 0]
    expected = [
        [math.nan, 1, math.nan, math.nan, 1],
        [math.nan, 1, math.nan, math.nan, 1 / 2],
        [math.nan, 1, math.nan, math.nan, 2 / 3],
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize(("n_matrices", "n_taus"), [(0, 0), (0, 2), (3, 0), (3, 2)])
def test_the_shape_is_taus_by_matrices(n_matrices: int, n_taus: int) -> None:
    found = Maxima.of([[[0.5]]] * n_matrices).at([0.1] * n_taus)
    assert found.taus.shape == (n_taus,)
    for scores in (found.conciseness, found.comprehensiveness, found.relevance):
        assert scores.shape == (n_taus, n_matrices)
        assert scores.dtype == np.float64


def test_taus_may_come_in_any_order() -> None:
    matrices = [np.linspace(-1, 1, 12).reshape(3, 4)]
    found = Maxima.of(matrices).at([0.9, -0.9, 0.1]).relevance[:, 0]
    assert found.tolist() == [metric.score(matrices[0], tau).relevance for tau in (0.9, -0.9, 0.1)]
    assert sorted(found, reverse=True) == [found[1], found[2], found[0]]


@given(st.lists(matrices, min_size=1, max_size=4))
def test_scores_never_rise_with_tau(matrices: list[Matrix]) -> None:
    scores = np.nan_to_num(three(Maxima.of(matrices), [number / 10 for number in range(-11, 12)]))
    assert all((high <= low + 1e-12).all() for low, high in pairwise(scores.swapaxes(0, 1)))


@pytest.mark.parametrize("bad", [[0.5], 0.5, [[[0.5]]], [[math.nan]], [[math.inf]], []])
def test_what_is_no_matrix_is_named(bad: object) -> None:
    with pytest.raises(SimilarityError, match="matrix 1 is no table"):
        Maxima.of([[[0.5]], bad])  # type: ignore[list-item]


@pytest.mark.parametrize("taus", [0.5, [[0.5]], [math.nan], [0.1, math.inf]])
def test_what_is_no_list_of_taus_is_refused(taus: object) -> None:
    with pytest.raises(SimilarityError, match="taus must be a list"):
        Maxima.of([[[0.5]]]).at(taus)  # type: ignore[arg-type]
