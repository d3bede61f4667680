"""Metrics beside each other: agreement with one label of people, on the same reviews.

Graded labels: Spearman's rho, Kendall's tau-b, and pairwise accuracy within changes with tie
calibration. Binary labels: area under the ROC curve, average precision, and balanced accuracy and
Cohen's kappa of decisions at a threshold that was found on other changes. Intervals resample
changes. A difference between two metrics is over the reviews that both have a value for, in the
same resamples; its p-value is two-sided, from the resamples, and corrected for the number of
metrics by Holm's method (Scandinavian Journal of Statistics 6, 1979).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.labelled import LabelledReviews, LabelSet
from crscore_core.errors import DatasetError
from crscore_core.statistics import (
    FEWEST_CHANGES,
    ClusterBootstrap,
    ClusteredDecisions,
    ClusteredMatches,
    ClusteredPairs,
    Estimate,
    Interval,
    held_out_decisions,
    holm,
    number_or_none,
    pairwise_accuracy,
)
from crscore_core.statistics.bootstrap import MIN_CLUSTERS
from crscore_core.validity.metric_columns import BASELINES, MetricColumn

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]

GRADED = ("spearman", "kendall", "pairwise")
BINARY = ("auc", "average_precision", "balanced_accuracy", "kappa")

_Statistic = Callable[[NDArray[np.int16]], Array]


@dataclass(frozen=True, slots=True)
class LanguageAgreement:
    """The main statistic on the reviews of one language."""

    language: str
    rows: int
    main: Estimate


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric's main statistic less that of another, over `rows` reviews that have both.

    `p` is None where the difference is undefined; `p_corrected` counts all metrics of the table.
    """

    rows: int
    difference: Estimate
    p: float | None
    p_corrected: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of one metric with one label, over the `rows` reviews that have both.

    `statistics` are those of `GRADED` or `BINARY`, the main one first. `against` is the difference
    from the metric that all are compared with, None for that metric itself. `seconds` is the time
    that 1,000 reviews took, and `remark` that of the metric's column.
    """

    metric: str
    rows: int
    statistics: Mapping[str, Estimate]
    by_language: tuple[LanguageAgreement, ...]
    against: Difference | None
    seconds: float
    remark: str

    @property
    def main(self) -> Estimate:
        """Spearman's rho, or the area under the ROC curve."""
        return next(iter(self.statistics.values()))


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """All metrics on one label; `chosen` is the metric that the others are compared with.

    `rows` and `changes` count what has the label. On fewer than `FEWEST_CHANGES` changes figures
    have neither intervals nor p-values.
    """

    label: str
    is_binary: bool
    rows: int
    changes: int
    chosen: str
    metrics: tuple[Agreement, ...]


def first_choice(columns: Sequence[MetricColumn]) -> str:
    """Return Rel, or the first metric with a value where Rel has none."""
    with_values = [column.name for column in columns if not np.isnan(column.values).all()]
    return "rel" if "rel" in with_values else (with_values or [columns[0].name])[0]


def compare_metrics(
    reviews: LabelledReviews,
    columns: Sequence[MetricColumn],
    label: str,
    chosen: str,
    bootstrap: ClusterBootstrap | None = None,
) -> LabelComparison:
    """Measure how far each metric agrees with a label, and differs from the `chosen` metric.

    Raises:
        DatasetError: `chosen` is none of the metrics.
    """
    by_name = {column.name: column.values for column in columns}
    if chosen not in by_name:
        raise DatasetError(f"{chosen[:80]!r} is none of the metrics compared: {', '.join(by_name)}")
    labels = reviews.labels[label]
    resamples = bootstrap or ClusterBootstrap(len(reviews.changes))
    table = _Table(reviews, labels, resamples)
    differences = {
        name: table.difference(values, by_name[chosen])
        for name, values in by_name.items()
        if name != chosen
    }
    corrected = holm({name: found.p for name, found in differences.items()})
    return LabelComparison(
        label,
        labels.is_binary,
        int(labels.is_given.sum()),
        table.changes,
        chosen,
        tuple(
            table.agreement(
                column,
                Difference(found.rows, found.difference, found.p, corrected.get(column.name))
                if (found := differences.get(column.name))
                else None,
            )
            for column in columns
        ),
    )


def behind_baselines(table: LabelComparison) -> dict[str, tuple[str, ...]]:
    """Return, by baseline, the other metrics whose main statistic is lower, the highest first.

    A baseline that no metric is behind is left out.
    """
    values = {one.metric: one.main.value for one in table.metrics if one.main.value is not None}
    falling = sorted(values, key=lambda name: -values[name])
    behind = {
        baseline: tuple(
            name for name in falling if name not in BASELINES and values[name] < values[baseline]
        )
        for baseline in falling
        if baseline in BASELINES
    }
    return {baseline: names for baseline, names in behind.items() if names}


class _Table:
    """One label of reviews, and the resamples that all figures of its table rest on."""

    def __init__(
        self, reviews: LabelledReviews, label: LabelSet, bootstrap: ClusterBootstrap
    ) -> None:
        self._reviews, self._label, self._bootstrap = reviews, label, bootstrap
        self._samples: dict[tuple[bytes, bytes], Array] = {}
        self.changes = np.unique(reviews.change[label.is_given]).size

    def agreement(self, column: MetricColumn, against: Difference | None) -> Agreement:
        known = self._label.is_given & ~np.isnan(column.values)
        language = self._reviews.language
        return Agreement(
            column.name,
            int(known.sum()),
            self._statistics(column.values, known),
            tuple(
                LanguageAgreement(name, int(of.sum()), self._main(column.values, of))
                for name in dict.fromkeys(language.tolist())
                if (of := known & (language == name)).any()
            ),
            against,
            1000 * column.seconds / max(1, known.size),
            column.remark,
        )

    def difference(self, values: Array, chosen: Array) -> Difference:
        both = self._label.is_given & ~np.isnan(values) & ~np.isnan(chosen)
        if not both.any():
            return Difference(0, Estimate(None, None), None)
        observed, *samples = self._resampled(values, both) - self._resampled(chosen, both)
        known = np.array(samples)[~np.isnan(samples)]
        if np.isnan(observed) or not known.size:
            return Difference(int(both.sum()), Estimate(None, None), None)
        tail = 1 + min((known <= 0).sum(), (known >= 0).sum())
        p = float(min(1, 2 * tail / (known.size + 1)))
        estimate = Estimate(float(observed), self._interval_of(samples))
        return Difference(int(both.sum()), estimate, p if self._has_enough else None)

    def _statistics(self, values: Array, known: Chosen) -> dict[str, Estimate]:
        if not known.any():
            names = BINARY if self._label.is_binary else GRADED
            return dict.fromkeys(names, Estimate(None, None))
        main = self._main(values, known)
        people, change = self._label.values[known], self._reviews.change[known]
        if not self._label.is_binary:
            kendall = self._estimate(
                lambda weights: ClusteredPairs(values[known], people, change).both(weights)[1]
            )
            pairwise = pairwise_accuracy(values[known], people, change, self._bootstrap)
            return {"spearman": main, "kendall": kendall, "pairwise": self._told(pairwise.accuracy)}
        is_yes = people == 1
        matches = ClusteredMatches(values[known], is_yes, change)
        precision = self._estimate(matches.average_precision)
        figures = {"auc": main, "average_precision": precision}
        if np.unique(change).size < MIN_CLUSTERS:
            return figures | dict.fromkeys(BINARY[2:], Estimate(None, None))
        decided = held_out_decisions(values[known], is_yes, change)
        decisions = ClusteredDecisions(decided, is_yes, change)
        return figures | {
            "balanced_accuracy": self._estimate(decisions.balanced_accuracy),
            "kappa": self._estimate(decisions.kappa),
        }

    def _estimate(self, statistic: _Statistic) -> Estimate:
        return self._told(self._bootstrap.estimate(statistic))

    def _told(self, estimate: Estimate) -> Estimate:
        return estimate if self._has_enough else Estimate(estimate.value, None)

    def _interval_of(self, samples: Sequence[float]) -> Interval | None:
        return self._bootstrap.interval_of(np.array(samples)) if self._has_enough else None

    @property
    def _has_enough(self) -> bool:
        return self.changes >= FEWEST_CHANGES

    def _main(self, values: Array, known: Chosen) -> Estimate:
        observed, *samples = self._resampled(values, known)
        return Estimate(number_or_none(observed), self._interval_of(samples))

    def _resampled(self, values: Array, known: Chosen) -> Array:
        """Main statistic of what was observed, then of each resample, (1 + n resamples,)."""
        key = values[known].tobytes(), known.tobytes()
        if key not in self._samples:
            people, change = self._label.values[known], self._reviews.change[known]
            statistic: _Statistic
            if self._label.is_binary:
                statistic = ClusteredMatches(values[known], people == 1, change).auc
            else:
                statistic = ClusteredPairs(values[known], people, change).spearman
            ones = np.ones_like(self._bootstrap.weights[:1])
            self._samples[key] = np.concatenate(
                [statistic(ones), statistic(self._bootstrap.weights)]
            )
        return self._samples[key]
