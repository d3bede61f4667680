"""A whole run with its scores as JSON, for other programs."""

import math
from dataclasses import asdict
from typing import Any

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.scoring.signature import package_version

__all__ = ["run_document"]


def run_document(table: ReviewTable, tau: float) -> dict[str, Any]:
    """Everything that scores rest on and the scores, as JSON can hold it; None where undefined."""
    comparison = table.comparison
    rows = table.shown_at(tau)
    kept = [*(f"human_{name}" for name in DIMENSIONS), *DIMENSIONS, *METRICS]
    numbers = rows[kept].to_dict("records")
    return {
        "version": package_version(),
        "encoder": comparison.encoder,
        "claims": comparison.claims,
        "tau": tau,
        "changes": _changes(comparison),
        "left_out": [{"id": one.id, "reason": one.reason} for one in comparison.left_out],
        "warnings": list(comparison.warnings),
        "reviews": [
            {
                "id": review.id,
                "change": comparison.changes[review.change].id,
                "system": review.system,
                "text": review.text,
                "sentences": list(review.sentences),
                **{str(name): _number(value) for name, value in of_review.items()},
            }
            for review, of_review in zip(comparison.reviews, numbers, strict=True)
        ],
    }


def _changes(comparison: CorpusComparison) -> list[dict[str, Any]]:
    return [
        {
            "id": change.id,
            "title": change.title,
            "language": change.language or None,
            "diff": change.diff,
            "pseudo_references": [asdict(one) for one in change.references],
        }
        for change in comparison.changes
    ]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
