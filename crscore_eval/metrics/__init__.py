"""Metrics to compare CRScore with: similarity to a reference review, and baselines."""

from crscore_eval.metrics.columns import labels as labels
from crscore_eval.metrics.columns import metric_names as metric_names
from crscore_eval.metrics.columns import metric_title as metric_title
from crscore_eval.metrics.columns import metric_values as metric_values
from crscore_eval.metrics.columns import references as references
from crscore_eval.metrics.columns import with_metrics as with_metrics
from crscore_eval.metrics.registry import BASELINES as BASELINES
from crscore_eval.metrics.registry import METRICS as METRICS
from crscore_eval.metrics.registry import Metric as Metric
