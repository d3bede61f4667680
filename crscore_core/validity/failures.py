"""Reviews that the metric gets most wrong (section 5.4, appendix E.1).

The paper cuts the scores into five bins. Failures are reviews in the lowest bin that people rate
best, and in the highest bin that they rate worst. The bins can be read in two ways: they hold
equally many reviews, or they are equally wide. On 1,647 reviews of the study, with
all-MiniLM-L6-v2 and tau_best, they give:

                                          paper    quintiles  equally wide
    underestimated                        0.61 %      0.55 %        0.55 %
    overestimated                         3.74 %      3.28 %        1.82 %
    Kendall's tau-b within both         -0.5403     -0.5541       -0.7158
    Spearman's rho within both          -0.6131     -0.6216       -0.7729
    inline code where overestimated         45 %        44 %          47 %

So the paper most likely means quintiles, and they are the default. A bin includes its upper edge
and not its lower one, the lowest bin both: where a fifth of all scores or more are 0, as half of
them are here, Q1 is 0, nothing is strictly below it, and no review would be underestimated.
A review with the highest score that there is stays out of the lowest bin all the same: where more
than four fifths of all scores are 1, as at a low tau, Q1 is 1, and where all are equal there is no
lowest one. Equally wide bins do not move with the scores of other reviews.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

FailureBins = Literal["quintiles", "equal_width"]

SCORES: Mapping[str, str] = {
    "relevance": "relevance",
    "conciseness": "conciseness",
    "comprehensiveness": "comprehensiveness",
    "calibrated_relevance": "relevance",
}
"""The columns of a `ReviewTable` that are compared with ratings, and the dimension rated."""


class Which(StrEnum):
    """Choice of reviews to look at."""

    FAILING = "failing"
    UNDERESTIMATED = "underestimated"
    OVERESTIMATED = "overestimated"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class FailureRule:
    """The rule by which a review is a failure.

    `bins` says how scores are cut into five bins (see above). A review in the lowest bin that
    people rate `rated_at_least` or better is underestimated, unless no score is higher; one in
    the highest bin that they rate `rated_at_most` or worse is overestimated. Both are ratings
    from 1 to 5, of relevance unless another dimension is compared.

    Raises:
        StudyError: there are no such bins, or ratings that are not from 1 to 5 or not in order.
    """

    bins: FailureBins = "quintiles"
    rated_at_least: int = 5
    rated_at_most: int = 1

    def __post_init__(self) -> None:
        if self.bins not in get_args(FailureBins):
            raise StudyError(f"no bins {self.bins!r}; there are {', '.join(get_args(FailureBins))}")
        if not 1 <= self.rated_at_most < self.rated_at_least <= 5:
            raise StudyError(
                "failures are low scores of reviews rated well and high scores of those rated "
                f"badly, from 1 to 5; not at least {self.rated_at_least} and at most "
                f"{self.rated_at_most}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDimension:
    """A score of every review, (n reviews,), and which of `DIMENSIONS` people's ratings are of."""

    dimension: str
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Reviews of a comparison that a score, Rel unless said otherwise, gets most wrong at `tau`.

    `compared` is that score. `low` and `high` are Q1 and Q4, None where there is no review. The
    others are positions among the comparison's reviews, rising, each (n,): `judged` is all rated
    reviews but those of the ground truth.
    """

    tau: float
    compared: ScoredDimension
    low: float | None
    high: float | None
    judged: NDArray[np.intp]
    underestimated: NDArray[np.intp]
    overestimated: NDArray[np.intp]


def find_failures(
    comparison: CorpusComparison,
    tau: float,
    rule: FailureRule | None = None,
    compared: ScoredDimension | None = None,
) -> Failures:
    """Find the reviews that a score under- and overestimates (section 5.4, appendix E.1).

    `compared` is that score, by default Rel at `tau`.
    """
    chosen = rule or FailureRule()
    if compared is None:
        relevance = comparison.scores([tau])[DIMENSIONS.index("relevance"), 0]
        compared = ScoredDimension("relevance", relevance)
    judged = np.flatnonzero(comparison.is_judged_in(compared.dimension))
    if not judged.size:
        return Failures(tau, compared, None, None, judged, judged, judged)
    scores = compared.scores[judged]
    people = comparison.ratings[judged, DIMENSIONS.index(compared.dimension)]
    low, high = _edges(scores, chosen.bins)
    is_low = (scores <= low) & (scores < scores.max())
    is_under = is_low & (people >= chosen.rated_at_least)
    is_over = (scores > high) & (people <= chosen.rated_at_most)
    return Failures(tau, compared, low, high, judged, judged[is_under], judged[is_over])


def _edges(scores: NDArray[np.float64], bins: FailureBins) -> tuple[float, float]:
    """Upper edge of the lowest of five bins and lower edge of the highest."""
    if bins == "quintiles":
        low, high = np.quantile(scores, [0.2, 0.8])
    else:
        lowest, highest = scores.min(), scores.max()
        low, high = lowest + np.array([0.2, 0.8]) * (highest - lowest)
    return float(low), float(high)


def ratable_scores(table: ReviewTable) -> tuple[str, ...]:
    """Return those of `SCORES` that reviews have, of dimensions that people rated."""
    return tuple(
        score
        for score, dimension in SCORES.items()
        if table.comparison.is_judged_in(dimension).any()
        and (score in DIMENSIONS or not np.isnan(table.metric(score)).any())
    )


def score_of(rows: "pd.DataFrame", score: str) -> ScoredDimension:
    """One of `SCORES` of all reviews; `rows` are those of their table at some tau."""
    return ScoredDimension(SCORES[score], rows[score].to_numpy(dtype=np.float64))


def case_rows(rows: "pd.DataFrame", failures: Failures) -> "pd.DataFrame":
    """The rows with two more columns: `failure` and `gap`.

    A failure is `underestimated`, `overestimated`, or empty where there is none. The gap is the
    score less the rating, which is brought from 1..5 to 0..1: below 0 the metric says less than
    people do. NaN where nobody rated.
    """
    kinds = np.full(len(rows), "", dtype=object)
    kinds[failures.underestimated] = Which.UNDERESTIMATED.value
    kinds[failures.overestimated] = Which.OVERESTIMATED.value
    people = rows[f"human_{failures.compared.dimension}"].to_numpy()
    return rows.assign(failure=kinds, gap=failures.compared.scores - (people - 1) / 4)


def choose_cases(rows: "pd.DataFrame", fitting: NDArray[np.intp], which: Which) -> NDArray[np.intp]:
    """Positions of those of the `fitting` reviews that fail as `which` says.

    The widest gap comes first, reviews that nobody rated last; ties keep the order of the data.
    `rows` are those of `case_rows`.
    """
    which = Which(which)  # a page may hand on its plain text
    chosen = rows.iloc[fitting]
    if which is Which.FAILING:
        chosen = chosen[chosen["failure"] != ""]
    elif which is not Which.ALL:
        chosen = chosen[chosen["failure"] == which.value]
    # NaN sorts behind all numbers.
    order = np.argsort(-chosen["gap"].abs().to_numpy(), kind="stable")
    return chosen.index.to_numpy(dtype=np.intp)[order]
