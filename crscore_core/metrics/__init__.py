"""Metrics to compare CRScore with: similarity to a reference review, and baselines."""

from crscore_core.metrics.model import ReferenceMetric, TextPair, no_score_reason
from crscore_core.metrics.registry import REFERENCE_METRICS, reference_metrics
from crscore_core.metrics.token_matching import TokenScores, token_scores

__all__ = [
    "REFERENCE_METRICS",
    "ReferenceMetric",
    "TextPair",
    "TokenScores",
    "no_score_reason",
    "reference_metrics",
    "token_scores",
]
