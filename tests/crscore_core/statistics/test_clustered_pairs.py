"""Correlations from weights equal those of the sample that the weights stand for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics import ClusteredPairs, clustered_pairs, rank_correlation

Study = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """A metric, ratings, a cluster for each review, and how often each cluster was drawn."""
    n, clusters = draw(st.integers(1, 30)), draw(st.integers(1, 6))
    metric = draw(arrays(np.int64, n, elements=st.integers(-3, draw(st.sampled_from([0, 3, 90])))))
    people = draw(arrays(np.int64, n, elements=st.integers(1, draw(st.sampled_from([2, 5, 40])))))
    cluster = draw(arrays(np.int64, n, elements=st.integers(0, clusters - 1)))
    weights = draw(
        arrays(np.int64, (draw(st.integers(1, 4)), clusters), elements=st.integers(0, 4))
    )
    return metric, people, cluster, weights


@settings(deadline=None)  # scipy is imported on the way
@given(studies())
def test_a_resample_equals_its_expanded_sample(study: Study) -> None:
    metric, people, cluster, weights = study
    pairs = ClusteredPairs(metric, people, cluster)
    spearman, kendall = pairs.spearman(weights), pairs.kendall(weights)
    assert spearman.shape == kendall.shape == (weights.shape[0],)
    for drawn, rho, tau in zip(weights, spearman, kendall, strict=True):
        rows = np.repeat(np.arange(metric.size), drawn[cluster])
        expanded = rank_correlation(metric[rows], people[rows]) if rows.size else None
        if expanded is None or expanded.spearman is None or expanded.kendall is None:
            assert np.isnan(rho)
            assert np.isnan(tau)
        else:
            assert rho == pytest.approx(expanded.spearman, abs=1e-12)
            assert tau == pytest.approx(expanded.kendall, abs=1e-12)


@given(studies(), st.floats(0.01, 100))
def test_only_the_proportion_of_weights_matters(study: Study, factor: float) -> None:
    metric, people, cluster, weights = study
    pairs = ClusteredPairs(metric, people, cluster)
    for statistic in (pairs.spearman, pairs.kendall):
        np.testing.assert_allclose(statistic(weights * factor), statistic(weights), atol=1e-9)


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    pairs = ClusteredPairs(random.random(90), random.integers(1, 6, 90), np.arange(90) // 9)
    weights = random.integers(0, 3, (20, 10))
    whole = pairs.spearman(weights), pairs.kendall(weights)
    monkeypatch.setattr(clustered_pairs, "_CHUNK", 3 * 90)
    np.testing.assert_array_equal((pairs.spearman(weights), pairs.kendall(weights)), whole)


@pytest.mark.parametrize(
    ("cluster", "message"),
    [([0], "whole numbers"), ([0, -1], "whole numbers"), ([0.0, 1.0], "whole numbers")],
)
def test_bad_clusters_are_refused(cluster: list[float], message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        ClusteredPairs([1, 2], [1, 2], cluster)


@pytest.mark.parametrize(
    "weights", [[[1]], [1, 1], [[1, -1]], [[1, float("nan")]], np.empty((0, 2))]
)
def test_bad_weights_are_refused(weights: object) -> None:
    pairs = ClusteredPairs([1, 2, 3], [1, 2, 2], [0, 1, 1])
    with pytest.raises(StatisticsError, match="weights"):
        pairs.kendall(weights)  # type: ignore[arg-type]
