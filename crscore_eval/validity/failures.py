"""Failures: reviews on which a measure and people differ most, by two rules.

`gaps` ranks the reviews by the measure and by people; a review fails if the gap between its ranks
is at least half of the widest that ties allow in its direction. `paper` is the rule of section 5.4
and appendix E.1: a review fails if people rate it best and its score is in the lowest fifth, or if
they rate it worst and its score is in the highest fifth. The reviews, not the scale, are divided
into fifths, which is closer to the paper's figures. The lowest fifth includes its upper edge, since
half of all scores are 0; for the same reason, the highest fifth includes the highest score.
"""

import numpy as np
import pandas as pd

from crscore_core.text import counted
from crscore_eval.formatting import capitalize_first
from crscore_eval.metrics.values import label_heading, labels_by_name
from crscore_eval.statistics.bootstrap import ROUNDING
from crscore_eval.table import LABEL_PREFIX
from crscore_eval.table.measures import label_title
from crscore_eval.validity.agreement import Numbers

UNDER, OVER = "underestimated", "overestimated"

WIDE = 0.5
"""Minimum gap of a failure, as a share of the widest possible gap in its direction."""


def judgements(
    reviews: pd.DataFrame, measure: str, scores: Numbers, decides: str
) -> dict[str, Numbers]:
    """Return people's ratings and the labels of the reviews with a score, by heading.

    The first is the label that `decides` the order of systems, if it is one, else the ratings in
    the dimension of the `measure` with these scores, else those of relevance. The measure itself is
    left out.
    """
    found = labels_by_name(reviews)
    decides = label_title(decides) if decides.startswith(LABEL_PREFIX) else measure
    names = dict.fromkeys([decides, measure, "relevance", *found])
    has_score = scores.notna()
    return {
        label_heading(reviews, name).replace("label", "the label", 1): found[name].where(has_score)
        for name in names
        if name in found and f"{LABEL_PREFIX}{name}" != measure
    }


def describe_failures(names: str, scores: Numbers, people: Numbers, failing: pd.DataFrame) -> str:
    """State how many reviews fail; `names` are the titles of the measure and of the ratings."""
    both = pd.DataFrame({"score": scores, "people": people}).dropna()
    if 1 in both.nunique().to_numpy():
        return f"{capitalize_first(names)} cannot disagree: all values of one of them are equal"
    of_all = f"{len(failing) or 'none'} of the {counted(len(both), 'review')} that have both"
    return f"{capitalize_first(names)} disagree widely on {of_all}"


def rank_gaps(scores: Numbers, ratings: Numbers) -> Numbers:
    """Return the rank of each review by score minus its rank by people, from -1 to 1.

    A rank is the share of judged reviews that are lower; ties count half. The gap is negative if
    the measure ranks the review lower than people do, and NaN without a score or rating.
    """
    ranks = _ranks(scores, ratings)
    return (ranks["score"] - ranks["people"]).reindex(scores.index)


def widest_possible(scores: Numbers, ratings: Numbers) -> tuple[float, float]:
    """Return the widest gaps that any pairing of these scores and ratings gives, from 0 to 1.

    The first is of a review with the lowest score and the highest rating, the second of one with
    the highest score and the lowest rating. Ties narrow both.
    """
    low, high = _ranks(scores, ratings).agg(["min", "max"]).to_numpy()
    under, over = np.fmax(high[::-1] - low, 0)
    return float(under), float(over)


def _ranks(scores: Numbers, ratings: Numbers) -> pd.DataFrame:
    """Return the ranks, from 0 to 1, of the reviews that have both."""
    return pd.DataFrame({"score": scores, "people": ratings}, dtype=float).dropna().rank(pct=True)


def failing_reviews(
    scores: Numbers, ratings: Numbers, rule: str = "gaps", scale: tuple[float, float] | None = None
) -> pd.DataFrame:
    """Return a row for each review that fails, with its index and in the order of the table.

    `rule` is `gaps` or `paper`. For `paper`, `scale` has the worst and the best rating, by default
    those in `ratings`. Columns: failure (`underestimated` or `overestimated`), gap (from
    `rank_gaps`), score, people. Nothing fails if all scores or all ratings are equal.
    """
    columns = {"gap": rank_gaps(scores, ratings), "score": scores, "people": ratings}
    judged = pd.DataFrame(columns).dropna()
    if judged.empty or (judged[["score", "people"]].nunique() == 1).any():
        is_under = is_over = judged["gap"].isna()  # none fails
    elif rule == "paper":
        score, rating = judged["score"], judged["people"]
        lowest, highest = scale or (rating.min(), rating.max())
        low, high = np.quantile(score, [0.2, 0.8])
        is_low = (score <= low) & (score < score.max())
        is_high = ((score > high) | (score == score.max())) & (score > score.min())
        is_under, is_over = is_low & (rating >= highest), is_high & (rating <= lowest)
    else:
        under, over = widest_possible(scores, ratings)
        gap = judged["gap"]
        is_under, is_over = gap <= ROUNDING - WIDE * under, gap >= WIDE * over - ROUNDING
    failure = pd.Series("", judged.index).mask(is_under, UNDER).mask(is_over, OVER)
    return judged.assign(failure=failure)[failure != ""]
