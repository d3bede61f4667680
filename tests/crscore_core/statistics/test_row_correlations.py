"""Correlations of many rows at once are those of each row alone."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crscore_core.errors import StatisticsError
from crscore_core.statistics import rank_correlation, row_correlations


@st.composite
def rows_and_ratings(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n = draw(st.integers(2, 12))
    rows = draw(arrays(np.float64, (draw(st.integers(1, 4)), n), elements=st.integers(-3, 3)))
    return rows, draw(arrays(np.float64, n, elements=st.integers(1, 5)))


@settings(deadline=None)  # the first example imports scipy
@given(rows_and_ratings())
def test_each_row_has_its_own_correlations(given_rows: tuple[np.ndarray, np.ndarray]) -> None:
    rows, ratings = given_rows
    found = row_correlations(rows, ratings)
    for row, spearman, kendall in zip(rows, found.spearman, found.kendall, strict=True):
        alone = rank_correlation(row, ratings)
        if alone.spearman is None or alone.kendall is None:
            assert np.isnan(spearman)
            assert np.isnan(kendall)
        else:
            assert spearman == pytest.approx(alone.spearman, abs=1e-12)
            assert kendall == pytest.approx(alone.kendall, abs=1e-12)


def test_golden() -> None:
    """Ranks 1, 2.5, 2.5, 4 against 1.5, 1.5, 3, 4: Spearman 3.75 / sqrt(4.5 * 4.5).

    Of 6 pairs 4 agree, 0 disagree, one is tied on either side: Kendall 4 / sqrt(5 * 5).
    """
    found = row_correlations([[0.1, 0.5, 0.5, 0.9]], [1, 1, 2, 5])
    assert found.spearman == pytest.approx([3.75 / 4.5])
    assert found.kendall == pytest.approx([0.8])


@pytest.mark.parametrize(
    ("rows", "people"), [([[1.0, 2.0]], [1]), ([[1.0, np.nan]], [1, 2]), ([1.0, 2.0], [1, 2])]
)
def test_bad_input(rows: object, people: object) -> None:
    with pytest.raises(StatisticsError):
        row_correlations(np.array(rows), np.array(people))


def test_many_different_ratings_are_correlated_too() -> None:
    rng = np.random.default_rng(0)
    rows, ratings = rng.integers(0, 4, (3, 90)).astype(float), np.arange(90.0)
    rows[2] = 1
    found = row_correlations(rows, ratings)
    for at in (0, 1):
        alone = rank_correlation(rows[at], ratings)
        assert found.spearman[at] == alone.spearman
        assert found.kendall[at] == alone.kendall
    assert np.isnan([found.spearman[2], found.kendall[2]]).all()


def test_rows_taken_in_parts_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows, ratings = rng.integers(0, 9, (5, 40)), rng.integers(1, 6, 40)
    whole = row_correlations(rows, ratings)
    # The package gives the function of the same name, so its module has to be asked for.
    monkeypatch.setattr(sys.modules[row_correlations.__module__], "_CELLS", 1)
    parts = row_correlations(rows, ratings)
    np.testing.assert_array_equal(whole.spearman, parts.spearman)
    np.testing.assert_array_equal(whole.kendall, parts.kendall)
