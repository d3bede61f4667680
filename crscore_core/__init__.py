"""CRScore: reference-free scores for code review comments."""

from crscore_core.errors import InputError
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer

__all__ = ["CRScorer", "InputError", "ReviewScore"]
