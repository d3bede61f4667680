"""CRScore: reference-free scores for code review comments."""

import crscore_core.bundle  # noqa: F401 - finds the analyzers
from crscore_core.errors import InputError as InputError
from crscore_core.scoring.review_score import ReviewScore as ReviewScore
from crscore_core.scoring.scorer import CRScorer as CRScorer
from crscore_core.version import __version__ as __version__
