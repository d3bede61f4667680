"""CRScore: reference-free scores for code review comments."""

from crscore_core.errors import InputError as InputError
from crscore_core.scoring.review_score import ReviewScore as ReviewScore
from crscore_core.scoring.scorer import CRScorer as CRScorer
