"""Reviews that a measure gets most wrong, by either of two rules.

`widest_gaps` ranks the reviews by the measure and by people, and takes those whose two ranks lie
furthest apart. It finds failures wherever the two orders differ.

`paper_failures` is the rule of section 5.4 and appendix E.1: reviews in the lowest fifth of the
scores that people rate best, and in the highest fifth that they rate worst. The paper does not say
whether a fifth is of the reviews or of the scale. On 1,647 reviews of the study, with
all-MiniLM-L6-v2 and tau_best, they give:

                                          paper  of reviews  of the scale
    underestimated                        0.61 %      0.55 %        0.55 %
    overestimated                         3.74 %      3.28 %        1.82 %
    Kendall's tau-b within both         -0.5403     -0.5541       -0.7158
    inline code where overestimated         45 %        44 %          47 %

So it is most likely of the reviews, as here. The lowest fifth includes its upper edge: half of all
scores are 0 here, and nothing is below that. For the same reason the highest fifth includes the
highest score. Of a label, the highest and the lowest value take the place of the ratings 5 and 1.

Neither rule finds anything where all scores are the same, or all ratings.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import measured_values
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import Reviews
from crscore_core.errors import InputError
from crscore_eval.statistics.disagreement import rank_shares

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
Positions = NDArray[np.intp]

USUAL_GAPS = 20
"""Reviews in each direction that `widest_gaps` takes unless told otherwise."""


class Which(StrEnum):
    """Choice of reviews to look at."""

    FAILING = "failing"
    UNDERESTIMATED = "underestimated"
    OVERESTIMATED = "overestimated"
    ALL = "all"


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScore:
    """A measure of every review, and people's rating or label of it, both (n reviews,).

    NaN where there is none. `title` names what people said. `lowest` and `highest` are the ends of
    its scale: 1 and 5 of ratings, else the values that occur.
    """

    title: str
    scores: Array
    people: Array
    lowest: float = 1.0
    highest: float = 5.0

    @classmethod
    def of(
        cls, comparison: Reviews, measure: str, tau: float, label: str | None = None
    ) -> "JudgedScore":
        """Put a measure beside people's ratings, or beside a label.

        Conciseness and comprehensiveness are put beside the ratings of the same name where there
        are any, other measures beside relevance, or else beside what people rated.

        Raises:
            InputError: there is no such measure.
            InputError: nobody rated or labelled the reviews.
        """
        scores = measured_values(comparison, measure, tau)
        if label is not None and label in comparison.labels:
            values = [review.labels.get(label, np.nan) for review in comparison]
            people = np.array(values, dtype=np.float64)
            ends = float(np.nanmin(people)), float(np.nanmax(people))
            return cls(f"label {label}", scores, people, *ends)
        for name in dict.fromkeys((measure, "relevance", *DIMENSIONS)) if label is None else ():
            if name in DIMENSIONS and comparison.is_judged_in(name).any():
                people = comparison.ratings[:, DIMENSIONS.index(name)]
                return cls(f"people's {name}", scores, people)
        raise InputError(f"nobody {'rated' if label is None else 'labelled'} these reviews")


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Reviews of a comparison that a measure gets most wrong.

    `judged` has the positions of the reviews with a score and a rating or label, those of the
    ground truth left out. `gap`, (n reviews,), is the rank of each by score less its rank by
    people, see `rank_shares`: below 0 the measure says less than people do; NaN for reviews that
    are not judged. `underestimated` and `overestimated` are positions, rising. `edges` are the
    paper's Q1 and Q4, None by another rule.
    """

    compared: JudgedScore
    judged: Positions
    gap: Array
    underestimated: Positions
    overestimated: Positions
    edges: tuple[float, float] | None = None

    @property
    def both(self) -> Positions:
        """Positions of all failures, rising."""
        return np.union1d(self.underestimated, self.overestimated)

    def chosen(self, which: Which) -> Positions:
        """Return the positions of the reviews that fail as `which` says, rising."""
        return {
            Which.FAILING: self.both,
            Which.UNDERESTIMATED: self.underestimated,
            Which.OVERESTIMATED: self.overestimated,
            Which.ALL: np.arange(self.gap.size),
        }[Which(which)]  # a page may hand on its plain text


def widest_gaps(comparison: Reviews, compared: JudgedScore, number: int = USUAL_GAPS) -> Failures:
    """Find the reviews whose ranks by score and by people differ most, in each direction.

    At most `number` each; of equal gaps those first in the data.
    """
    judged, gap = _judged(comparison, compared)
    if _tells_nothing(compared, judged):
        return Failures(compared, judged, gap, judged[:0], judged[:0])
    widest = judged[np.argsort(-np.abs(gap[judged]), kind="stable")]
    under, over = widest[gap[widest] < 0], widest[gap[widest] > 0]
    return Failures(compared, judged, gap, np.sort(under[:number]), np.sort(over[:number]))


def paper_failures(comparison: Reviews, compared: JudgedScore) -> Failures:
    """Find failures by the paper's rule: fifths of the scores, and the ends of people's scale."""
    judged, gap = _judged(comparison, compared)
    scores, people = compared.scores[judged], compared.people[judged]
    edges = tuple(np.quantile(scores, [0.2, 0.8]).tolist()) if judged.size else None
    if edges is None or _tells_nothing(compared, judged):
        return Failures(compared, judged, gap, judged[:0], judged[:0], edges)
    is_low = (scores <= edges[0]) & (scores < scores.max())
    is_high = ((scores > edges[1]) | (scores == scores.max())) & (scores > scores.min())
    return Failures(
        compared,
        judged,
        gap,
        judged[is_low & (people >= compared.highest)],
        judged[is_high & (people <= compared.lowest)],
        edges,
    )


def _judged(comparison: Reviews, compared: JudgedScore) -> tuple[Positions, Array]:
    is_known = ~np.isnan(compared.people) & ~np.isnan(compared.scores)
    judged = np.flatnonzero(is_known & comparison.is_of_a_system)
    gap = np.full(compared.scores.size, np.nan)
    gap[judged] = rank_shares(compared.scores[judged]) - rank_shares(compared.people[judged])
    return judged, gap


def _tells_nothing(compared: JudgedScore, judged: Positions) -> bool:
    return not judged.size or any(
        np.ptp(values[judged]) == 0 for values in (compared.scores, compared.people)
    )


def case_rows(rows: "pd.DataFrame", failures: Failures) -> "pd.DataFrame":
    """Return the rows with two more columns: `failure`, a value of `Which` or empty, and `gap`."""
    kinds = np.full(len(rows), "", dtype=object)
    kinds[failures.underestimated] = Which.UNDERESTIMATED.value
    kinds[failures.overestimated] = Which.OVERESTIMATED.value
    return rows.assign(failure=kinds, gap=failures.gap)
