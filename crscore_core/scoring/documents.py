"""Scores, claims and smells as the JSON documents that commands print and the app offers.

They have all similarities, so that a reader can score at another threshold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from analyzers import AnalyzerResult
from crscore_core.claims import ClaimSet
from crscore_core.scoring.references import reference_document
from crscore_core.scoring.review_score import ReviewScore


def score_document(scores: Sequence[ReviewScore]) -> dict[str, Any]:
    """Return the document of `crscore score --json`: one or more reviews of one change."""
    first = scores[0]
    return {
        "signature": first.signature.document(),
        "tau": first.tau,
        "pseudo_references": list(map(reference_document, first.pseudo_references)),
        "analyzers": _analyzers(first.reference_set.analyzers),
        "reviews": list(map(_review, scores)),
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
        "analyzers": _analyzers(results),
        "smells": [asdict(smell) for result in results for smell in result.smells],
        "warnings": list(warnings),
    }


def _analyzers(results: Iterable[AnalyzerResult]) -> list[dict[str, Any]]:
    return [
        {
            "name": result.name,
            "path": result.path,
            "status": result.status.value,
            "reason": result.reason,
            "smells": len(result.smells),
        }
        for result in results
    ]


def _review(score: ReviewScore) -> dict[str, Any]:
    return {
        "review": score.review,
        "conciseness": score.conciseness,
        "comprehensiveness": score.comprehensiveness,
        "relevance": score.relevance,
        "no_threshold": asdict(score.no_threshold) if score.no_threshold else None,
        "sentences": list(map(asdict, score.sentences)),
        "covered": list(score.covered),
        "missed": list(score.missed),
        "similarity": score.similarity.tolist(),
    }


def score_warnings(scores: Sequence[ReviewScore]) -> list[str]:
    """Return the warnings about the change, then about each review, numbered if several."""
    change_warnings = scores[0].reference_set.warnings
    warnings = list(change_warnings)
    for number, score in enumerate(scores, start=1):
        prefix = f"review {number}: " if len(scores) > 1 else ""
        warnings += [prefix + text for text in score.warnings if text not in change_warnings]
    return list(dict.fromkeys(warnings))
