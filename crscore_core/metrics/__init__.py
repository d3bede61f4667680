"""Metrics that CRScore is compared with: similarity to a reference review, and baselines."""

from crscore_core.metrics.model import ReferenceMetric, TextPair, no_score_reason
from crscore_core.metrics.registry import REFERENCE_METRICS, reference_metrics

__all__ = [
    "REFERENCE_METRICS",
    "ReferenceMetric",
    "TextPair",
    "no_score_reason",
    "reference_metrics",
]
