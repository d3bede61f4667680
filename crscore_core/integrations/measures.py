"""Score a review of a diff as numbers and an explanation, the form that harnesses expect."""

from dataclasses import dataclass
from functools import lru_cache

from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer

MEASURES = ("relevance", "conciseness", "comprehensiveness", "no_threshold")
"""Names of all measures, relevance at tau first; each lies from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A scored review.

    `values` has all of `MEASURES`, or nothing where the review has no score; `explanation` says
    what the review misses, or why it has no score.
    """

    values: dict[str, float]
    explanation: str


def measure(diff: str, review: str) -> Measured:
    """Score a review of a diff with the default settings.

    Raises:
        InputError: the diff is invalid.
    """
    return measured(_scorer().score(diff, review))


def measured(score: ReviewScore) -> Measured:
    """Return the measures of a score, and its explanation."""
    if score.relevance is None or score.no_threshold is None:
        return Measured({}, " ".join(score.warnings))
    at_tau = {name: getattr(score, name) for name in MEASURES[:-1]}
    values = at_tau | {"no_threshold": score.no_threshold.relevance}
    return Measured(values, f"{score.in_words} {score.feedback.summary}")


def topics(diff: str) -> tuple[PseudoReference, ...]:
    """Return the pseudo-references of a diff: what a good review could address.

    Raises:
        InputError: the diff is invalid.
    """
    return _scorer().score(diff, "").pseudo_references


@lru_cache(maxsize=1)
def _scorer() -> CRScorer:
    """Return the scorer with the embedded defaults, created once per process."""
    return CRScorer(encoder=CachedEncoder())
