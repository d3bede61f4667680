"""The parts of one review as rows."""

import math

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_case import ReviewCase

__all__ = ["reference_rows", "score_rows", "sentence_rows"]

_SCALE = "people, 1 to 5"


def score_rows(case: ReviewCase, calibrated: float) -> list[dict[str, object]]:
    """Each score beside what people gave; `calibrated` is NaN where there is none."""
    rows: list[dict[str, object]] = []
    for name in DIMENSIONS:
        rating = getattr(case.review.ratings, name)
        rows.append(
            {
                "score": name,
                "metric, 0 to 1": case.scores[name],
                _SCALE: "not rated" if rating is None else f"{rating:g}",
            }
        )
    if not math.isnan(calibrated):
        rating = case.review.ratings.relevance
        rows.append(
            {
                "score": "calibrated relevance",
                "metric, 0 to 1": calibrated,
                _SCALE: "not rated" if rating is None else f"{rating:g}",
            }
        )
    return rows


def reference_rows(case: ReviewCase) -> list[dict[str, object]]:
    """Pseudo-references with where they come from, and whether the review covers them."""
    return [
        {
            "no.": number,
            "pseudo-reference": one.reference.text,
            "covered": "covered" if one.is_covered else "missed",
            "best similarity": one.best_similarity,
            "kind": one.reference.kind.value,
            "source": one.reference.source,
            "place": _place(one.reference.path, one.reference.line),
        }
        for number, one in enumerate(case.references, start=1)
    ]


def sentence_rows(case: ReviewCase) -> list[dict[str, object]]:
    """Sentences, and what each is most like."""
    return [
        {
            "no.": number,
            "sentence": one.text,
            "on topic": "on topic" if one.on_topic else "off topic",
            "best similarity": one.best_similarity,
            "best match": None if one.best_reference is None else one.best_reference + 1,
        }
        for number, one in enumerate(case.sentences, start=1)
    ]


def _place(path: str | None, line: int | None) -> str:
    if path is None:
        return "" if line is None else f"line {line}"
    return path if line is None else f"{path}:{line}"
