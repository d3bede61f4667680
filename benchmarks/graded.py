"""Print how well metrics tell the grades of GradedReviews apart.

Run as `python -m benchmarks.graded [METRIC …]`, by default with `embedding_sim`; the workbook lies
where `crscore compare --data graded` looks for it. Source: "Deep Assessment of Code Review
Generation Approaches". As in its table 4, a decision tree maps each metric to grades: precision,
recall and F1 of each grade. As in its table 6: the Kolmogorov-Smirnov statistic between the
metric's values at each pair of grades. Its table 5, the rank correlations, is what
`crscore compare` prints.
"""

import sys
from itertools import combinations

import numpy as np
from crscore_core.datasets.published import GRADE
from crscore_core.datasets.registry import load_data
from crscore_core.validity.metric_columns import Scoring, metric_columns, metric_names
from numpy.typing import NDArray
from scipy.stats import ks_2samp
from sklearn.metrics import classification_report  # type: ignore[import-untyped]
from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

_FOLDS, _LEAF = 10, 20

Array = NDArray[np.float64]


def main(*metrics: str) -> None:
    """Print both tables of each metric."""
    data = load_data("graded")
    grades = data.reviews.labels[GRADE].values
    names = metric_names(metrics or ("embedding_sim",))
    for column in metric_columns(data, names, Scoring()):
        known = ~np.isnan(column.values)
        if not known.any():
            print(f"\n{column.name}: {column.remark}")
            continue
        scores, people = column.values[known], grades[known].astype(int)
        print(f"\n{column.name}: {people.size:,} reviews; grades by a tree fitted to other changes")
        predicted = held_out_grades(scores, people, data.reviews.change[known])
        print(classification_report(people, predicted, digits=3, zero_division=0))
        between = (
            f"{low} and {high} {distance:.2f}"
            for (low, high), distance in distances(scores, people).items()
        )
        print(f"Kolmogorov-Smirnov statistic between {', '.join(between)}")


def held_out_grades(
    scores: Array, grades: NDArray[np.int_], changes: NDArray[np.intp]
) -> NDArray[np.int_]:
    """Give each review a grade, by a tree fitted to the changes of the other folds.

    Each grade weighs the same when trees are fitted, as nine of ten reviews have the lowest.
    """
    numbers, change = np.unique(changes, return_inverse=True)
    fold = (np.random.default_rng(0).permutation(numbers.size) % _FOLDS)[change]
    predicted = np.zeros_like(grades)
    for number in range(_FOLDS):
        tree = DecisionTreeClassifier(
            min_samples_leaf=_LEAF, class_weight="balanced", random_state=0
        )
        tree.fit(scores[fold != number, np.newaxis], grades[fold != number])
        held_out = fold == number
        predicted[held_out] = tree.predict(scores[held_out, np.newaxis])
    return predicted


def distances(scores: Array, grades: NDArray[np.int_]) -> dict[tuple[int, int], float]:
    """Return the statistic, from 0 (the same) to 1 (apart), of each pair of grades, lower first."""
    return {
        (low, high): float(ks_2samp(scores[grades == low], scores[grades == high]).statistic)
        for low, high in combinations(np.unique(grades).tolist(), 2)
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
