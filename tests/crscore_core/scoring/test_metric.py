"""The metric against hand calculations, and the invariants that it must keep."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_core.scoring import metric
from crscore_core.scoring.metric import Maxima

Matrix = NDArray[np.float64]

# Rows are pseudo-references, columns sentences.
GOLDEN = [
    pytest.param(
        # S1 matches P1 (0.9), S2 nothing: Con 1/2. P1 of P1, P2 is covered: Comp 1/2.
        # Rel = 2 * 1/2 * 1/2 / (1/2 + 1/2) = 1/2
        [[0.9, 0.1], [0.2, 0.3]], 0.5, (1 / 2, 1 / 2, 1 / 2), id="one of two each",
    ),
    pytest.param(
        # Both sentences match P1 only: Con 2/2. Of four pseudo-references one: Comp 1/4.
        # Rel = 2 * 1 * 1/4 / (5/4) = 2/5
        [[0.8, 0.7], [0.1, 0.1], [0.2, 0.0], [0.3, 0.4]], 0.6, (1, 1 / 4, 2 / 5),
        id="concise, not comprehensive",
    ),
    pytest.param(
        # One sentence of three matches both: Con 1/3, Comp 2/2. Rel = 2 * 1/3 / (4/3) = 1/2
        [[0.7, 0.1, 0.2], [0.6, 0.3, 0.0]], 0.5, (1 / 3, 1, 1 / 2), id="comprehensive, not concise",
    ),
    pytest.param([[0.5]], 0.5, (0, 0, 0), id="equal to tau is no match"),
    pytest.param([[0.5]], 0.4999, (1, 1, 1), id="just above tau"),
    pytest.param([[0.1, 0.2]], 0.9, (0, 0, 0), id="nothing matches, relevance is 0 and not NaN"),
    pytest.param([[-0.2]], -0.5, (1, 1, 1), id="negative similarities"),
]  # fmt: skip


@pytest.mark.parametrize(("similarity", "tau", "expected"), GOLDEN)
def test_scores_equal_the_hand_calculation(
    similarity: list[list[float]], tau: float, expected: tuple[float, float, float]
) -> None:
    scores = metric.score(similarity, tau)
    assert (scores.conciseness, scores.comprehensiveness, scores.relevance) == pytest.approx(
        expected, abs=1e-15
    )


@pytest.mark.parametrize(
    ("similarity", "expected"),
    [
        # Best of the sentences 0.8 and 0.4, mean 0.6; of the references 0.8 and 0.1, mean 0.45.
        ([[0.8, 0.4], [-0.3, 0.1]], (0.6, 0.45, 2 * 0.6 * 0.45 / 1.05)),
        ([[-0.5]], (0, 0, 0)),  # a negative mean counts 0
        ([[0.5, -0.9]], (0, 0.5, 0)),  # (0.5 - 0.9) / 2 is negative
        ([[1 + 1e-6]], (1, 1, 1)),  # float32 may round a cosine above 1
    ],
)
def test_scores_without_a_threshold_equal_the_hand_calculation(
    similarity: list[list[float]], expected: tuple[float, float, float]
) -> None:
    scores = metric.no_threshold(similarity)
    assert (scores.conciseness, scores.comprehensiveness, scores.relevance) == pytest.approx(
        expected, abs=1e-15
    )


def test_covered_and_on_topic_name_rows_and_columns() -> None:
    similarity = [[0.9, 0.1], [0.2, 0.3], [0.6, 0.0]]
    assert metric.covered(similarity, 0.5).tolist() == [True, False, True]
    assert metric.on_topic(similarity, 0.5).tolist() == [True, False]
    assert metric.matches(similarity, 0.6).tolist() == [[True, False], [False, False], [False] * 2]


@pytest.mark.parametrize(
    ("similarity", "message"),
    [
        ([], "shape"),
        (np.zeros((0, 3)), "shape"),
        (np.zeros((3, 0)), "shape"),
        ([0.1, 0.2], "shape"),
        ([[np.nan]], "finite"),
        ([[np.inf]], "finite"),
    ],
)
def test_what_is_no_matrix_is_refused(similarity: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metric.score(similarity, 0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [[0.5], 0.5, [[[0.5]]], [[math.nan]], [[math.inf]], []])
def test_of_many_the_one_that_is_no_matrix_is_named(bad: object) -> None:
    with pytest.raises(InputError, match="matrix 1 is no table"):
        Maxima.of([[[0.5]], bad])  # type: ignore[list-item]


@pytest.mark.parametrize("taus", [0.5, [[0.5]], [math.nan], [0.1, math.inf]])
def test_what_is_no_list_of_taus_is_refused(taus: object) -> None:
    with pytest.raises(InputError, match="taus must be a list"):
        metric.sweep([[0.5]], taus)  # type: ignore[arg-type]


def test_matrices_without_rows_or_columns_have_no_scores_and_shift_no_other() -> None:
    shapes = [(0, 3), (1, 1), (2, 0), (0, 0), (2, 1)]
    matrices = [np.array([0.9, 0.1][: math.prod(shape)]).reshape(shape) for shape in shapes]
    swept = Maxima.of(matrices).at([0.5])
    nan = math.nan
    np.testing.assert_array_equal(swept.conciseness, [[nan, 1, nan, nan, 1]])
    np.testing.assert_array_equal(swept.comprehensiveness, [[nan, 1, nan, nan, 1 / 2]])
    np.testing.assert_allclose(swept.relevance, [[nan, 1, nan, nan, 2 / 3]], rtol=1e-15)
    without = Maxima.of(matrices).no_threshold()
    expected = [[nan, 0.9, nan, nan, 0.9], [nan, 0.9, nan, nan, 0.5]]
    np.testing.assert_allclose(without[:2], expected, rtol=1e-15)
    assert Maxima.of([]).no_threshold().shape == (3, 0)


@pytest.mark.parametrize(("n_matrices", "n_taus"), [(0, 0), (0, 2), (3, 0), (3, 2)])
def test_the_shape_is_taus_by_matrices(n_matrices: int, n_taus: int) -> None:
    swept = Maxima.of([[[0.5]]] * n_matrices).at([0.1] * n_taus)
    assert swept.taus.shape == (n_taus,)
    for scores in (swept.conciseness, swept.comprehensiveness, swept.relevance):
        assert scores.shape == (n_taus, n_matrices)
        assert scores.dtype == np.float64


# A coarse grid makes ties with tau frequent.
cells = st.integers(-20, 20).map(lambda number: number / 20)
matrices = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=cells)
)


def three(similarity: Matrix | NDArray[np.float32], tau: float) -> tuple[float, float, float]:
    scores = metric.score(similarity, tau)
    return scores.conciseness, scores.comprehensiveness, scores.relevance


@given(st.lists(matrices, min_size=1, max_size=4))
def test_without_a_threshold_is_the_mean_over_all_thresholds(similarities: list[Matrix]) -> None:
    """The mean maximum is the share above tau, averaged over tau from 0 to 1."""
    positive = [np.abs(similarity) for similarity in similarities]
    swept = Maxima.of(positive).at((np.arange(1000) + 0.5) / 1000)
    conciseness, comprehensiveness, relevance = Maxima.of(positive).no_threshold()
    assert conciseness == pytest.approx(swept.conciseness.mean(axis=0), abs=1e-9)
    assert comprehensiveness == pytest.approx(swept.comprehensiveness.mean(axis=0), abs=1e-9)
    for number, similarity in enumerate(positive):
        alone = metric.no_threshold(similarity)
        assert (alone.conciseness, alone.relevance) == (conciseness[number], relevance[number])
        low, high = sorted([alone.conciseness, alone.comprehensiveness])
        assert low - 1e-12 <= alone.relevance <= high + 1e-12


@given(st.lists(matrices, min_size=1, max_size=4), st.lists(cells, min_size=1, max_size=8))
def test_the_definition_itself(similarities: list[Matrix], taus: list[float]) -> None:
    """Equations 1 to 3 written out, element by element: at once, one by one, and in float32."""
    swept = Maxima.of(similarities).at(taus)
    for number, similarity in enumerate(similarities):
        rows, columns = similarity.shape
        single = similarity.astype(np.float32)
        for row, tau in enumerate(taus):
            topic = [max(similarity[p][s] for p in range(rows)) > tau for s in range(columns)]
            covered = [max(similarity[p][s] for s in range(columns)) > tau for p in range(rows)]
            con, comp = sum(topic) / columns, sum(covered) / rows
            rel = 2 * con * comp / (con + comp) if con + comp else 0.0
            assert metric.on_topic(similarity, tau).tolist() == topic
            assert metric.covered(similarity, tau).tolist() == covered
            assert three(similarity, tau) == pytest.approx((con, comp, rel))
            assert swept.conciseness[row, number] == pytest.approx(con)
            assert swept.comprehensiveness[row, number] == pytest.approx(comp)
            assert swept.relevance[row, number] == pytest.approx(rel)
            assert three(single, tau) == three(single.astype(np.float64), tau)
