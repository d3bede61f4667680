"""Comparison of metrics: their agreement with each label of people, on the same reviews.

All metrics are compared on the labelled reviews for which each of them has a value. Graded labels:
Spearman's rho. Binary labels: area under the ROC curve. Intervals resample changes. The difference
of two metrics is over the same resamples; its p-value is two-sided, and Holm's method corrects it
for the number of metrics.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_eval.formatting import capitalize_first, format_figure
from crscore_eval.metrics import (
    METRICS,
    SIMPLE_METRICS,
    check_metrics,
    labels_by_name,
    metric_key,
    metric_names,
    metric_title,
    metric_values,
)
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.statistics import (
    SIGNIFICANCE_LEVEL,
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

_MIN_SHARE = 0.5  # of the labelled reviews that a metric scores, unless it is named
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

    By default, all metrics and judges' relevance that have a value for at least half of the
    labelled reviews are compared with all labels. Columns:

        label, metric
        language: empty for all reviews; only the main statistic is also by language
        statistic: the main one is `spearman` or `auc`; `difference`, `p` and `p_corrected` compare
            it with the base, which is `rel` or, if no review has it, the first metric with a value.
            A difference is the metric minus the base: it is negative if the base agrees better
        rows: number of reviews compared, the same for all metrics with a figure; for the others, of
            reviews with a label and a value
        value, low, high: the figure and its interval, which figures of fewer than `MIN_CHANGES`
            changes do not have

    Raises:
        InputError: there is no such metric or label, nobody labelled the reviews, or no review has
            a value of every metric.
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
        min_share = 0.0 if metrics else _MIN_SHARE
        agreement = _Agreement(scores, np.array(ratings, np.float64), change, bootstrap, min_share)
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
    """Agreement of the scores of metrics with one label, all (n,); NaN stands for no value.

    Metrics with a value for less than `min_share` of the labelled reviews are not compared.
    """

    def __init__(
        self,
        scores: Mapping[str, Array],
        ratings: Array,
        change: NDArray[np.intp],
        bootstrap: ClusterBootstrap,
        min_share: float,
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
        self._compared = [
            name
            for name, has_both in self._has_both.items()
            if has_both.any() and has_both.sum() >= min_share * is_rated.sum()
        ]
        self._mask = np.logical_and.reduce([self._has_both[name] for name in self._compared])
        if self._compared and not self._mask.any():
            raise InputError(
                "no review has a value of every metric; compare fewer metrics: "
                f"{', '.join(self._compared)}"
            )
        self._main_statistic = "auc" if self._is_binary else "spearman"

    def rows(self, base: str, language: NDArray[Any]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of `compare_metrics`, without the label."""
        base = base if base in self._compared else next(iter(self._compared), "")
        mask = self._mask
        main = {name: self._main_samples(name, mask) for name in self._compared}
        differences = {name: main[name] - main[base] for name in main if name != base}
        n_changes = self._n_changes(mask)
        p = {name: p_value(samples, n_changes) for name, samples in differences.items()}
        p_corrected = holm(p)
        for name, has_both in self._has_both.items():
            if name not in self._compared:
                yield self._row(name, self._main_statistic, has_both, Estimate(None))
                continue
            yield self._main_row(name, mask, main[name])
            for value in dict.fromkeys(language[mask].tolist()):
                in_language = mask & (language == value)
                is_all = in_language.sum() == mask.sum()
                samples = main[name] if is_all else self._main_samples(name, in_language)
                yield self._main_row(name, in_language, samples, value or "unknown")
            if name in differences:
                yield self._row(name, "difference", mask, estimate(differences[name], n_changes))
                yield self._row(name, "p", mask, Estimate(p[name]))
                yield self._row(name, "p_corrected", mask, Estimate(p_corrected.get(name)))

    def _main_row(
        self, name: str, mask: Mask, samples: Array, language: str = ""
    ) -> tuple[object, ...]:
        main = estimate(samples, self._n_changes(mask))
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
        pairs = ClusteredPairs(self._scores[name][mask], self._ratings[mask], self._change[mask])
        statistic = pairs.auc if self._is_binary else pairs.spearman
        return statistic(self._bootstrap.observed_and_resampled)


def compared_with_base(figures: pd.DataFrame) -> tuple[str, pd.DataFrame]:
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
    others = main["rows"].drop(differences.index)
    n_compared = int(main["rows"].get(next(iter(differences.index), ""), others.max()))
    sizes = table[["metric", "rows"]].itertuples(index=False)
    table["remark"] = [remark(metric, n_rows, n_compared) for metric, n_rows in sizes]
    return str(others.index[others == n_compared][0]), table


def findings(base: str, table: pd.DataFrame, label: str, statistic: str) -> list[str]:
    """Return what a table of `compared_with_base` shows of its base, the main finding first.

    `label` is the title of the label. The base is compared with chance and, unless it is one
    itself, with each simple metric.
    """
    title = capitalize_first(metric_title(base))
    label = f"the {label}" if label.startswith("label ") else label
    rows = table.set_index("metric")
    chance = 0.5 if statistic == "auc" else 0.0
    own = rows.loc[base]
    sentences = []
    if own["high"] < chance:
        figure = format_figure(*own[["value", "low", "high"]].astype(float))
        sentences.append(f"{title} contradicts {label}: {figure}, below chance ({chance:g}).")
    others = rows[rows.index.isin(SIMPLE_METRICS) & (base not in SIMPLE_METRICS)]
    for name, row in others.iterrows():
        sentences += _against_simple(title, label, metric_title(str(name)), row)
    return sentences


def _against_simple(
    title: str, label: str, simple: str, row: "Mapping[str, float] | pd.Series[float]"
) -> list[str]:
    """Say how a metric compares with a simple one; nothing if it agrees significantly better.

    The difference is the agreement of the simple metric minus the other's.
    """
    if np.isnan(row["difference"]):
        return []
    if np.isnan(row["p"]):
        return [f"{title} was not tested against the {simple}: too few changes."]
    p = f"p {format_figure(row['p'])} after Holm's correction"
    if row["p"] >= SIGNIFICANCE_LEVEL:
        return [f"{title} is not shown to agree better with {label} than the {simple} ({p})."]
    if row["difference"] > 0:
        return [f"{title} agrees significantly less with {label} than the {simple} ({p})."]
    return []


def remark(metric: str, n_rows: int, n_compared: int) -> str:
    """Return why a metric is not compared; "" if it is.

    `n_rows` is the number of labelled reviews for which it has a value.
    """
    if n_rows == n_compared:
        return ""
    if n_rows:
        return f"left out, as it scores {n_rows:,} of the labelled reviews; name it to compare it"
    needs = METRICS[metric].needs if metric in METRICS else "value"
    return {"reference": "no review has a reference", "": "no review can be scored"}.get(
        needs, "no labelled review has a value"
    )
