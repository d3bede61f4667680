"""Metrics that CRScore is compared with: similarity to a reference review, and simple metrics."""

from crscore_eval.metrics.agreement import compare_with_label as compare_with_label
from crscore_eval.metrics.agreement import findings as findings
from crscore_eval.metrics.registry import METRICS as METRICS
from crscore_eval.metrics.registry import SIMPLE_METRICS as SIMPLE_METRICS
from crscore_eval.metrics.values import check_metrics as check_metrics
from crscore_eval.metrics.values import label_heading as label_heading
from crscore_eval.metrics.values import labels_by_name as labels_by_name
from crscore_eval.metrics.values import metric_key as metric_key
from crscore_eval.metrics.values import metric_names as metric_names
from crscore_eval.metrics.values import metric_title as metric_title
from crscore_eval.metrics.values import metric_values as metric_values
