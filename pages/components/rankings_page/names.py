"""What rankings are called."""

from collections.abc import Mapping

__all__ = ["MEANINGS", "METRIC_NAMES"]

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
