"""Metrics beside each other: agreement with one label of people, on the same reviews.

Graded labels: Spearman's rho, Kendall's tau-b, and pairwise accuracy within changes with tie
calibration. Binary labels: area under the ROC curve, average precision, and balanced accuracy and
Cohen's kappa of decisions at a threshold that was found on other changes. Intervals resample
changes. A difference between two metrics is over the reviews that both have a value for, in the
same resamples; its p-value is two-sided, from the resamples, and corrected for the number of
metrics by Holm's method (Scandinavian Journal of Statistics 6, 1979).
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.labelled import LabelledReviews
from crscore_core.errors import InputError
from crscore_core.validity.metric_columns import MetricColumn
from crscore_eval.statistics import (
    FEWEST_CHANGES,
    SURE,
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
from crscore_eval.statistics.bootstrap import MIN_CLUSTERS

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]

GRADED = ("spearman", "kendall", "pairwise")
BINARY = ("auc", "average_precision", "balanced_accuracy", "kappa")

_MOST_KEPT = 32
"""Columns of a label whose figures are kept: more than there are metrics."""

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

    @property
    def sign(self) -> int:
        """1 if it agrees significantly better than the metric compared with, -1 if worse, else 0.

        Significant by Holm's correction for the metrics of the table.
        """
        if self.against is None or self.against.difference.value is None:
            return 0
        p = self.against.p_corrected
        return 0 if p is None or p >= SURE else 1 if self.against.difference.value > 0 else -1


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


class LabelTable:
    """Agreement of metrics with one label; figures of the columns used last are kept.

    Columns are told apart by identity, so a column that is compared again costs nothing.
    """

    def __init__(
        self, reviews: LabelledReviews, label: str, bootstrap: ClusterBootstrap | None = None
    ) -> None:
        """Take reviews and one of their labels; the bootstrap resamples changes, 1,000 times."""
        self._reviews, self._label = reviews, reviews.labels[label]
        self._bootstrap = bootstrap or ClusterBootstrap(len(reviews.changes))
        self._changes = np.unique(reviews.change[self._label.is_given]).size
        self._figures = functools.lru_cache(_MOST_KEPT)(self._figures_of)
        self._samples = functools.lru_cache(_MOST_KEPT)(self._samples_of)

    def compare(self, columns: Sequence[MetricColumn], chosen: str) -> LabelComparison:
        """Measure how far each metric agrees with the label, and differs from the `chosen` one.

        Raises:
            InputError: `chosen` is none of the metrics.
        """
        by_name = {column.name: column for column in columns}
        if chosen not in by_name:
            raise InputError(
                f"{chosen[:80]!r} is none of the metrics compared: {', '.join(by_name)}"
            )
        differences = {
            name: self._difference(column, by_name[chosen])
            for name, column in by_name.items()
            if name != chosen
        }
        corrected = holm({name: found.p for name, found in differences.items()})
        metrics = []
        for column in columns:
            against = differences.get(column.name)
            if against:
                against = replace(against, p_corrected=corrected.get(column.name))
            metrics.append(replace(self._figures(column), against=against))
        return LabelComparison(
            self._label.name,
            self._label.is_binary,
            int(self._label.is_given.sum()),
            self._changes,
            chosen,
            tuple(metrics),
        )

    def _figures_of(self, column: MetricColumn) -> Agreement:
        known = self._known(column)
        language = self._reviews.language
        return Agreement(
            column.name,
            int(known.sum()),
            self._statistics(column, known),
            tuple(
                LanguageAgreement(
                    name, int(of.sum()), self._estimate_of(self._resampled(column.values, of))
                )
                for name in dict.fromkeys(language.tolist())
                if (of := known & (language == name)).any()
            ),
            None,
            1000 * column.seconds / max(1, known.size),
            column.remark,
        )

    def _difference(self, column: MetricColumn, chosen: MetricColumn) -> Difference:
        rows = int((self._known(column) & self._known(chosen)).sum())
        if not rows:
            return Difference(0, Estimate(None, None), None)
        observed, *samples = self._shared(column, chosen) - self._shared(chosen, column)
        known = np.array(samples)[~np.isnan(samples)]
        if np.isnan(observed) or not known.size:
            return Difference(rows, Estimate(None, None), None)
        tail = 1 + min((known <= 0).sum(), (known >= 0).sum())
        p = float(min(1, 2 * tail / (known.size + 1)))
        estimate = Estimate(float(observed), self._interval_of(samples))
        return Difference(rows, estimate, p if self._has_enough else None)

    def _statistics(self, column: MetricColumn, known: Chosen) -> dict[str, Estimate]:
        if not known.any():
            names = BINARY if self._label.is_binary else GRADED
            return dict.fromkeys(names, Estimate(None, None))
        main = self._estimate_of(self._samples(column, column))
        values = column.values[known]
        people, change = self._label.values[known], self._reviews.change[known]
        if not self._label.is_binary:
            kendall = self._estimate(
                lambda weights: ClusteredPairs(values, people, change).both(weights)[1]
            )
            pairwise = pairwise_accuracy(values, people, change, self._bootstrap)
            return {"spearman": main, "kendall": kendall, "pairwise": self._told(pairwise.accuracy)}
        is_yes = people == 1
        matches = ClusteredMatches(values, is_yes, change)
        precision = self._estimate(matches.average_precision)
        figures = {"auc": main, "average_precision": precision}
        if np.unique(change).size < MIN_CLUSTERS:
            return figures | dict.fromkeys(BINARY[2:], Estimate(None, None))
        decided = held_out_decisions(values, is_yes, change)
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
        return self._changes >= FEWEST_CHANGES

    def _estimate_of(self, figures: Array) -> Estimate:
        observed, *samples = figures
        return Estimate(number_or_none(observed), self._interval_of(samples))

    def _known(self, column: MetricColumn) -> Chosen:
        """Mark the reviews that have the label and a value, (n,)."""
        return self._label.is_given & ~np.isnan(column.values)

    def _shared(self, column: MetricColumn, other: MetricColumn) -> Array:
        """Main statistic of a column, and its resamples, over the reviews that both have."""
        has_more = self._known(column) & ~self._known(other)
        return self._samples(column, other if has_more.any() else column)

    def _samples_of(self, column: MetricColumn, other: MetricColumn) -> Array:
        return self._resampled(column.values, self._known(column) & self._known(other))

    def _resampled(self, values: Array, known: Chosen) -> Array:
        """Main statistic of what was observed, then of each resample, (1 + n resamples,)."""
        people, change = self._label.values[known], self._reviews.change[known]
        statistic: _Statistic
        if self._label.is_binary:
            statistic = ClusteredMatches(values[known], people == 1, change).auc
        else:
            statistic = ClusteredPairs(values[known], people, change).spearman
        ones = np.ones_like(self._bootstrap.weights[:1])
        return np.concatenate([statistic(ones), statistic(self._bootstrap.weights)])
