"""The metric against hand calculations and its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_core.scoring import metric

Matrix = NDArray[np.float64]
# A coarse grid makes ties with tau frequent.
cells = st.integers(-20, 20).map(lambda number: number / 20)
matrices = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=cells)
)


def three(similarity: ArrayLike, tau: float | None) -> tuple[float, float, float]:
    scores = metric.score(similarity, tau)
    return scores.conciseness, scores.comprehensiveness, scores.relevance


@pytest.mark.parametrize(("similarity", "tau", "expected"), [  # rows are pseudo-references
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
    pytest.param(
        # One sentence of five matches one of four: Con 1/5, Comp 1/4. Rel = 2 * 1/20 / (9/20) = 2/9
        [[0.9, 0, 0, 0, 0], *[[0] * 5] * 3], 0.5, (1 / 5, 1 / 4, 2 / 9), id="little",
    ),
    pytest.param([[0.5]], 0.5, (0, 0, 0), id="equal to tau is no match"),
    pytest.param([[0.1, 0.2]], 0.9, (0, 0, 0), id="nothing matches, relevance is 0 and not NaN"),
    pytest.param([[-0.2]], -0.5, (1, 1, 1), id="negative similarities"),
    # Best of the sentences 0.8 and 0.4, mean 0.6; of the references 0.8 and 0.1, mean 0.45.
    pytest.param([[0.8, 0.4], [-0.3, 0.1]], None, (0.6, 0.45, 2 * 0.6 * 0.45 / 1.05), id="no tau"),
    pytest.param([[-0.5]], None, (0, 0, 0), id="no tau, a negative mean counts 0"),
    pytest.param([[0.5, -0.9]], None, (0, 0.5, 0), id="no tau, (0.5 - 0.9) / 2 is negative"),
    pytest.param([[1 + 1e-6]], None, (1, 1, 1), id="no tau, float32 may round a cosine above 1"),
])  # fmt: skip
def test_scores_equal_the_hand_calculation(
    similarity: list[list[float]], tau: float | None, expected: tuple[float, float, float]
) -> None:
    assert three(similarity, tau) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("similarity", "message"), [
    ([], "shape"), (np.zeros((0, 3)), "shape"), (np.zeros((3, 0)), "shape"),
    ([0.1, 0.2], "shape"), ([[np.nan]], "finite"), ([[np.inf]], "finite"),
])  # fmt: skip
def test_rejects_input_that_is_not_a_matrix(similarity: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metric.score(similarity, 0.5)  # type: ignore[arg-type]


@given(matrices, cells)
def test_scores_follow_the_definition(similarity: Matrix, tau: float) -> None:
    """Equations 1 to 3 written out, element by element; float32 gives the same."""
    rows, columns = similarity.shape
    topic = [max(similarity[p][s] for p in range(rows)) > tau for s in range(columns)]
    covered = [max(similarity[p][s] for s in range(columns)) > tau for p in range(rows)]
    con, comp = sum(topic) / columns, sum(covered) / rows
    rel = 2 * con * comp / (con + comp) if con + comp else 0.0
    assert three(similarity, tau) == pytest.approx((con, comp, rel))
    single = similarity.astype(np.float32)
    assert three(single, tau) == three(single.astype(np.float64), tau)


@given(matrices)
def test_without_a_threshold_is_the_mean_over_all_thresholds(similarity: Matrix) -> None:
    """The mean maximum is the share above tau, averaged over tau from 0 to 1."""
    positive = np.abs(similarity)
    taus = (np.arange(1000) + 0.5) / 1000
    swept = np.array([three(positive, tau)[:2] for tau in taus[::10]]).mean(axis=0)
    found = metric.score(positive, None)
    assert (found.conciseness, found.comprehensiveness) == pytest.approx(swept, abs=0.006)
