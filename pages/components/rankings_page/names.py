"""What rankings and figures are called."""

from collections.abc import Mapping

from crscore_core.statistics import Interval

__all__ = ["MEANINGS", "METRIC_NAMES", "between", "number"]

METRIC_NAMES: Mapping[str, str] = {
    "human_relevance": "people: relevance",
    "human_comprehensiveness": "people: comprehensiveness",
    "human_conciseness": "people: conciseness",
    "relevance": "Rel",
    "comprehensiveness": "Comp",
    "conciseness": "Con",
    "calibrated_relevance": "calibrated relevance",
    "no_threshold": "similarity without threshold",
}
"""Columns that rank, as people read them; they stand in the URL."""

MEANINGS = (
    "**People** rated from 1 to 5, shown from 0 to 1. **Con** is the share of a review's "
    "sentences that say something of the change, **Comp** the share of pseudo-references that it "
    "covers, **Rel** their harmonic mean. **Calibrated relevance** is what a small model, fitted "
    "to the human study, expects people to say. **Similarity without threshold** is the harmonic "
    "mean of the mean best similarities of sentences and pseudo-references: it has no tau."
)


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or a dash where it is not defined."""
    return "–" if value is None else f"{value:.{digits}f}"


def between(interval: Interval | None, digits: int = 3) -> str:
    """An interval in words; a dash where there is none."""
    return "–" if interval is None else f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"
