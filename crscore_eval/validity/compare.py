"""Metrics next to each other: agreement with each label of people, on the same reviews.

Graded labels: Spearman's rho, Kendall's tau-b, and pairwise accuracy within changes with tie
calibration. Binary labels: area under the ROC curve, average precision, and balanced accuracy and
Cohen's kappa of decisions at a threshold that was found on other changes. Intervals resample
changes. The difference of two metrics is over the reviews that both have a value for, in the same
resamples; its p-value is two-sided and corrected for the number of metrics by Holm's method.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_eval.metrics.columns import labels, metric_names, metric_title, metric_values
from crscore_eval.metrics.decisions import balanced_accuracy_and_kappa, held_out_decisions
from crscore_eval.metrics.registry import METRICS
from crscore_eval.run import Progress, ignore_progress
from crscore_eval.statistics import (
    FEWEST_CHANGES,
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    holm,
    number_or_none,
    pairwise_accuracy,
    rank_correlation,
    resampled_p,
)
from crscore_eval.table import Run

Array = NDArray[np.float64]

_OF_GRADED = ("kendall", "pairwise")
_OF_BINARY = ("average_precision", "balanced_accuracy", "kappa")

COLUMNS = ["label", "metric", "language", "statistic", "rows", "value", "low", "high"]


def compare(  # noqa: PLR0913 - the options of the command
    run: Run,
    metrics: Sequence[str] = (),
    *,
    label_names: Sequence[str] = (),
    against: str | None = None,
    tau: float | None = None,
    n_resamples: int = 1000,
    on_progress: Progress = ignore_progress,
) -> pd.DataFrame:
    """Return the agreement of metrics with labels: a row a figure; see `COLUMNS`.

    By default with all labels of all metrics and of judges' relevance. `language` is empty for all
    reviews; the main statistic (`spearman` or `auc`) is also given for each language. `rows` counts
    the reviews with label and value. `difference`, `p` and `p_corrected` compare the main
    statistic with that of the metric `against`, by default `rel`, else the first with a value.
    With labels in fewer than `FEWEST_CHANGES` changes there are no intervals.

    Raises:
        InputError: there is no such metric or label, or nobody labelled the reviews.
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    known = labels(run.reviews)
    if unknown := [name for name in label_names if name not in known]:
        raise InputError(
            f"there is no label {unknown[0][:80]!r}; choose from {', '.join(known) or 'none'}"
        )
    if not known:
        raise InputError("no review has a rating or a label; rate some, or add a column label_NAME")
    chosen = {name: known[name] for name in label_names or known}
    names = list(metrics) or metric_names(run)
    steps = len(names) + len(chosen)
    values = {}
    for done, name in enumerate(names):
        on_progress(done, steps, metric_title(name))
        values[name] = metric_values(run, name, tau)
    with_values = [name for name, of in values.items() if of.notna().any()]
    base = against or ("rel" if "rel" in with_values else (with_values or names)[0])
    if base not in values:
        raise InputError(f"{base[:80]!r} is none of the metrics compared: {', '.join(values)}")
    change = np.asarray(pd.factorize(run.reviews["change"])[0], np.intp)
    bootstrap = ClusterBootstrap(int(change.max()) + 1, n_resamples)
    language = run.reviews["language"].fillna("").to_numpy()
    rows: list[tuple[object, ...]] = []
    for number, (label, people) in enumerate(chosen.items()):
        on_progress(len(names) + number, steps, f"agreement with {label}")
        agreement = _Agreement(np.array(people, np.float64), change, bootstrap)
        columns = {name: np.array(of, np.float64) for name, of in values.items()}
        rows += ((label, *figure) for figure in agreement.figures(columns, base, language))
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[-3:], float))


class _Agreement:
    """Agreement of columns with one label, all (n,), NaN if there is no value."""

    def __init__(
        self, people: Array, change: NDArray[np.intp], bootstrap: ClusterBootstrap
    ) -> None:
        is_class = np.isin(people, (0, 1))
        means = people[~np.isnan(people)]
        n_classes = int(is_class.sum())
        self.is_binary = bool(((means >= 0) & (means <= 1)).all()) and 2 * n_classes >= means.size
        if self.is_binary:  # reviews on which raters disagree are of neither class
            people = np.where(is_class, people, np.nan)
        given = ~np.isnan(people)
        self._people, self._change, self._bootstrap = people, change, bootstrap
        self._has_enough = np.unique(change[given]).size >= FEWEST_CHANGES

    def figures(
        self, columns: dict[str, Array], base: str, language: NDArray[Any]
    ) -> Iterator[tuple[object, ...]]:
        """Yield metric, language, statistic, rows, value, low and high."""
        whole = {name: self._main(values, self._known(values)) for name, values in columns.items()}
        differences = {
            name: self._difference(whole, columns, name, base) for name in columns if name != base
        }
        corrected = holm({name: p for name, (_, _, p) in differences.items()})
        main = "auc" if self.is_binary else "spearman"
        for name, values in columns.items():
            known = self._known(values)
            n = int(known.sum())
            yield self._row(name, "", main, n, self._estimate(whole[name]))
            for statistic, estimate in self._others(values, known):
                yield self._row(name, "", statistic, n, estimate)
            for spoken in dict.fromkeys(language[known].tolist()):
                of = known & (language == spoken)
                estimate = self._estimate(self._main(values, of))
                yield self._row(name, spoken or "unknown", main, int(of.sum()), estimate)
            if name in differences:
                rows, difference, p = differences[name]
                yield self._row(name, "", "difference", rows, difference)
                yield self._row(name, "", "p", rows, Estimate(p))
                yield self._row(name, "", "p_corrected", rows, Estimate(corrected.get(name)))

    def _row(
        self, metric: str, language: str, statistic: str, rows: int, of: Estimate
    ) -> tuple[object, ...]:
        ends = of.ends if self._has_enough else None
        return metric, language, statistic, rows, of.value, *(ends or (None, None))

    def _known(self, values: Array) -> NDArray[np.bool_]:
        return np.asarray(~np.isnan(self._people) & ~np.isnan(values))

    def _main(self, values: Array, known: NDArray[np.bool_]) -> Array:
        """Return the main statistic observed, then of each resample: (1 + n resamples,)."""
        n_resamples, n_changes = self._bootstrap.weights.shape
        if not known.any():
            return np.full(1 + n_resamples, np.nan)
        pairs = ClusteredPairs(values[known], self._people[known], self._change[known])
        weights = np.vstack([np.ones((1, n_changes), np.int16), self._bootstrap.weights])
        return pairs.auc(weights) if self.is_binary else pairs.spearman(weights)

    def _estimate(self, samples: Array) -> Estimate:
        return Estimate(number_or_none(samples[0]), self._bootstrap.interval_of(samples[1:]))

    def _others(self, values: Array, known: NDArray[np.bool_]) -> Iterable[tuple[str, Estimate]]:
        scores, people, change = values[known], self._people[known], self._change[known]
        names = _OF_BINARY if self.is_binary else _OF_GRADED
        if not known.any():
            return [(name, Estimate(None)) for name in names]
        pairs = ClusteredPairs(scores, people, change)
        if not self.is_binary:
            samples = pairs.kendall(self._bootstrap.weights)
            value = rank_correlation(scores, people).kendall.value
            kendall = Estimate(value, self._bootstrap.interval_of(samples))
            accuracy, _, _ = pairwise_accuracy(scores, people, change, self._bootstrap)
            return zip(names, [kendall, accuracy], strict=True)
        found = [self._bootstrap.estimate(pairs.average_precision)]
        if np.unique(change).size > 1:
            decided = held_out_decisions(scores, people == 1, change)
            found += balanced_accuracy_and_kappa(decided, people == 1, change, self._bootstrap)
        return zip(names, [*found, Estimate(None), Estimate(None)][: len(names)], strict=True)

    def _difference(
        self, whole: dict[str, Array], columns: dict[str, Array], name: str, base: str
    ) -> tuple[int, Estimate, float | None]:
        """Return rows, the difference from the metric `base`, and its p-value."""
        both = self._known(columns[name]) & self._known(columns[base])
        sides = [
            whole[of] if (both == self._known(columns[of])).all() else self._main(columns[of], both)
            for of in (name, base)
        ]
        samples = sides[0] - sides[1]
        p = resampled_p(samples[1:])
        if np.isnan(samples[0]) or p is None:
            return int(both.sum()), Estimate(None), None
        return int(both.sum()), self._estimate(samples), p if self._has_enough else None


def compare_document(run: Run, frame: pd.DataFrame) -> dict[str, Any]:
    """Return the JSON object of `crscore compare`; undefined figures are null.

    The first label's table is at the top; with several labels, all are under `labels`.
    """
    counts = {name: int(values.notna().sum()) for name, values in labels(run.reviews).items()}
    blocks = {
        str(label): {
            "rows": counts[str(label)],
            "label": label,
            "is_binary": bool((of["statistic"] == "auc").any()),
            "metrics": {
                str(metric): _metric(of_metric, counts[str(label)])
                for metric, of_metric in of.groupby("metric", sort=False)
            },
        }
        for label, of in frame.groupby("label", sort=False)
    }
    document = {"data": run.settings["name"], **next(iter(blocks.values()))}
    return document | ({"labels": blocks} if len(blocks) > 1 else {})


def remark(metric: str, rows: int, labelled: int) -> str:
    """Return why a metric has no value for some of the labelled reviews; empty if it has all."""
    if rows == labelled:
        return ""
    needs = METRICS[metric].needs if metric in METRICS else "value"
    if needs == "reference":
        few = f"{labelled - rows:,} reviews are empty or have no reference"
        return few if rows else "no review has a reference"
    return f"{labelled - rows:,} reviews {'have no value' if needs else 'cannot be scored'}"


def _metric(figures: pd.DataFrame, labelled: int) -> dict[str, Any]:
    main = str(figures["statistic"].iloc[0])
    document: dict[str, Any] = {"rows": int(figures["rows"].iloc[0])}
    by_language: dict[str, Any] = {}
    chosen = figures.astype(object).where(figures.notna(), None)
    for one in chosen.to_dict("records"):
        interval = None if one["low"] is None else [one["low"], one["high"]]
        if one["language"]:
            by_language[one["language"]] = {
                "rows": one["rows"], main: one["value"], "ci": interval
            }  # fmt: skip
            continue
        name = one["statistic"]
        document[name] = one["value"]
        if name not in {"p", "p_corrected"}:
            document["ci" if name == main else f"{name}_ci"] = interval
        if name == "difference":
            document["difference_rows"] = one["rows"]
    reason = remark(str(figures["metric"].iloc[0]), document["rows"], labelled)
    return document | {"by_language": by_language, "remark": reason or None}
