"""CRScore: reference-free scores for code review comments."""

import crscore_core.bundle  # noqa: F401 - finds the analyzers
from crscore_core.errors import InputError
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer

__all__ = ["CRScorer", "InputError", "ReviewScore"]
