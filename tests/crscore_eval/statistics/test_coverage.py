"""Intervals at 95% cover a known truth about 95% of the time, if changes are resampled.

Many studies are drawn from one population whose correlations and means are known, and how often
the interval of a study covers the truth is counted. 600 studies measure a coverage of 95% with a
standard error of 0.9 points, 150 with one of 1.8; seeds are fixed, so the counts are too.
`pytest -rP` prints them.

Nine systems review each change of the population. How well a review is rated, and how the metric
scores it, both depend on the change, on the system, on how good the review is, and on chance.
People rate from 1 to 5, with 1 the most frequent by far (40 %); the metric is a share in steps of
1/20, and 35 % of all scores are 0, as in the real study.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_eval.statistics import Estimate, resample
from crscore_eval.statistics.bootstrap import estimate
from crscore_eval.statistics.correlation import resampled

SYSTEMS = 9
SYSTEM = 4
"""The system whose mean rating is known: the middle one."""

# Of 2.4 million changes (21.6 million reviews), with a standard error of 0.0001.
SPEARMAN = 0.6817
# What SYSTEM's ratings are made of is normal with mean 0 and variance 0.49 + 0.49 + 0.16 = 1.14:
# 1 + the sum of P(normal > threshold / sqrt(1.14)) over the four thresholds.
SYSTEM_MEAN = 2.2312
RESAMPLES = 400
TRUTHS = {
    "spearman": SPEARMAN,
    "system mean": SYSTEM_MEAN,
}


Study = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Scores and ratings of the reviews of each change: (n changes, nine systems)."""


def draw_study(n_changes: int, random: np.random.Generator) -> Study:
    shape = (n_changes, SYSTEMS)
    change = random.normal(size=(n_changes, 1))
    system = np.linspace(-1, 1, SYSTEMS)
    quality = random.normal(size=shape)
    liked = 0.7 * change + 0.6 * system + 0.7 * quality + 0.4 * random.normal(size=shape)
    scored = 0.8 * change + 0.4 * system + 0.4 * quality + 0.6 * random.normal(size=shape)
    people = np.digitize(liked, [-0.3, 0.4, 0.9, 1.6]).astype(np.float64) + 1
    metric: NDArray[np.float64] = np.clip(np.round((scored + 0.5) * 8), 0, 20) / 20
    return metric, people


def studies(n_changes: int, n_studies: int) -> Iterator[tuple[Study, int]]:
    """Studies, each with a seed for its resamples."""
    random = np.random.default_rng(2024)
    for seed in range(n_studies):
        yield draw_study(n_changes, random), seed


def intervals(study: Study, seed: int) -> dict[str, Estimate]:
    """Intervals that resample changes."""
    metric, people = study
    n_changes, n_systems = metric.shape
    change = np.arange(n_changes).repeat(n_systems)
    weights = resample(n_changes, RESAMPLES, seed)
    ratings = weights @ people[:, SYSTEM]
    return {
        "spearman": estimate(resampled(metric.ravel(), people.ravel(), change, weights), n_changes),
        "system mean": estimate(ratings / n_changes, n_changes),
    }


def coverage(intervals: list[dict[str, Estimate]]) -> dict[str, float]:
    """Return the share of intervals that cover the truth, by statistic."""
    covered = dict.fromkeys(intervals[0], 0)
    for study in intervals:
        for name, (_, low, high) in study.items():
            covered[name] += low <= TRUTHS[name] <= high
    return {name: count / len(intervals) for name, count in covered.items()}


def test_the_drawn_studies_have_the_stated_correlations() -> None:
    metric, people = draw_study(100_000, np.random.default_rng(99))
    alone = np.zeros(metric.size, dtype=int)
    assert resampled(metric.ravel(), people.ravel(), alone, [[1]])[0] == pytest.approx(
        SPEARMAN, abs=0.003
    )
    assert people[:, SYSTEM].mean() == pytest.approx(SYSTEM_MEAN, abs=0.02)
    assert (people == 1).mean() == pytest.approx(0.4, abs=0.02)
    assert (metric == 0).mean() == pytest.approx(0.35, abs=0.02)


@pytest.mark.parametrize(
    ("n_changes", "n_studies", "low", "high"),
    [
        pytest.param(60, 600, 0.92, 0.98, marks=pytest.mark.long),
        pytest.param(180, 600, 0.92, 0.98, marks=pytest.mark.long),
        (60, 150, 0.91, 0.99),
    ],
)
def test_resampling_changes_covers_the_truth(
    n_changes: int, n_studies: int, low: float, high: float
) -> None:
    measured = coverage([intervals(*drawn) for drawn in studies(n_changes, n_studies)])
    print(f"resampling {n_changes} changes: {measured}")
    assert measured.keys() == TRUTHS.keys()
    for name, share in measured.items():
        assert low <= share <= high, (name, share)
