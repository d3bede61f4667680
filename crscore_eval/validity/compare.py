"""Comparison of metrics: their agreement with each label of people, on the same reviews.

Graded labels: Spearman's rho, Kendall's tau-b, and pairwise accuracy within changes with tie
calibration. Binary labels: area under the ROC curve, average precision, and balanced accuracy and
Cohen's kappa of decisions at a threshold that was found on other changes. Intervals resample
changes. The difference of two metrics is over the reviews with values of both, in the same
resamples; its p-value is two-sided, and Holm's method corrects it for the number of metrics.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_eval.metrics import (
    METRICS,
    labels_by_name,
    metric_key,
    metric_names,
    metric_title,
    metric_values,
)
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.statistics import (
    MIN_CHANGES,
    Array,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    Mask,
    correlate,
    holm,
    number_or_none,
    pairwise_accuracy,
    resampled_p,
)
from crscore_eval.statistics.decisions import balanced_accuracy_and_kappa, held_out_decisions
from crscore_eval.table import Run
from crscore_eval.validity.agreement import bootstrap_of, clusters

N_RESAMPLES = 1000


class _Row(NamedTuple):
    """A row of the table of `compare_metrics`."""

    label: str
    metric: str
    language: str
    statistic: str
    rows: int
    value: float | None
    low: float | None
    high: float | None


def compare_metrics(  # noqa: PLR0913 - the options of the command
    run: Run,
    metrics: Sequence[str] = (),
    *,
    label_names: Sequence[str] = (),
    tau: float | None = None,
    n_resamples: int = N_RESAMPLES,
    on_progress: Progress = ignore_progress,
) -> pd.DataFrame:
    """Return the agreement of metrics with labels, one row per figure.

    By default, all metrics and judges' relevance are compared with all labels. Columns:

        label, metric
        language: empty for all reviews; only the main statistic is also by language
        statistic: the main one is `spearman` or `auc`; `difference`, `p` and `p_corrected` compare
            it with the base, which is `rel` or, if no review has it, the first metric with a value
        rows: number of reviews with a label and a value
        value, low, high: the figure and its interval; labels in fewer than `MIN_CHANGES` changes
            have no intervals

    Raises:
        InputError: there is no such metric or label, or nobody labelled the reviews.
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    people_by_label = _chosen_labels(run.reviews, label_names)
    names = [*dict.fromkeys(map(metric_key, metrics))] or metric_names(run)
    n_steps = len(names) + len(people_by_label)
    values = {}
    for done, name in enumerate(names):
        on_progress(done, n_steps, metric_title(name))
        values[name] = np.array(metric_values(run, name, tau), np.float64)
    with_values = [name for name in names if not np.isnan(values[name]).all()]
    base = "rel" if "rel" in with_values else [*with_values, *names][0]
    change, bootstrap = clusters(run.reviews), bootstrap_of(run.reviews, n_resamples)
    language = run.reviews["language"].fillna("").to_numpy()
    rows: list[_Row] = []
    for done, (label, people) in enumerate(people_by_label.items(), len(names)):
        on_progress(done, n_steps, f"agreement with {label}")
        ratings = np.array(people, np.float64)
        rows += _Agreement(label, ratings, values, change, bootstrap).figures(base, language)
    table = pd.DataFrame(rows, columns=_Row._fields)
    return table.astype(dict.fromkeys(("value", "low", "high"), float))


def _chosen_labels(reviews: pd.DataFrame, names: Sequence[str]) -> Mapping[str, "pd.Series[float]"]:
    """Return people's labels by name; by default all.

    Raises:
        InputError: there is no such label, or no label.
    """
    available = labels_by_name(reviews)
    if unknown := [name for name in names if name not in available]:
        raise InputError(
            f"there is no label {unknown[0][:80]!r}; choose from {', '.join(available) or 'none'}"
        )
    if not available:
        raise InputError("no review has a rating or a label; rate some, or add a column label_NAME")
    return {name: available[name] for name in names or available}


class _Difference(NamedTuple):
    """The difference of two metrics' main statistic over `rows` reviews, and its p-value."""

    rows: int
    estimate: Estimate
    p: float | None


class _Agreement:
    """Agreement of metrics with one label, all (n,); NaN stands for no value."""

    def __init__(
        self,
        label: str,
        people: Array,
        metrics: Mapping[str, Array],
        change: NDArray[np.intp],
        bootstrap: ClusterBootstrap,
    ) -> None:
        is_class = np.isin(people, (0, 1))
        given = people[~np.isnan(people)]
        is_share = bool(((given >= 0) & (given <= 1)).all())
        self._is_binary = is_share and 2 * int(is_class.sum()) >= given.size
        if self._is_binary:  # reviews on which raters disagree are in neither class
            people = np.where(is_class, people, np.nan)
        self._label, self._people, self._metrics = label, people, metrics
        self._change, self._bootstrap = change, bootstrap
        self._has_enough = np.unique(change[~np.isnan(people)]).size >= MIN_CHANGES
        self._has_both = {
            name: np.asarray(~np.isnan(people) & ~np.isnan(values))
            for name, values in metrics.items()
        }
        self._main_statistic = "auc" if self._is_binary else "spearman"
        self._samples: dict[tuple[str, bytes], Array] = {}

    def figures(self, base: str, language: NDArray[Any]) -> Iterator[_Row]:
        """Yield the figures of each metric: of all reviews, by language, against the base."""
        differences = {name: self._difference(name, base) for name in self._metrics if name != base}
        corrected = holm({name: difference.p for name, difference in differences.items()})
        for name in self._metrics:
            yield from self._of_all_reviews(name)
            yield from self._by_language(name, language)
            if name in differences:
                n, difference, p = differences[name]
                yield self._row(name, "difference", n, difference)
                yield self._row(name, "p", n, Estimate(p))
                yield self._row(name, "p_corrected", n, Estimate(corrected.get(name)))

    def _of_all_reviews(self, name: str) -> Iterator[_Row]:
        """Yield all statistics of a metric."""
        has_both = self._has_both[name]
        samples = self._main_samples(name, has_both)
        statistics = {self._main_statistic: self._estimate(samples)}
        if has_both.any():
            statistics |= self._other_statistics(name)
        for statistic, estimate in statistics.items():
            yield self._row(name, statistic, int(has_both.sum()), estimate)

    def _by_language(self, name: str, language: NDArray[Any]) -> Iterator[_Row]:
        """Yield the main statistic of a metric for each language."""
        has_both = self._has_both[name]
        for row_language in dict.fromkeys(language[has_both].tolist()):
            in_language = has_both & (language == row_language)
            estimate = self._estimate(self._main_samples(name, in_language))
            n_reviews, title = int(in_language.sum()), row_language or "unknown"
            yield self._row(name, self._main_statistic, n_reviews, estimate, title)

    def _row(
        self, metric: str, statistic: str, rows: int, estimate: Estimate, language: str = ""
    ) -> _Row:
        interval = estimate.interval if self._has_enough else None
        low, high = interval or (None, None)
        return _Row(self._label, metric, language, statistic, rows, estimate.value, low, high)

    def _main_samples(self, name: str, rows: Mask) -> Array:
        """Return the main statistic: observed, then in each resample, (1 + n resamples,)."""
        key = (name, rows.tobytes())
        if key not in self._samples:
            n_resamples, n_changes = self._bootstrap.weights.shape
            if not rows.any():
                return np.full(1 + n_resamples, np.nan)
            pairs = ClusteredPairs(
                self._metrics[name][rows], self._people[rows], self._change[rows]
            )
            weights = np.vstack([np.ones((1, n_changes), np.int16), self._bootstrap.weights])
            statistic = pairs.auc if self._is_binary else pairs.spearman
            self._samples[key] = statistic(weights)
        return self._samples[key]

    def _estimate(self, samples: Array) -> Estimate:
        return Estimate(number_or_none(samples[0]), self._bootstrap.interval_of(samples[1:]))

    def _other_statistics(self, name: str) -> dict[str, Estimate]:
        """Return the statistics besides the main one."""
        rows = self._has_both[name]
        scores, people, change = self._metrics[name][rows], self._people[rows], self._change[rows]
        if not self._is_binary:
            kendall = correlate(scores, people, change, self._bootstrap).kendall
            accuracy, _, _ = pairwise_accuracy(scores, people, change, self._bootstrap)
            return {"kendall": kendall, "pairwise": accuracy}
        pairs = ClusteredPairs(scores, people, change)
        precision = self._bootstrap.estimate(pairs.average_precision)
        accuracy = kappa = Estimate(None)
        if np.unique(change).size > 1:
            decisions = held_out_decisions(scores, people == 1, change)
            accuracy, kappa = balanced_accuracy_and_kappa(
                decisions, people == 1, change, self._bootstrap
            )
        return {"average_precision": precision, "balanced_accuracy": accuracy, "kappa": kappa}

    def _difference(self, name: str, base: str) -> _Difference:
        """Compare a metric with the base, over the reviews with values of both."""
        rows = self._has_both[name] & self._has_both[base]
        differences = self._main_samples(name, rows) - self._main_samples(base, rows)
        p = resampled_p(differences[1:])
        if np.isnan(differences[0]) or p is None:
            return _Difference(int(rows.sum()), Estimate(None), None)
        estimate = self._estimate(differences)
        return _Difference(int(rows.sum()), estimate, p if self._has_enough else None)


def compare_document(run: Run, frame: pd.DataFrame) -> dict[str, Any]:
    """Return the JSON object of `crscore compare`; undefined figures are null.

    The first label's table is at the top; with several labels, all are under `labels`.
    """
    counts = {
        name: int(values.notna().sum()) for name, values in labels_by_name(run.reviews).items()
    }
    blocks = {
        str(label): {
            "rows": counts[str(label)],
            "label": label,
            "is_binary": bool((figures["statistic"] == "auc").any()),
            "metrics": {
                str(metric): _metric_document(metric_figures, counts[str(label)])
                for metric, metric_figures in figures.groupby("metric", sort=False)
            },
        }
        for label, figures in frame.groupby("label", sort=False)
    }
    document = {"data": run.settings["name"], **next(iter(blocks.values()))}
    return document | ({"labels": blocks} if len(blocks) > 1 else {})


def compared_with_base(figures: pd.DataFrame, n_labelled: int) -> tuple[str, pd.DataFrame]:
    """Return the metric that the others are compared with, the base, and a row for each metric.

    `figures` are those of `compare_metrics` for one label. Columns:

        metric, rows, value, low, high: as in `compare_metrics`, of the main statistic
        difference, difference_low, difference_high: the base minus the metric, and its interval
        p: of the difference, after Holm's correction
        remark: from `remark`
    """
    rows = []
    for metric, metric_figures in figures[figures["language"] == ""].groupby("metric", sort=False):
        main = metric_figures.iloc[0]
        tests = metric_figures.set_index("statistic").reindex(["difference", "p_corrected"])
        value, low, high = -tests.loc["difference", ["value", "low", "high"]].astype(float)
        rows.append(
            {
                **main[["metric", "rows", "value", "low", "high"]],
                "difference": value,
                "difference_low": high,
                "difference_high": low,
                "p": tests.loc["p_corrected", "value"],
                "remark": remark(str(metric), int(main["rows"]), n_labelled),
            }
        )
    has_difference = figures.loc[figures["statistic"] == "difference", "metric"]
    base = figures.loc[~figures["metric"].isin(has_difference), "metric"].iloc[0]
    return str(base), pd.DataFrame(rows)


def remark(metric: str, n_rows: int, n_labelled: int) -> str:
    """Return why a metric has no value for some of the labelled reviews; "" if it has all."""
    if n_rows == n_labelled:
        return ""
    needs = METRICS[metric].needs if metric in METRICS else "value"
    if needs == "reference":
        some = f"empty or without a reference: {n_labelled - n_rows:,}"
        return some if n_rows else "no review has a reference"
    return f"{'without a value' if needs else 'cannot be scored'}: {n_labelled - n_rows:,}"


def _metric_document(figures: pd.DataFrame, n_labelled: int) -> dict[str, Any]:
    main = str(figures["statistic"].iloc[0])
    document: dict[str, Any] = {"rows": int(figures["rows"].iloc[0])}
    by_language: dict[str, Any] = {}
    for figure in figures.astype(object).where(figures.notna(), None).to_dict("records"):
        value, rows = figure["value"], figure["rows"]
        interval = None if figure["low"] is None else [figure["low"], figure["high"]]
        if figure["language"]:
            by_language[figure["language"]] = {"rows": rows, main: value, "ci": interval}
            continue
        name = figure["statistic"]
        document[name] = value
        if name not in {"p", "p_corrected"}:
            document["ci" if name == main else f"{name}_ci"] = interval
        if name == "difference":
            document["difference_rows"] = rows
    reason = remark(str(figures["metric"].iloc[0]), document["rows"], n_labelled)
    return document | {"by_language": by_language, "remark": reason or None}
