"""Metrics to compare CRScore with: similarity to a reference review, and baselines."""

from crscore_core.metrics.codebertscore import TokenScores, token_scores
from crscore_core.metrics.model import ReferenceMetric, TextPair, no_score_reason
from crscore_core.metrics.registry import REFERENCE_METRICS, reference_metrics
from crscore_core.metrics.token_matching import TokenMatch, TokenMatching, token_matches

__all__ = [
    "REFERENCE_METRICS",
    "ReferenceMetric",
    "TextPair",
    "TokenMatch",
    "TokenMatching",
    "TokenScores",
    "no_score_reason",
    "reference_metrics",
    "token_matches",
    "token_scores",
]
