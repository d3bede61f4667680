"""Precision, recall and average precision in resamples, against scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_eval.statistics import ClusteredMatches, matching

Pairs = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]


@st.composite
def clustered(draw: st.DrawFn) -> Pairs:
    """Similarities, matches, clusters, and how often each cluster was drawn."""
    n, clusters = draw(st.integers(1, 25)), draw(st.integers(1, 5))
    return (
        draw(arrays(np.int64, n, elements=st.integers(-5, 5))) / 5,
        draw(arrays(np.bool_, n)),
        draw(arrays(np.int64, n, elements=st.integers(0, clusters - 1))),
        draw(arrays(np.int64, (3, clusters), elements=st.integers(0, 3))),
    )


@given(clustered(), st.lists(st.integers(-6, 6), min_size=1, max_size=5))
def test_resamples_equal_scikit_learn(pairs: Pairs, fifths: list[int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports
        from sklearn import metrics  # type: ignore[import-untyped]
    similarity, is_match, cluster, weights = pairs
    taus = np.array(fifths) / 5
    ours = ClusteredMatches(similarity, is_match, cluster)
    found, averages = ours.at(taus, weights), ours.average_precision(weights)
    areas = ours.auc(weights)
    for row, drawn in enumerate(weights):
        times = drawn[cluster]
        if times[is_match].any() and times[~is_match].any():
            area = metrics.roc_auc_score(is_match, similarity, sample_weight=times)
            assert areas[row] == pytest.approx(area)
        else:
            assert np.isnan(areas[row])
        if not times[is_match].any():
            assert np.isnan(averages[row])
            assert np.isnan(found.recall[row]).all()
            continue
        assert averages[row] == pytest.approx(
            metrics.average_precision_score(is_match, similarity, sample_weight=times)
        )
        for column, tau in enumerate(taus):
            precision, recall, f1, _ = metrics.precision_recall_fscore_support(
                is_match,
                similarity > tau,
                sample_weight=times,
                average="binary",
                zero_division=np.nan,
            )
            np.testing.assert_allclose(found.precision[row, column], precision)
            np.testing.assert_allclose(found.recall[row, column], recall)
            np.testing.assert_allclose(found.f1[row, column], f1)


def test_results_do_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    pairs = ClusteredMatches(random.random(60), random.random(60) < 0.5, np.arange(60) // 6)
    weights, taus = random.integers(0, 3, (11, 10)), [0.7, 0.2]
    whole = pairs.at(taus, weights).f1, pairs.average_precision(weights)
    monkeypatch.setattr(matching, "_CHUNK", 3 * 60)
    np.testing.assert_array_equal(pairs.at(taus, weights).f1, whole[0])
    np.testing.assert_array_equal(pairs.average_precision(weights), whole[1])
