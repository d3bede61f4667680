"""Tables of the GradedReviews study: how well one metric tells the grades of reviews apart.

Source: "Deep Assessment of Code Review Generation Approaches", sections 6.3 to 6.5. Table 4 maps a
metric to grades by a decision tree and gives precision, recall and F1 of each grade. Table 6 gives
the Kolmogorov-Smirnov statistic between the metric's values at each two grades. Table 5, the rank
correlations, is that of `compare`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.labelled import LabelledReviews
from crscore_core.errors import DatasetError
from crscore_core.validity.metric_columns import MetricColumn

Array = NDArray[np.float64]

FOLDS = 10
_LEAF = 20


@dataclass(frozen=True, slots=True)
class GradeFigures:
    """Precision, recall and F1, from 0 to 1, of the reviews that a tree gave a grade.

    Precision is None where it gave the grade to none; `reviews` have the grade by people.
    """

    grade: float
    reviews: int
    precision: float | None
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class GradeDistance:
    """Kolmogorov-Smirnov statistic, from 0 to 1, of a metric's values at two grades."""

    lower: float
    higher: float
    distance: float


@dataclass(frozen=True, slots=True)
class GradeTables:
    """Accuracy of one metric at telling the grades of n reviews.

    `accuracy` is the share of reviews whose grade a tree gives. Each grade weighs the same when
    trees are fitted, as nine of ten reviews have the lowest. `macro_f1` is the mean over grades.
    """

    metric: str
    rows: int
    accuracy: float
    macro_f1: float
    grades: tuple[GradeFigures, ...]
    distances: tuple[GradeDistance, ...]


def grade_tables(
    reviews: LabelledReviews, columns: Sequence[MetricColumn], label: str, metric: str
) -> GradeTables:
    """Compute both tables of one metric for one graded label.

    Reviews without a value or grade are left out. Each review is classified by a tree that was
    fitted to the changes of the other folds.

    Raises:
        DatasetError: the metric is not among `columns`, or there are fewer than two grades or ten
            changes.
    """
    from scipy.stats import ks_2samp
    from sklearn.metrics import (  # type: ignore[import-untyped]
        precision_recall_fscore_support,
    )

    values = next((column.values for column in columns if column.name == metric), None)
    if values is None:
        raise DatasetError(f"{metric[:80]!r} is none of the metrics compared")
    grades = reviews.labels[label].values
    known = ~np.isnan(values) & ~np.isnan(grades)
    scores, people, changes = values[known], grades[known], reviews.change[known]
    levels = np.unique(people)
    if levels.size < 2 or np.unique(changes).size < FOLDS:
        raise DatasetError(
            f"tables of grades need two grades and {FOLDS} changes; there are {levels.size} and "
            f"{np.unique(changes).size}"
        )
    level = np.searchsorted(levels, people)
    predicted = _classified(scores, level, changes)
    precision, recall, f1, counts = precision_recall_fscore_support(
        level, predicted, labels=range(levels.size), zero_division=np.nan
    )
    return GradeTables(
        metric,
        int(known.sum()),
        float((predicted == level).mean()),
        float(np.nan_to_num(f1).mean()),
        tuple(
            GradeFigures(
                float(level),
                int(counts[row]),
                None if np.isnan(precision[row]) else float(precision[row]),
                float(recall[row]),
                float(np.nan_to_num(f1[row])),
            )
            for row, level in enumerate(levels)
        ),
        tuple(
            GradeDistance(
                float(low),
                float(high),
                float(ks_2samp(scores[people == low], scores[people == high]).statistic),
            )
            for row, low in enumerate(levels)
            for high in levels[row + 1 :]
        ),
    )


def _classified(
    scores: Array, level: NDArray[np.intp], changes: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Give each review the number of a grade, by a tree fitted to the changes of other folds."""
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    numbers, change = np.unique(changes, return_inverse=True)
    fold = (np.random.default_rng(0).permutation(numbers.size) % FOLDS)[change]
    predicted = np.zeros_like(level)
    for number in range(FOLDS):
        tree = DecisionTreeClassifier(
            min_samples_leaf=_LEAF, class_weight="balanced", random_state=0
        )
        tree.fit(scores[fold != number, np.newaxis], level[fold != number])
        held_out = fold == number
        predicted[held_out] = tree.predict(scores[held_out, np.newaxis])
    return predicted
