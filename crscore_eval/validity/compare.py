"""Comparison of metrics: their agreement with each label of people, on the same reviews.

Graded labels: Spearman's rho. Binary labels: area under the ROC curve. Intervals resample changes.
The difference of two metrics is over the reviews with values of both, in the same resamples; its
p-value is two-sided, and Holm's method corrects it for the number of metrics.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_eval.metrics import (
    METRICS,
    check_metrics,
    labels_by_name,
    metric_key,
    metric_names,
    metric_title,
    metric_values,
)
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.statistics import (
    Array,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    Mask,
    estimate,
    holm,
    p_value,
)
from crscore_eval.table import LABEL_PREFIX, PEOPLE, Run
from crscore_eval.table.clusters import bootstrap_changes, clusters

_COLUMNS = ["label", "metric", "language", "statistic", "rows", "value", "low", "high"]


def compare_metrics(  # noqa: PLR0913 - the options of the command
    run: Run,
    metrics: Sequence[str] = (),
    *,
    labels: Sequence[str] = (),
    tau: float | None = None,
    n_resamples: int = 1000,
    on_progress: Progress = ignore_progress,
) -> pd.DataFrame:
    """Return the agreement of metrics with labels, one row per figure.

    By default, all metrics and judges' relevance are compared with all labels. Columns:

        label, metric
        language: empty for all reviews; only the main statistic is also by language
        statistic: the main one is `spearman` or `auc`; `difference`, `p` and `p_corrected` compare
            it with the base, which is `rel` or, if no review has it, the first metric with a value.
            A difference is the metric minus the base: it is negative if the base agrees better
        rows: number of reviews with a label and a value
        value, low, high: the figure and its interval, which figures of fewer than `MIN_CHANGES`
            changes do not have

    Raises:
        InputError: there is no such metric or label, or nobody labelled the reviews.
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    labelled = check_comparison(run.reviews, metrics, labels)
    names = [*dict.fromkeys(map(metric_key, metrics))] or metric_names(run)
    if PEOPLE in names:
        raise InputError("people's ratings are what metrics are compared with", "name a metric")
    n_steps = len(names) + len(labelled)
    scores = {}
    for done, name in enumerate(names):
        on_progress(done, n_steps, metric_title(name))
        scores[name] = np.array(metric_values(run, name, tau), np.float64)
    with_scores = [name for name in names if not np.isnan(scores[name]).all()]
    if not with_scores:
        raise InputError(f"no review has a value of {names[0]}: {remark(names[0], 0, 1)}")
    base = "rel" if "rel" in with_scores else with_scores[0]
    change, bootstrap = clusters(run.reviews), bootstrap_changes(run.reviews, n_resamples)
    language = run.reviews["language"].fillna("").to_numpy()
    rows: list[tuple[object, ...]] = []
    for done, (label, ratings) in enumerate(labelled.items(), len(names)):
        on_progress(done, n_steps, f"agreement with {label}")
        agreement = _Agreement(scores, np.array(ratings, np.float64), change, bootstrap)
        rows += [(label, *row) for row in agreement.rows(base, language)]
    table = pd.DataFrame(rows, columns=_COLUMNS)
    return table.astype(dict.fromkeys(("value", "low", "high"), float))


def check_comparison(
    reviews: pd.DataFrame, metrics: Sequence[str], names: Sequence[str]
) -> Mapping[str, "pd.Series[float]"]:
    """Return people's labels by name, by default all, after a check of the metrics.

    Raises:
        InputError: there is no such metric or label, or no label.
    """
    check_metrics(reviews, metrics)
    available = labels_by_name(reviews)
    if not available:
        raise InputError(
            "no review has a rating or a label", "rate some, or add a column label_NAME"
        )
    names = ["relevance" if name == PEOPLE else name for name in names]
    names = [name if name in available else name.removeprefix(LABEL_PREFIX) for name in names]
    if unknown := [name for name in names if name not in available]:
        raise InputError(
            f"no rating or label is called {unknown[0][:80]!r}",
            f"choose one of {', '.join(available)}; a label is a column called label_NAME",
        )
    return {name: available[name] for name in names or available}


class _Agreement:
    """Agreement of the scores of metrics with one label, all (n,); NaN stands for no value."""

    def __init__(
        self,
        scores: Mapping[str, Array],
        ratings: Array,
        change: NDArray[np.intp],
        bootstrap: ClusterBootstrap,
    ) -> None:
        is_class = np.isin(ratings, (0, 1))
        given = ratings[~np.isnan(ratings)]
        is_share = bool(((given >= 0) & (given <= 1)).all())
        self._is_binary = is_share and 2 * int(is_class.sum()) >= given.size
        if self._is_binary:  # reviews on which raters disagree are in neither class
            ratings = np.where(is_class, ratings, np.nan)
        is_rated = ~np.isnan(ratings)
        self._scores, self._ratings = scores, ratings
        self._change, self._bootstrap = change, bootstrap
        self._has_both = {name: is_rated & ~np.isnan(values) for name, values in scores.items()}
        self._main_statistic = "auc" if self._is_binary else "spearman"
        self._samples: dict[tuple[str, bytes], Array] = {}

    def rows(self, base: str, language: NDArray[Any]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of `compare_metrics`, without the label."""
        differences = {name: self._difference(name, base) for name in self._scores if name != base}
        p = {
            name: p_value(samples, self._n_changes(in_both))
            for name, (in_both, samples) in differences.items()
        }
        p_corrected = holm(p)
        for name, has_both in self._has_both.items():
            yield self._main_row(name, has_both)
            for value in dict.fromkeys(language[has_both].tolist()):
                yield self._main_row(name, has_both & (language == value), value or "unknown")
            if name in differences:
                in_both, samples = differences[name]
                difference = estimate(samples, self._n_changes(in_both))
                yield self._row(name, "difference", in_both, difference)
                yield self._row(name, "p", in_both, Estimate(p[name]))
                yield self._row(name, "p_corrected", in_both, Estimate(p_corrected.get(name)))

    def _main_row(self, name: str, mask: Mask, language: str = "") -> tuple[object, ...]:
        main = estimate(self._main_samples(name, mask), self._n_changes(mask))
        return self._row(name, self._main_statistic, mask, main, language)

    def _n_changes(self, mask: Mask) -> int:
        return np.unique(self._change[mask]).size

    def _row(
        self, name: str, statistic: str, mask: Mask, figure: Estimate, language: str = ""
    ) -> tuple[object, ...]:
        low, high = figure.interval or (None, None)
        return name, language, statistic, int(mask.sum()), figure.value, low, high

    def _main_samples(self, name: str, mask: Mask) -> Array:
        """Return the main statistic: observed, then in each resample, (1 + n resamples,)."""
        key = (name, mask.tobytes())
        if key not in self._samples:
            weights = self._bootstrap.observed_and_resampled
            if not mask.any():
                return np.full(len(weights), np.nan)
            pairs = ClusteredPairs(
                self._scores[name][mask], self._ratings[mask], self._change[mask]
            )
            statistic = pairs.auc if self._is_binary else pairs.spearman
            self._samples[key] = statistic(weights)
        return self._samples[key]

    def _difference(self, name: str, base: str) -> tuple[Mask, Array]:
        """Mark the reviews that both metrics score; return the metric minus the base on them."""
        mask = self._has_both[name] & self._has_both[base]
        return mask, self._main_samples(name, mask) - self._main_samples(base, mask)


def compared_with_base(figures: pd.DataFrame, n_labelled: int) -> tuple[str, pd.DataFrame]:
    """Return the base, and a row for each metric with its difference from the base.

    `figures` are those of `compare_metrics` for one label. Columns:

        metric, rows, value, low, high: as in `compare_metrics`, of the main statistic
        difference, difference_low, difference_high: the metric minus the base, and its interval
        p: of the difference, after Holm's correction
        remark: from `remark`
    """
    figures = figures[figures["language"] == ""].set_index("metric")
    main = figures.loc[~figures.index.duplicated(), ["rows", "value", "low", "high"]]
    differences = figures.loc[figures["statistic"] == "difference", ["value", "low", "high"]]
    columns = ["difference", "difference_low", "difference_high"]
    p = figures.loc[figures["statistic"] == "p_corrected", "value"].rename("p")
    table = main.join(differences.set_axis(columns, axis=1)).join(p).reset_index()
    sizes = table[["metric", "rows"]].itertuples(index=False)
    table["remark"] = [remark(metric, n_rows, n_labelled) for metric, n_rows in sizes]
    return str(main.index.difference(differences.index)[0]), table


def remark(metric: str, n_rows: int, n_labelled: int) -> str:
    """Return why a metric has no value for some of the labelled reviews; "" if it has all."""
    if n_rows == n_labelled:
        return ""
    needs = METRICS[metric].needs if metric in METRICS else "value"
    if needs == "reference":
        some = f"empty or without a reference: {n_labelled - n_rows:,}"
        return some if n_rows else "no review has a reference"
    return f"{'without a value' if needs else 'cannot be scored'}: {n_labelled - n_rows:,}"
