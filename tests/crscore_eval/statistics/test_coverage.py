"""Intervals at 95% cover a known truth about 95% of the time, if changes are resampled.

150 studies measure a coverage of 95% with a standard error of 1.8 points; the seeds are fixed. Nine
systems review each change. Ratings and scores depend on the change, the system, the review, and
chance.
"""

import numpy as np
import pytest

from crscore_eval.statistics.bootstrap import Estimate, clustered_mean, resample
from crscore_eval.statistics.correlation import correlate

SYSTEMS = 9
# Of 2.4 million changes (21.6 million reviews), with a standard error of 0.0001.
SPEARMAN = 0.6817
# The middle system's ratings are made of a normal with mean 0 and variance 0.49 + 0.49 + 0.16:
# 1 + the sum of P(normal > threshold / sqrt(1.14)) over the four thresholds.
MEAN = 2.2312


def intervals(n_changes: int, random: np.random.Generator, seed: int) -> tuple[Estimate, Estimate]:
    """Intervals of the correlation and of the middle system's mean rating, in one study."""
    change, system = random.normal(size=(n_changes, 1)), np.linspace(-1, 1, SYSTEMS)
    quality, *noise = random.normal(size=(3, n_changes, SYSTEMS))
    liked = 0.7 * change + 0.6 * system + 0.7 * quality + 0.4 * noise[0]
    scored = 0.8 * change + 0.4 * system + 0.4 * quality + 0.6 * noise[1]
    people = np.digitize(liked, [-0.3, 0.4, 0.9, 1.6]) + 1.0
    metric = np.clip(np.round((scored + 0.5) * 8), 0, 20) / 20
    weights, of_change = resample(n_changes, 400, seed), np.arange(n_changes)
    of_review = of_change.repeat(SYSTEMS)
    agreement = correlate(metric.ravel(), people.ravel(), of_review, weights)
    return agreement["spearman"], clustered_mean(people[:, SYSTEMS // 2], of_change, weights)


def test_resampling_changes_covers_the_truth() -> None:
    random = np.random.default_rng(2024)
    found = np.array([intervals(60, random, seed) for seed in range(150)])
    truth = [SPEARMAN, MEAN]
    coverage = ((found[:, :, 1] <= truth) & (truth <= found[:, :, 2])).mean(axis=0)
    assert ((coverage >= 0.91) & (coverage <= 0.99)).all()
    assert found[:, :, 0].mean(axis=0) == pytest.approx(truth, abs=0.02)
