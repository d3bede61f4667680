"""Metrics, labels and reference reviews as columns of a table of reviews."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.rendered import rendered
from crscore_core.text import replace_surrogates
from crscore_eval.data.study import GROUND_TRUTH
from crscore_eval.metrics.registry import METRICS
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.table import (
    DIMENSIONS,
    HUMAN,
    JUDGE,
    LABEL,
    METRIC,
    Run,
    judge_columns,
    label_columns,
    measure_values,
    split_judge_column,
)

if TYPE_CHECKING:
    Numbers = pd.Series[float]

_SCORES = {"con": DIMENSIONS[0], "comp": DIMENSIONS[1], "rel": DIMENSIONS[2]}


def metric_key(name: str) -> str:
    """Return the name of a metric in `METRICS`; a score may also have its full name."""
    return next((key for key, dimension in _SCORES.items() if name == dimension), name)


def metric_title(name: str) -> str:
    """Return the name of a metric for people; that of a column of a table is its own."""
    return METRICS[name].title if name in METRICS else name.removeprefix(JUDGE)


def metric_names(run: Run) -> list[str]:
    """Return the metrics that `compare` takes by default: all, and judges' relevance."""
    judged = [
        name for name in judge_columns(run.reviews) if split_judge_column(name)[1] == "relevance"
    ]
    return [*METRICS, *judged]


def metric_values(run: Run, name: str, tau: float | None = None) -> "Numbers":
    """Return a metric's value of each review, indexed as `run.reviews`; NaN if it has none.

    `name` is one of `METRICS` or a column of numbers. A column `metric_<name>` is taken as it is;
    without it the metric is computed. Scores are at `tau`, by default the run's own.

    Raises:
        InputError: there is no such metric.
        UnavailableError: the metric needs an encoder that cannot be loaded.
    """
    reviews = run.reviews
    if name in _SCORES or name == "no_threshold":
        return measure_values(reviews, _SCORES.get(name, name), tau).rename(name)
    if f"{METRIC}{name}" in reviews:
        return reviews[f"{METRIC}{name}"].astype(float).rename(name)
    if name not in METRICS:
        if name in reviews and pd.api.types.is_numeric_dtype(reviews[name]):
            return reviews[name].astype(float)
        raise InputError(f"there is no metric {name[:80]!r}; choose from {', '.join(METRICS)}")
    texts = _visible(reviews["review"])
    if METRICS[name].needs == "reference":
        others = _visible(reference_reviews(reviews))
    elif METRICS[name].needs == "code":
        others = reviews["change"].map(run.changes.set_index("change")["diff"]).fillna("")
    else:
        others = texts
    return compute_metric(name, texts, others)


def with_metrics(run: Run, on_progress: Progress = ignore_progress) -> Run:
    """Return the run with a column `metric_<name>` for each metric that is not a score.

    Raises:
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    names = [name for name, metric in METRICS.items() if metric.compute is not None]
    columns = {}
    for done, name in enumerate(names):
        on_progress(done, len(names), metric_title(name))
        columns[f"{METRIC}{name}"] = metric_values(run, name)
    return run._replace(reviews=run.reviews.assign(**columns))


def compute_metric(name: str, texts: "pd.Series[str]", others: "pd.Series[str]") -> "Numbers":
    """Compute a metric of `METRICS` for texts, each next to another text; both are (n,).

    A metric next to a reference has no value (NaN) for a review that is empty or has none.

    Raises:
        UnavailableError: the metric needs an encoder that cannot be loaded.
    """
    metric = METRICS[name]
    values = pd.Series(np.nan, texts.index, name=name)
    if metric.needs == "reference":
        has_both = (texts.str.strip() != "") & (others.str.strip() != "")
        texts, others = (
            texts[has_both].map(replace_surrogates),
            others[has_both].map(replace_surrogates),
        )
    if len(texts) and metric.compute is not None:
        computed = np.asarray(metric.compute(texts.to_list(), others.to_list()), np.float64)
        values[texts.index] = np.minimum(computed, 1.0) if metric.needs else computed
    return values


def reference_reviews(reviews: pd.DataFrame) -> "pd.Series[str]":
    """Return the reference review of each review: its own, else the ground truth's of its change.

    Empty if there is none.
    """
    first = reviews[reviews["system"] == GROUND_TRUTH].drop_duplicates("change")
    texts = dict(zip(first["change"], first["review"], strict=True))
    ground_truth = reviews["change"].map(lambda change: texts.get(change, ""))
    if "reference" not in reviews:
        return ground_truth
    own = reviews["reference"].fillna("").astype(str)
    return own.where(own != "", ground_truth)


def labels(reviews: pd.DataFrame) -> dict[str, "Numbers"]:
    """Return people's ratings and labels by name, each indexed as `reviews`; NaN if not given.

    Ratings are named by their dimension, labels without `label_`; a label named like a dimension
    replaces the rating. The ground truth has none.
    """
    columns = {name: HUMAN[name] for name in DIMENSIONS[::-1] if HUMAN[name] in reviews}
    columns |= {name.removeprefix(LABEL): name for name in label_columns(reviews)}
    is_ground_truth = reviews["system"] == GROUND_TRUTH
    labels_by_name = {
        name: reviews[column].astype(float).mask(is_ground_truth)
        for name, column in columns.items()
    }
    return {name: values for name, values in labels_by_name.items() if values.notna().any()}


def _visible(texts: "pd.Series[str]") -> "pd.Series[str]":
    return texts.fillna("").map(lambda text: rendered(text).text)
