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
For the same reason the highest bin holds the highest score that there is: where a fifth of all
scores or more are 1, Q4 is 1. A review with the highest score stays out of the lowest bin, and one
with the lowest out of the highest: where all scores are equal both bins are empty. Equally wide
bins do not move with the scores of other reviews.

A label takes the place of a rating in the same way: its highest value that of a 5, and its lowest
that of a 1. Of a binary label, reviews labelled 1 in the lowest bin are underestimated, and those
labelled 0 in the highest bin overestimated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import label_column, label_name
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

FailureBins = Literal["quintiles", "equal_width"]

SCORES: Mapping[str, str] = {
    "relevance": "relevance",
    "no_threshold": "relevance",
    "conciseness": "conciseness",
    "comprehensiveness": "comprehensiveness",
}
"""The columns of a `ReviewTable` that are compared with people, and the dimension rated."""

_PEOPLE = "human_"
_MOST_LEVELS = 10


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
    from 1 to 5, or values of the label that is compared.

    Raises:
        StudyError: there are no such bins, or the values are not in order.
    """

    bins: FailureBins = "quintiles"
    rated_at_least: float = 5
    rated_at_most: float = 1

    def __post_init__(self) -> None:
        if self.bins not in get_args(FailureBins):
            raise StudyError(f"no bins {self.bins!r}; there are {', '.join(get_args(FailureBins))}")
        if not self.rated_at_most < self.rated_at_least:
            raise StudyError(
                "failures are low scores of reviews rated well and high scores of those rated "
                f"badly; not at least {self.rated_at_least:g} and at most {self.rated_at_most:g}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScore:
    """A score of every review beside people's rating or label of it, both (n reviews,).

    `column` of a `ReviewTable` holds the latter, ratings or a label; NaN where there is none.
    `lowest` and `highest` are the ends of its scale: 1 and 5 of ratings, else those that occur.
    """

    column: str
    scores: NDArray[np.float64]
    people: NDArray[np.float64]
    lowest: float = 1.0
    highest: float = 5.0

    @property
    def dimension(self) -> str | None:
        """The one of `DIMENSIONS` that was rated, None for a label."""
        return self.column.removeprefix(_PEOPLE) if self.column.startswith(_PEOPLE) else None

    @property
    def title(self) -> str:
        """Words for what people say; the name of a label is as somebody typed it."""
        if self.dimension is None:
            return f"label {label_name(self.column)}"
        return f"people's {self.dimension}"


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Reviews of a comparison that a score, Rel unless said otherwise, gets most wrong at `tau`.

    `compared` is that score. `low` and `high` are Q1 and Q4, None where there is no review. The
    others are positions among the comparison's reviews, rising, each (n,): `judged` is all rated
    or labelled reviews but those of the ground truth.
    """

    tau: float
    compared: JudgedScore
    low: float | None
    high: float | None
    judged: NDArray[np.intp]
    underestimated: NDArray[np.intp]
    overestimated: NDArray[np.intp]

    @property
    def any(self) -> bool:
        """True if any review fails."""
        return bool(self.underestimated.size or self.overestimated.size)


def find_failures(
    comparison: CorpusComparison,
    tau: float,
    rule: FailureRule | None = None,
    compared: JudgedScore | None = None,
) -> Failures:
    """Find the reviews that a score under- and overestimates (section 5.4, appendix E.1).

    `compared` is that score, by default Rel at `tau`.
    """
    chosen = rule or FailureRule()
    if compared is None:
        at = DIMENSIONS.index("relevance")
        relevance, people = comparison.scores([tau])[at, 0], comparison.ratings[:, at]
        compared = JudgedScore(f"{_PEOPLE}relevance", relevance, people)
    is_judged = ~np.isnan(compared.people) & comparison.rated_maxima.is_of_a_system
    judged = np.flatnonzero(is_judged)
    if not judged.size:
        return Failures(tau, compared, None, None, judged, judged, judged)
    scores = compared.scores[judged]
    people = compared.people[judged]
    low, high = _edges(scores, chosen.bins)
    is_low = (scores <= low) & (scores < scores.max())
    is_under = is_low & (people >= chosen.rated_at_least)
    is_high = ((scores > high) | (scores == scores.max())) & (scores > scores.min())
    is_over = is_high & (people <= chosen.rated_at_most)
    return Failures(tau, compared, low, high, judged, judged[is_under], judged[is_over])


def strictest_rule(
    comparison: CorpusComparison,
    compared: JudgedScore,
    bins: FailureBins,
    levels: Sequence[float],
    limits: tuple[float | None, float | None] = (None, None),
) -> FailureRule:
    """Return the strictest rule by which any review fails, the strictest of all where none does.

    `levels` are the values of the scale, rising, at least two. `limits` are `rated_at_least` and
    `rated_at_most` if they are given; else they go from the ends of the scale to its middle, or
    to the one that is given.

    Raises:
        StudyError: the limits given are not in order.
    """
    strictest, *others = [
        (
            levels[-1 - step] if limits[0] is None else limits[0],
            levels[step] if limits[1] is None else limits[1],
        )
        for step in range(len(levels) // 2)
    ]
    looser = [(good, bad) for good, bad in others if bad < good]
    rules = [FailureRule(bins, good, bad) for good, bad in (strictest, *looser)]
    for rule in rules:
        if find_failures(comparison, 0.0, rule, compared).any:
            return rule
    return rules[0]


def _edges(scores: NDArray[np.float64], bins: FailureBins) -> tuple[float, float]:
    """Upper edge of the lowest of five bins and lower edge of the highest."""
    if bins == "quintiles":
        low, high = np.quantile(scores, [0.2, 0.8])
    else:
        lowest, highest = scores.min(), scores.max()
        low, high = lowest + np.array([0.2, 0.8]) * (highest - lowest)
    return float(low), float(high)


def ratable_scores(table: ReviewTable, label: str | None = None) -> tuple[str, ...]:
    """Return those of `SCORES` whose dimension people rated.

    For a label, all of them; none where no review but the ground truth's has the label.
    """
    reviews = zip(
        table.comparison.reviews, table.comparison.rated_maxima.is_of_a_system, strict=True
    )
    is_labelled = any(is_a_system and label in review.labels for review, is_a_system in reviews)
    return tuple(
        score
        for score, dimension in SCORES.items()
        if (is_labelled if label else table.comparison.is_judged_in(dimension).any())
    )


def score_of(rows: "pd.DataFrame", score: str, label: str | None = None) -> JudgedScore:
    """One of `SCORES` of all reviews, beside the rating of its dimension, or beside a label.

    `rows` are those of their table at some tau.
    """
    scores = rows[score].to_numpy(dtype=np.float64)
    column = label_column(label) if label else f"{_PEOPLE}{SCORES[score]}"
    people = rows[column].to_numpy(dtype=np.float64)
    if not label:
        return JudgedScore(column, scores, people)
    return JudgedScore(column, scores, people, float(np.nanmin(people)), float(np.nanmax(people)))


def levels_of(people: NDArray[np.float64]) -> tuple[float, ...]:
    """Values of a label to choose limits among, rising: all, or four that cut many into fifths.

    Where these four are the same, the two lowest.
    """
    known = people[~np.isnan(people)]
    levels = np.unique(known)
    if levels.size > _MOST_LEVELS:
        fifths = np.unique(np.quantile(known, [0.2, 0.4, 0.6, 0.8], method="nearest"))
        levels = fifths if fifths.size > 1 else levels[:2]
    return tuple(levels.tolist())


def case_rows(rows: "pd.DataFrame", failures: Failures) -> "pd.DataFrame":
    """The rows with two more columns: `failure` and `gap`.

    A failure is `underestimated`, `overestimated`, or empty where there is none. The gap is the
    score less the rating or label, whose scale is brought to 0..1: below 0 the metric says less
    than people do. NaN where nobody judged.
    """
    kinds = np.full(len(rows), "", dtype=object)
    kinds[failures.underestimated] = Which.UNDERESTIMATED.value
    kinds[failures.overestimated] = Which.OVERESTIMATED.value
    compared = failures.compared
    width = (compared.highest - compared.lowest) or 1.0
    gap = compared.scores - (compared.people - compared.lowest) / width
    return rows.assign(failure=kinds, gap=gap)


def unjudged_rows(rows: "pd.DataFrame", measure: str, other: str) -> "pd.DataFrame":
    """The rows of reviews that nobody judged, with `failure`, empty, and `gap`.

    The gap is the rank of the column `measure` less that of `other`, both among all rows and from
    0 to 1; NaN where one of the two has no value.
    """
    ranks = rows[[measure, other]].rank(pct=True)
    return rows.assign(failure="", gap=ranks[measure] - ranks[other])


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
