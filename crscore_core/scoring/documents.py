"""Scores, claims and smells as the JSON documents that commands print and the app offers.

They have all similarities, so that a reader can score at another threshold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from crscore_core.analyzers import AnalyzerResult
from crscore_core.claims import ClaimSet
from crscore_core.scoring.references import analyzer_document, reference_document
from crscore_core.scoring.review_score import ReviewScore

_OF_REVIEW = (
    *("review", "conciseness", "comprehensiveness", "relevance", "no_threshold"),
    *("sentences", "covered", "missed", "similarity"),
)


def score_document(scores: Sequence[ReviewScore]) -> dict[str, Any]:
    """Return the document of `crscore score --json`: one or more reviews of one change."""
    documents = [score.to_dict() for score in scores]
    shared = ("signature", "tau", "pseudo_references", "analyzers")
    return {
        **{name: documents[0][name] for name in shared},
        "reviews": [
            {name: document[name] for name in _OF_REVIEW}
            | {"no_threshold": document["without_threshold"]}
            for document in documents
        ],
        "warnings": score_warnings(scores),
    }


def claims_document(claims: ClaimSet, warnings: Iterable[str] = ()) -> dict[str, Any]:
    """Return the document of `crscore claims --json`."""
    return {
        "claims": list(map(reference_document, claims.claims)),
        "warnings": [*warnings, *claims.warnings],
    }


def smells_document(results: Sequence[AnalyzerResult], warnings: Sequence[str]) -> dict[str, Any]:
    """Return the document of `crscore analyze --json`."""
    return {
        "analyzers": list(map(analyzer_document, results)),
        "smells": [asdict(smell) for result in results for smell in result.smells],
        "warnings": list(warnings),
    }


def score_warnings(scores: Sequence[ReviewScore]) -> list[str]:
    """Return the warnings about the change, then about each review, numbered if several."""
    change_warnings = scores[0].reference_set.warnings
    warnings = list(change_warnings)
    for number, score in enumerate(scores, start=1):
        prefix = f"review {number}: " if len(scores) > 1 else ""
        warnings += [prefix + text for text in score.warnings if text not in change_warnings]
    return list(dict.fromkeys(warnings))
