"""A population of changes with known answers, to draw synthetic studies from.

Nine systems review each change. How well a review is rated, and how the metric scores it, both
depend on the change, on the system, on how good the review is, and on chance: reviews of one
change resemble each other on both sides. People rate from 1 to 5, with 1 the most frequent by far
(40 %); the metric is a share in steps of 1/20, and 35 % of all scores are 0, as in the real study.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["KENDALL", "SPEARMAN", "SYSTEM", "SYSTEM_MEAN", "Study", "draw_study"]

SYSTEMS = 9
SYSTEM = 4
"""The system whose mean rating is known: the middle one."""

# Of 2.4 million changes (21.6 million reviews), with standard errors of 0.0001.
SPEARMAN = 0.6817
KENDALL = 0.5659
# What SYSTEM's ratings are made of is normal with mean 0 and variance 0.49 + 0.49 + 0.16 = 1.14:
# 1 + the sum of P(normal > threshold / sqrt(1.14)) over the four thresholds.
SYSTEM_MEAN = 2.2312


@dataclass(frozen=True, slots=True)
class Study:
    """Scores and ratings of the reviews of each change: (n changes, nine systems)."""

    metric: NDArray[np.float64]
    people: NDArray[np.float64]


def draw_study(n_changes: int, random: np.random.Generator) -> Study:
    """Draw a study of `n_changes` changes from the population."""
    shape = (n_changes, SYSTEMS)
    change = random.normal(size=(n_changes, 1))
    system = np.linspace(-1, 1, SYSTEMS)
    quality = random.normal(size=shape)
    liked = 0.7 * change + 0.6 * system + 0.7 * quality + 0.4 * random.normal(size=shape)
    scored = 0.8 * change + 0.4 * system + 0.4 * quality + 0.6 * random.normal(size=shape)
    people = np.digitize(liked, [-0.3, 0.4, 0.9, 1.6]).astype(np.float64) + 1
    metric: NDArray[np.float64] = np.clip(np.round((scored + 0.5) * 8), 0, 20) / 20
    return Study(metric, people)
