"""Metrics, labels and reference reviews as columns of a table of reviews."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from crscore_core.rendered import render_review
from crscore_core.text import replace_surrogates
from crscore_eval.metrics.registry import METRICS
from crscore_eval.table import (
    DIMENSIONS,
    GROUND_TRUTH,
    JUDGE_PREFIX,
    LABEL_PREFIX,
    METRIC_PREFIX,
    Run,
    RunSettings,
    columns_by_name_in_file,
    is_by_system,
    label_columns,
    run_signature,
)
from crscore_eval.table.measures import (
    MEASURES,
    SHORT_NAMES,
    WORTH_LABEL,
    Measure,
    find_measure,
    judge_title,
    label_title,
    measure_names,
    measure_values,
    people_ratings,
)


def metric_key(name: str) -> str:
    """Return the name of a metric in `METRICS`; `name` may also be a measure or a stored metric."""
    if (stored := name.removeprefix(METRIC_PREFIX)) in METRICS:
        return stored
    return next((short for short, measure in SHORT_NAMES.items() if name == measure), name)


def metric_title(name: str) -> str:
    """Return the display name of a metric, of a judge's column or of a label."""
    if name.startswith(JUDGE_PREFIX):
        return judge_title(name)
    is_label = name.startswith(LABEL_PREFIX)
    return METRICS[name].title if name in METRICS else f"{'label ' * is_label}{label_title(name)}"


def metric_names(run: Run) -> list[str]:
    """Return all of `METRICS`, judges' relevance, and the run's own columns of numbers."""
    own = [
        name.removeprefix(METRIC_PREFIX)
        for name in measure_names(run.reviews)
        if name not in MEASURES and not name.startswith(LABEL_PREFIX)
        if name.endswith("_relevance") or not name.startswith(JUDGE_PREFIX)
    ]
    return list(dict.fromkeys([*METRICS, *own]))


def named_measure(run: Run, name: str) -> Measure:
    """Return a measure of a run, see `find_measure`; `name` may also be its name in the file."""
    measure = find_measure(run.reviews, name, columns_by_name_in_file(run.settings))
    is_stored = measure.name.startswith(METRIC_PREFIX)
    return measure._replace(title=metric_title(measure.title)) if is_stored else measure


def figures_signature(settings: RunSettings, names: Iterable[str], tau: float) -> str:
    """Return the signature for figures of metrics or measures, without tau if none uses it."""
    signature = str(run_signature(settings, tau))
    has_tau = any(SHORT_NAMES.get(name, name) in DIMENSIONS for name in names)
    return signature if has_tau else signature.rpartition("|tau:")[0]


def metric_values(run: Run, name: str, tau: float | None = None) -> "pd.Series[float]":
    """Return a metric's value for each review, indexed as `run.reviews`; NaN if it has none.

    `name` is one of `METRICS` or a measure of the run. The metric is computed unless the run has a
    column `metric_<name>`. Scores are at `tau`, by default the run's tau.

    Raises:
        InputError: the metric or measure is unknown.
        UnavailableError: the metric needs an encoder that cannot be loaded.
    """
    reviews, stored = run.reviews, f"{METRIC_PREFIX}{name}"
    if stored in reviews or name not in METRICS or not METRICS[name].compute:
        column = stored if stored in reviews else named_measure(run, name).name
        return measure_values(reviews, column, tau).rename(name)
    texts = others = reviews["review"].fillna("").map(render_review)
    if METRICS[name].needs == "reference":
        others = reference_reviews(reviews).map(render_review)
    elif METRICS[name].needs == "code":
        others = reviews["change"].map(run.changes.set_index("change")["diff"]).fillna("")
    return compute_metric(name, texts, others)


def compute_metric(
    name: str, texts: "pd.Series[str]", others: "pd.Series[str]"
) -> "pd.Series[float]":
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
    if len(texts) and metric.compute:
        values[texts.index] = np.asarray(metric.compute([*texts], [*others]), np.float64)
    return values


def reference_reviews(reviews: pd.DataFrame) -> "pd.Series[str]":
    """Return the reference review of each review, empty if it has none.

    It comes from the column `reference`, or else it is the ground truth of the change.
    """
    rows = reviews[reviews["system"] == GROUND_TRUTH].drop_duplicates("change")
    texts = rows.set_index("change")["review"]
    own = reviews.reindex(columns=["reference"])["reference"].astype(object).fillna("")
    return own.mask(own == "", reviews["change"].map(texts).astype(object).fillna(""))


def labels_by_name(reviews: pd.DataFrame) -> dict[str, "pd.Series[float]"]:
    """Return people's ratings and labels by name, each indexed as `reviews`.

    A rating is named after its dimension. A label is named after its column, without `label_`
    unless this is a rated dimension. Ground-truth reviews and unrated reviews have NaN.
    """
    ratings = {name: people_ratings(reviews, name) for name in DIMENSIONS[::-1]}
    values = {name: of for name, of in ratings.items() if of.notna().any()}
    for column in label_columns(reviews):
        name = column.removeprefix(LABEL_PREFIX)
        values[column if name in values else name] = reviews[column].astype(float)
    by_system = {name: of.where(is_by_system(reviews)) for name, of in values.items()}
    return {name: of for name, of in by_system.items() if of.notna().any()}


def label_heading(reviews: pd.DataFrame, name: str) -> str:
    """Return the heading of a rating or label of `labels_by_name`."""
    is_rating = name in DIMENSIONS and people_ratings(reviews, name).notna().any()
    if name == label_title(WORTH_LABEL):
        is_rating = reviews[WORTH_LABEL].dropna().between(1, 5).all()
    return f"people's ratings of {name}" if is_rating else f"label {label_title(name)}"
