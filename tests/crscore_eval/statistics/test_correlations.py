"""Rank correlations: by hand, for many rows, and for resamples given as weights."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from crscore_eval.statistics.bootstrap import estimate, resample
from crscore_eval.statistics.correlation import correlate, mean_within, resampled

Study = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


@pytest.mark.parametrize(("metric", "people", "spearman", "kendall"), [
    ([1, 2, 3, 4], [1, 2, 3, 5], 1.0, 1.0),
    ([1, 2, 3, 4], [9, 5, 2, 1], -1.0, -1.0),
    # Rank differences 1, 1, 0, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8.
    # Of six pairs one is discordant: tau = (5 - 1) / 6.
    ([1, 2, 3, 4], [2, 1, 3, 4], 0.8, 4 / 6),
    # Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4, each with a sum of squares of 4.5 about 2.5.
    # Products about the mean: 1.5 + 0 + 0 + 2.25 = 3.75, so rho = 3.75 / 4.5. Pairs: 4
    # concordant, none discordant, one tied on each side: tau-b = 4 / sqrt(5 * 5).
    ([0, 0, 1, 2], [1, 3, 3, 5], 3.75 / 4.5, 4 / 5),
])  # fmt: skip
def test_correlations_by_hand(
    metric: list[float], people: list[float], spearman: float, kendall: float
) -> None:
    result = correlate(metric, people)
    values = [result[name].value for name in ("spearman", "kendall", "n")]
    assert values == pytest.approx([spearman, kendall, 4])
    weights = [[1, 1, 1], [3, 3, 3]]
    assert resampled(metric, people, [0, 1, 1, 2], weights) == pytest.approx([spearman] * 2)


def test_only_independent_pairs_have_p_values_and_kendall_s_is_exact() -> None:
    dependent = correlate([1, 2, 3, 4], [2, 1, 3, 4], [0, 0, 1, 1], resample(2))
    assert {*dependent} == {"spearman", "kendall", "n"}
    # Kendall's is exact: of 4! = 24 orders 4 have at most one discordant pair, and 4 at most
    # one concordant, so p = 8 / 24.
    assert correlate([1, 2, 3, 4], [2, 1, 3, 4])["kendall_p"].value == pytest.approx(8 / 24)
    two = correlate([1, 2], [1, 2])
    assert two["spearman"].value == pytest.approx(1)
    assert np.isnan(two["spearman_p"].value)


def test_intervals_are_those_of_the_resamples() -> None:
    metric, people, cluster = many_values()
    weights = resample(40, 30)
    samples = resampled(metric, people, cluster, weights)
    expected = estimate(samples, np.unique(cluster).size)
    assert correlate(metric, people, cluster, weights)["spearman"] == pytest.approx(expected)


def test_a_constant_side_has_no_correlation() -> None:
    for metric, people in (([0, 0], [1, 2]), ([1, 2], [4, 4]), ([1], [1])):
        result = correlate(metric, people, [0] * len(metric), resample(1))
        assert result.pop("n").value == len(metric)
        assert np.isnan([*result.values()]).all()
    assert correlate([], []) == {}


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


@given(studies())
def test_a_resample_equals_its_expanded_sample(study: Study) -> None:
    check_expanded(*study)


def check_expanded(
    metric: NDArray[Any], people: NDArray[Any], cluster: NDArray[Any], weights: NDArray[Any]
) -> None:
    """Compare each resample with the correlation of the sample that its weights stand for."""
    for drawn, rho in zip(weights, resampled(metric, people, cluster, weights), strict=True):
        rows = np.repeat(np.arange(metric.size), drawn[cluster])
        expected = correlate(metric[rows], people[rows])
        value = expected["spearman"].value if expected else np.nan
        assert rho == pytest.approx(value, abs=1e-12, nan_ok=True)


def many_values(n: int = 300) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Scores and ratings with many values, some tied, and unordered changes, one empty."""
    random = np.random.default_rng(7)
    people = np.round(random.uniform(1, 5, n), 2)
    cluster = random.integers(0, 40, n)
    cluster[cluster == 5] = 6
    return np.round(people + random.normal(size=n), 2), people, cluster


@pytest.mark.parametrize(
    ("n", "n_resamples"),
    [(300, 5), (3_000, 200)],  # the second is more than is computed at once
)
def test_resamples_of_many_values_equal_their_expanded_samples(n: int, n_resamples: int) -> None:
    check_expanded(*many_values(n), resample(45, n_resamples))


@given(studies())
def test_auc_equals_scikit_learn(study: Study) -> None:
    metric, people, cluster, weights = study
    is_yes = people > 1
    areas = resampled(metric, is_yes, cluster, weights, is_binary=True)
    for drawn, area in zip(weights, areas, strict=True):
        times, expected = drawn[cluster], np.nan
        if times[is_yes].any() and times[~is_yes].any():
            expected = roc_auc_score(is_yes, metric, sample_weight=times)
        assert area == pytest.approx(expected, nan_ok=True)


def test_a_mean_within_groups_needs_two_groups_and_leaves_out_those_without_a_figure() -> None:
    scores, ratings = [1, 2, 3, 5, 5, 2, 1], [1, 2, 3, 1, 2, 1, 2]
    assert mean_within(scores, ratings, list("aaabbcc")) == pytest.approx((3 * 1 - 2 * 1) / 5)
    assert np.isnan(mean_within(scores[:5], ratings[:5], list("aaabb")))
