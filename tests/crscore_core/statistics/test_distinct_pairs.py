"""Correlations of many distinct values equal those that a table of them gives."""

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    clustered_pairs,
    distinct_pairs,
    rank_correlation,
)

Study = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]


def study(n: int = 300, *, decimals: int = 2) -> Study:
    """Scores, ratings of which some are tied, and changes in no order, one of them of none."""
    random = np.random.default_rng(7)
    people = np.round(random.uniform(1, 5, n), decimals)
    cluster = random.integers(0, 40, n)
    cluster[cluster == 5] = 6
    return np.round(people + random.normal(size=n), decimals), people, cluster


def test_they_equal_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    metric, people, cluster = study()
    weights = ClusterBootstrap(45, 20).weights
    found = ClusteredPairs(metric, people, cluster).both(weights)
    monkeypatch.setattr(clustered_pairs, "FEW_LEVELS", 300)
    table = ClusteredPairs(metric, people, cluster).both(weights)
    np.testing.assert_allclose(found, table, atol=1e-12)


@pytest.mark.parametrize("cells", [2**20, 700])
def test_a_resample_equals_its_expanded_sample(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(distinct_pairs, "_CELLS", cells)
    metric, people, cluster = study()
    weights = ClusterBootstrap(40, 5).weights
    spearman, kendall = ClusteredPairs(metric, people, cluster).both(weights)
    for drawn, rho, tau in zip(weights, spearman, kendall, strict=True):
        rows = np.repeat(np.arange(metric.size), drawn[cluster])
        expanded = rank_correlation(metric[rows], people[rows])
        assert rho == pytest.approx(expanded.spearman, abs=1e-12)
        assert tau == pytest.approx(expanded.kendall, abs=1e-12)


def test_a_resample_with_one_value_is_undefined() -> None:
    values = np.arange(70.0)
    pairs = ClusteredPairs(values, values, np.arange(70))
    spearman, kendall = pairs.both(np.stack([np.eye(70)[3], np.ones(70), np.zeros(70)]))
    np.testing.assert_allclose(spearman, [np.nan, 1, np.nan])
    np.testing.assert_allclose(kendall, [np.nan, 1, np.nan])


def test_of_too_many_reviews_there_is_no_kendall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct_pairs, "MOST_PAIRED", 299)
    spearman, kendall = ClusteredPairs(*study()).both(ClusterBootstrap(40, 5).weights)
    assert not np.isnan(spearman).any()
    assert np.isnan(kendall).all()


def test_a_thousand_distinct_ratings_make_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ClusteredPairs, "_in_chunks")
    pairs = ClusteredPairs(*study(1_000, decimals=9))
    spearman, kendall = pairs.both(ClusterBootstrap(40, 100).weights)
    assert spearman.shape == kendall.shape == (100,)
    assert (spearman > kendall).all()
