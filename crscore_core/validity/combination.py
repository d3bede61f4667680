"""All metrics together: a prediction of a label from every metric, fitted on other changes.

Ridge regression, a support vector machine and extremely randomised trees (Geurts, Ernst and
Wehenkel, Machine Learning 63, 2006) predict the label from the metrics and from plain facts about
the words of review, reference and code; the prediction is the sum of the three, each divided by
its spread. Each change is predicted
by models that were fitted without it, so the figure says what is to be had from the metrics on
changes like these, and nothing is shipped.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.labelled import LabelledReviews
from crscore_core.errors import DatasetError
from crscore_core.predicted.ratings import PREDICTED_COLUMNS
from crscore_core.predicted.words import content_words
from crscore_core.rendered import rendered
from crscore_core.validity.metric_columns import COMBINATION, MetricColumn

FOLDS = 10

_LEAST_CHANGES = 20
_TREES = 200

Array = NDArray[np.float64]


def combine_metrics(
    reviews: LabelledReviews,
    columns: Sequence[MetricColumn],
    label: str,
    progress: Callable[[str], None] = lambda _: None,
) -> MetricColumn:
    """Predict a label of each review from all metrics, by models fitted to other changes.

    Predicted relevance is left out, as its model may have seen these reviews. Reviews without the
    label are not predicted. `progress` is told each fold.

    Raises:
        DatasetError: fewer than 20 changes have a review with the label.
    """
    start = time.perf_counter()
    known = reviews.labels[label].is_given
    changes = np.unique(reviews.change[known])
    if changes.size < _LEAST_CHANGES:
        raise DatasetError(
            f"{label} is given for reviews of {changes.size} changes; a combination needs "
            f"{_LEAST_CHANGES}"
        )
    facts = np.column_stack([*_filled(columns), _word_facts(reviews)])
    target = reviews.labels[label].values
    dealt = np.random.default_rng(0).permutation(changes.size) % FOLDS
    fold = np.full(known.size, -1)
    fold[known] = dealt[np.searchsorted(changes, reviews.change[known])]
    values = np.full(known.size, np.nan)
    for number in range(FOLDS):
        progress(f"{COMBINATION}: fold {number + 1} of {FOLDS}")
        others = known & (fold != number)
        values[fold == number] = _predicted(facts[others], target[others], facts[fold == number])
    return MetricColumn(COMBINATION, values, time.perf_counter() - start, "fitted on other changes")


def _predicted(facts: Array, target: Array, wanted: Array) -> Array:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports
        from sklearn.ensemble import ExtraTreesRegressor  # type: ignore[import-untyped]
        from sklearn.linear_model import RidgeCV  # type: ignore[import-untyped]
        from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
        from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]
        from sklearn.svm import SVR  # type: ignore[import-untyped]

        trees = ExtraTreesRegressor(_TREES, min_samples_leaf=8, max_features=0.5, random_state=0)
        vectors = make_pipeline(StandardScaler(), SVR(C=0.05, gamma=0.01, epsilon=0.05))
        ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-1, 4, 12)))
        total = np.zeros(len(wanted))
        for model in (trees, vectors, ridge):
            model.fit(facts, np.log1p(target - target.min()))
            total += model.predict(wanted) / max(float(np.std(model.predict(facts))), 1e-9)
    return total


def _filled(columns: Sequence[MetricColumn]) -> list[Array]:
    """Return the columns that have values; a missing one is the mean of the others."""
    return [
        np.where(np.isnan(column.values), np.nanmean(column.values), column.values)
        for column in columns
        if column.name not in PREDICTED_COLUMNS and not np.isnan(column.values).all()
    ]


def _word_facts(reviews: LabelledReviews) -> Array:
    """Facts about the words of each review, its reference and its code, (n reviews, 12).

    A word weighs log of one over the share of references, or of changes, that have it.
    """
    texts = [rendered(text).text for text in reviews.texts]
    said = [frozenset(content_words(text)) for text in texts]
    wanted = {text: frozenset(content_words(text)) for text in set(reviews.references)}
    coded = {text: frozenset(content_words(text)) for text in set(reviews.code)}
    frequency = Counter(word for words in wanted.values() for word in words)
    n_texts = len(wanted)
    used = Counter(word for words in said for word in words)
    repeated = Counter(texts)

    def weight(words: frozenset[str]) -> float:
        return math.fsum(math.log((n_texts + 1) / (frequency[word] + 1)) for word in words)

    def share(part: frozenset[str], whole: frozenset[str]) -> float:
        return weight(part & whole) / total if (total := weight(whole)) else 0.0

    rows = []
    for text, mine, reference, code in zip(
        texts, said, reviews.references, reviews.code, strict=True
    ):
        theirs, both = wanted[reference], mine & wanted[reference]
        rows.append(
            [
                share(both, mine), share(both, theirs), weight(both), weight(both - coded[code]),
                share(mine & coded[code], mine), share(theirs & coded[code], theirs),
                weight(theirs) / max(1, len(theirs)),
                math.fsum(math.log(len(said) / used[word]) for word in mine) / max(1, len(mine)),
                math.log(repeated[text]), math.log1p(len(text)), math.log1p(len(reference)),
                float(("?" in text) == ("?" in reference)),
            ]
        )  # fmt: skip
    return np.array(rows)
