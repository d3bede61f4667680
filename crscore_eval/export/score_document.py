"""Build the JSON document with the scores of one change."""

from collections.abc import Sequence
from typing import Any

from crscore_core import ReviewScore

_SHARED = ("signature", "tau", "pseudo_references", "analyzers")  # by all reviews of a change


def score_document(scores: Sequence[ReviewScore]) -> dict[str, Any]:
    """Return the document of `crscore score --json`: one or more reviews of one change.

    It includes all similarities, so that a reader can score at another threshold.
    """
    reviews = [score.to_dict() for score in scores]
    shared = {name: reviews[0][name] for name in _SHARED}
    for review in reviews:
        review["no_threshold"] = review.pop("without_threshold")
        for name in (*shared, "warnings"):
            del review[name]
    return {**shared, "reviews": reviews, "warnings": score_warnings(scores)}


def score_warnings(scores: Sequence[ReviewScore]) -> list[str]:
    """Return the warnings about the change, then those about each review, numbered if several."""
    of_change = scores[0].reference_set.warnings
    warnings = [*of_change]
    for number, score in enumerate(scores, start=1):
        start = f"review {number}: " if len(scores) > 1 else ""
        warnings += [f"{start}{text}" for text in score.warnings if text not in of_change]
    return [*dict.fromkeys(warnings)]
