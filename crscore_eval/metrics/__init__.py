"""Metrics to compare CRScore with: similarity to a reference review, and baselines."""

from crscore_eval.metrics.columns import (
    compute_metric,
    labels,
    metric_names,
    metric_title,
    metric_values,
    references,
    with_metrics,
)
from crscore_eval.metrics.registry import BASELINES, METRICS, Metric

__all__ = [
    "BASELINES",
    "METRICS",
    "Metric",
    "compute_metric",
    "labels",
    "metric_names",
    "metric_title",
    "metric_values",
    "references",
    "with_metrics",
]
