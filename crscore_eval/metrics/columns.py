"""Metrics, labels and reference reviews as columns of a table of reviews."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.rendered import render_review
from crscore_core.text import replace_surrogates
from crscore_eval.data.study import GROUND_TRUTH, is_by_system
from crscore_eval.metrics.registry import METRICS
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.table import (
    DIMENSIONS,
    HUMAN,
    JUDGE_PREFIX,
    LABEL_PREFIX,
    METRIC_PREFIX,
    Run,
    judge_columns,
    label_columns,
    measure_values,
    split_judge_column,
)

if TYPE_CHECKING:
    Numbers = pd.Series[float]

_SCORE_COLUMNS = {"con": DIMENSIONS[0], "comp": DIMENSIONS[1], "rel": DIMENSIONS[2]}


def metric_key(name: str) -> str:
    """Return the name of a metric in `METRICS`; `name` may also be a column of scores."""
    return next((key for key, dimension in _SCORE_COLUMNS.items() if name == dimension), name)


def metric_title(name: str) -> str:
    """Return the name of a metric for people; for other columns, the column's name."""
    return METRICS[name].title if name in METRICS else name.removeprefix(JUDGE_PREFIX)


def metric_names(run: Run) -> list[str]:
    """Return the default metrics of `compare`: all of `METRICS`, and judges' relevance."""
    columns = [name for name in judge_columns(run.reviews) if "_relevance" in name]
    judged = [name for name in columns if split_judge_column(name)[1] in {"relevance", "grade"}]
    return [*METRICS, *judged]


def metric_values(run: Run, name: str, tau: float | None = None) -> "Numbers":
    """Return a metric's value for each review, indexed as `run.reviews`; NaN if it has none.

    `name` is one of `METRICS` or a column of numbers. The metric is computed unless the run has a
    column `metric_<name>`. Scores are at `tau`, by default the run's tau.

    Raises:
        InputError: there is no such metric.
        UnavailableError: the metric needs an encoder that cannot be loaded.
    """
    reviews = run.reviews
    if name in _SCORE_COLUMNS or name == "no_threshold":
        return measure_values(reviews, _SCORE_COLUMNS.get(name, name), tau).rename(name)
    if f"{METRIC_PREFIX}{name}" in reviews:
        return reviews[f"{METRIC_PREFIX}{name}"].astype(float).rename(name)
    if name not in METRICS:
        if name in reviews and pd.api.types.is_numeric_dtype(reviews[name]):
            return reviews[name].astype(float)
        raise InputError(f"there is no metric {name[:80]!r}; choose one of {', '.join(METRICS)}")
    texts = others = _visible_texts(reviews["review"])
    if METRICS[name].needs == "reference":
        others = _visible_texts(reference_reviews(reviews))
    elif METRICS[name].needs == "code":
        others = reviews["change"].map(run.changes.set_index("change")["diff"]).fillna("")
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
        columns[f"{METRIC_PREFIX}{name}"] = metric_values(run, name)
    return run._replace(reviews=run.reviews.assign(**columns))


def compute_metric(name: str, texts: "pd.Series[str]", others: "pd.Series[str]") -> "Numbers":
    """Compute a metric of `METRICS` for n texts, each compared with one of n other texts.

    A metric that needs references has no value (NaN) where a text or its reference is empty.

    Raises:
        UnavailableError: the metric needs an encoder that cannot be loaded.
    """
    metric = METRICS[name]
    values = pd.Series(np.nan, texts.index, name=name)
    if metric.needs == "reference":
        has_both = (texts.str.strip() != "") & (others.str.strip() != "")
        texts, others = (column[has_both].map(replace_surrogates) for column in (texts, others))
    if len(texts) and metric.compute is not None:
        computed = np.asarray(metric.compute(texts.to_list(), others.to_list()), np.float64)
        values[texts.index] = np.minimum(computed, 1.0) if metric.needs else computed
    return values


def reference_reviews(reviews: pd.DataFrame) -> "pd.Series[str]":
    """Return the reference review of each review, empty if it has none.

    It is in the column `reference`, or else the ground truth of the change.
    """
    rows = reviews[reviews["system"] == GROUND_TRUTH].drop_duplicates("change")
    texts = dict(zip(rows["change"], rows["review"], strict=True))
    ground_truth = reviews["change"].map(lambda change: texts.get(change, ""))
    if "reference" not in reviews:
        return ground_truth
    references = reviews["reference"].fillna("").astype(str)
    return references.where(references != "", ground_truth)


def labels_by_name(reviews: pd.DataFrame) -> dict[str, "Numbers"]:
    """Return people's ratings and labels by name, each indexed as `reviews`.

    A rating has the name of its dimension, a label the name of its column without `label_`. A label
    with the name of a dimension replaces the rating. Reviews of the ground truth, and reviews that
    nobody rated, have NaN.
    """
    columns = {name: HUMAN[name] for name in DIMENSIONS[::-1] if HUMAN[name] in reviews}
    columns |= {name.removeprefix(LABEL_PREFIX): name for name in label_columns(reviews)}
    mask = is_by_system(reviews)
    values = {name: reviews[column].astype(float).where(mask) for name, column in columns.items()}
    return {name: series for name, series in values.items() if series.notna().any()}


def _visible_texts(texts: "pd.Series[str]") -> "pd.Series[str]":
    return texts.fillna("").map(lambda text: render_review(text).text)
