"""Reviews as rows beside how far metric and people are apart."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.validity.failures import Failures, ScoredDimension

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "SCORES",
    "FailureKind",
    "Which",
    "case_rows",
    "choose_cases",
    "ratable_scores",
    "score_of",
]

SCORES: Mapping[str, str] = {
    "relevance": "relevance",
    "conciseness": "conciseness",
    "comprehensiveness": "comprehensiveness",
    "calibrated_relevance": "relevance",
}
"""The columns of a `ReviewTable` that are compared with ratings, and the dimension rated."""


class FailureKind(StrEnum):
    """How the metric fails a review; empty where it does not."""

    UNDERESTIMATED = "underestimated"
    OVERESTIMATED = "overestimated"
    NONE = ""


class Which(StrEnum):
    """Which reviews to look at."""

    FAILING = "failing"
    UNDERESTIMATED = "underestimated"
    OVERESTIMATED = "overestimated"
    ALL = "all"


_KINDS: Mapping[Which, tuple[FailureKind, ...]] = {
    Which.FAILING: (FailureKind.UNDERESTIMATED, FailureKind.OVERESTIMATED),
    Which.UNDERESTIMATED: (FailureKind.UNDERESTIMATED,),
    Which.OVERESTIMATED: (FailureKind.OVERESTIMATED,),
    Which.ALL: tuple(FailureKind),
}


def ratable_scores(table: ReviewTable) -> tuple[str, ...]:
    """Those of `SCORES` that reviews have, of dimensions that people rated; empty if they did not.

    Nothing is scored for it.
    """
    return tuple(
        score
        for score, dimension in SCORES.items()
        if table.comparison.is_judged_in(dimension).any()
        and (score in DIMENSIONS or not np.isnan(table.calibrated).any())
    )


def score_of(rows: "pd.DataFrame", score: str) -> ScoredDimension:
    """One of `SCORES` of all reviews, `rows` being theirs at some tau."""
    return ScoredDimension(SCORES[score], rows[score].to_numpy(dtype=np.float64))


def case_rows(rows: "pd.DataFrame", failures: Failures) -> "pd.DataFrame":
    """The rows with `failure`, a `FailureKind`, and `gap`: how far score and rating are apart.

    The gap is the score less the rating brought from 1 to 5 to 0 to 1: below 0 the metric says
    less than people do. NaN where nobody rated.
    """
    kinds = np.full(len(rows), FailureKind.NONE.value, dtype=object)
    kinds[failures.underestimated] = FailureKind.UNDERESTIMATED.value
    kinds[failures.overestimated] = FailureKind.OVERESTIMATED.value
    people = rows[f"human_{failures.compared.dimension}"].to_numpy()
    return rows.assign(failure=kinds, gap=failures.compared.scores - (people - 1) / 4)


def choose_cases(rows: "pd.DataFrame", fitting: NDArray[np.intp], which: Which) -> NDArray[np.intp]:
    """Positions of reviews among those `fitting` that fail as `which` says.

    The widest gap comes first, reviews that nobody rated last; ties keep the order of the data.
    `rows` are those of `case_rows`.
    """
    chosen = rows.iloc[fitting]
    chosen = chosen[chosen["failure"].isin([kind.value for kind in _KINDS[which]])]
    # No number sorts behind all others.
    order = np.argsort(-chosen["gap"].abs().to_numpy(), kind="stable")
    return chosen.index.to_numpy(dtype=np.intp)[order]
