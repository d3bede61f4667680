"""Predicted relevance of reviewers by month, for comments whose ids contain their date."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.statistics import Estimate, ScoresByChange

_DAY = re.compile(r".+/([0-9]{4}-[01][0-9])-[0-3][0-9]/(?:review-)?[0-9]+", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class MonthMean:
    """Mean predicted relevance of a system's reviews in a month such as `2026-11`."""

    month: str
    system: str
    reviews: int
    changes: int
    mean: Estimate


def month_of(review_id: str) -> str | None:
    """Return the month of a comment from its id in a pull-request corpus; None for other ids."""
    match = _DAY.fullmatch(review_id)
    return match[1] if match else None


def means_by_month(comparison: CorpusComparison, values: NDArray[np.float64]) -> list[MonthMean]:
    """Return the mean of `values`, (n reviews,), by month and system; NaN is ignored.

    Intervals are t intervals over changes. Reviews without a date in their id are ignored.
    """
    months = np.array([month_of(review.id) or "" for review in comparison.reviews], dtype=np.str_)
    means = []
    for month in sorted({*months.tolist()} - {""}):
        of_month = (months == month) & ~np.isnan(values)
        for system in sorted({*comparison.system[of_month].tolist()}):
            chosen = of_month & (comparison.system == system)
            scores = ScoresByChange.of(values[chosen], comparison.change[chosen])
            counts = int(chosen.sum()), scores.change.size
            means.append(MonthMean(month, system, *counts, scores.estimate()))
    return means
