"""Print how well metrics separate the grades of GradedReviews.

Run as `python -m benchmarks.graded WORKBOOK [METRIC …]`, by default with `embedding_sim`. The
figures are those of "Deep Assessment of Code Review Generation Approaches":

    table 4: precision, recall and F1 of each grade, by a decision tree that maps metric to grade
    table 5: Spearman's rho of the metric with grades
    table 6: Kolmogorov-Smirnov statistic between the metric's values at each pair of grades
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ks_2samp
from sklearn.metrics import classification_report  # type: ignore[import-untyped]
from sklearn.model_selection import GroupKFold, cross_val_predict  # type: ignore[import-untyped]
from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

from benchmarks.published import GRADE, read_graded
from crscore_eval.metrics import metric_values
from crscore_eval.table import Run
from crscore_eval.table.clusters import bootstrap_changes
from crscore_eval.validity import correlation

_FOLDS, _LEAF = 10, 20

Array = NDArray[np.float64]
Grades = NDArray[np.int_]


def main(file: str, *metrics: str) -> None:
    """Print the tables of each metric."""
    print_tables(read_graded(Path(file)), metrics or ("embedding_sim",))


def print_tables(run: Run, metrics: tuple[str, ...]) -> None:
    """Print the tables of metrics that compare reviews with a reference, or with nothing."""
    bootstrap = bootstrap_changes(run.reviews)
    for name in metrics:
        values = metric_values(run, name)
        rho = correlation(run.reviews, values, run.reviews[GRADE], bootstrap).spearman
        has_value = values.notna()
        scores = np.asarray(values[has_value], np.float64)
        grades = np.asarray(run.reviews[GRADE][has_value], np.int_)
        low, high = rho.interval or (np.nan, np.nan)
        print(
            f"\n{name}: {grades.size:,} reviews; Spearman {rho.value:.3f} ({low:.3f}, {high:.3f})"
        )
        print("grades by a tree fitted to other changes")
        predicted = held_out_grades(scores, grades, run.reviews["change"][has_value].to_numpy())
        print(classification_report(grades, predicted, digits=3, zero_division=0))
        between = (
            f"{low} and {high} {distance:.2f}"
            for (low, high), distance in distances(scores, grades).items()
        )
        print(f"Kolmogorov-Smirnov statistic between {', '.join(between)}")


def held_out_grades(
    scores: Array, grades: Grades, changes: NDArray[np.object_], folds: int = _FOLDS
) -> Grades:
    """Return a grade for each review, by a tree fitted to the changes of the other folds.

    Grades have equal weights in the fit, because nine of ten reviews have the lowest grade.
    """
    tree = DecisionTreeClassifier(min_samples_leaf=_LEAF, class_weight="balanced", random_state=0)
    by_change = GroupKFold(folds, shuffle=True, random_state=0)
    predicted: Grades = cross_val_predict(
        tree, scores[:, np.newaxis], grades, groups=changes, cv=by_change
    )
    return predicted


def distances(scores: Array, grades: Grades) -> dict[tuple[int, int], float]:
    """Return the statistic, 0 (equal) to 1 (disjoint), of each pair of grades, lower first."""
    return {
        (low, high): float(ks_2samp(scores[grades == low], scores[grades == high]).statistic)
        for low, high in combinations(np.unique(grades).tolist(), 2)
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
