"""Agreement on the order of systems, and means of resamples."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_eval.statistics import (
    ClusterBootstrap,
    percentile_interval,
    rank_correlation,
    resampled_means,
)
from crscore_eval.validity.agreement import (
    MIN_SYSTEMS,
    system_correlation,
)
from tests.crscore_eval.resamples import Drawn

Array = NDArray[np.float64]


def by_system(scores: Array) -> pd.DataFrame:
    """Mean scores of the systems a, b, c, … (columns) on changes."""
    return pd.DataFrame(scores, columns=[*"abcdefghi"[: scores.shape[1]]])


def test_means_of_resamples_leave_out_changes_without_a_value() -> None:
    means = pd.DataFrame({"b": [1, 4.5], "a": [2, np.nan]}, index=[0, 2])
    # b: (1 + 2 * 4.5) / 3; a has no review of the third change.
    resampled = resampled_means(means, Drawn([[1, 0, 2], [0, 0, 1]]))
    assert resampled.T.tolist() == pytest.approx(
        [pytest.approx([10 / 3, 4.5]), pytest.approx([2, np.nan], nan_ok=True)]
    )


pairs_of_tables = st.tuples(st.integers(1, 6), st.integers(MIN_SYSTEMS, 5)).flatmap(
    lambda size: st.tuples(*[arrays(np.float64, size, elements=st.integers(1, 5).map(float))] * 2)
)
"""Two tables of integer scores with the same shape, (n changes, n systems)."""


@given(pairs_of_tables)
def test_intervals_equal_those_of_single_resamples(pair: tuple[Array, ...]) -> None:
    metric, people = pair
    bootstrap = ClusterBootstrap(metric.shape[0], 15)
    correlation = system_correlation(by_system(metric), by_system(people), bootstrap)
    resampled = [
        rank_correlation(drawn @ metric, drawn @ people)
        for drawn in bootstrap.weights.astype(float)
    ]
    values = [result.spearman.value for result in resampled]
    expected = percentile_interval(np.array(values, dtype=np.float64), len(metric))
    ends = None if expected is None else pytest.approx(expected)
    assert correlation.spearman.interval == ends
