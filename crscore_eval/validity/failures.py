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

from crscore_core.errors import InputError
from crscore_eval.table import (
    DIMENSIONS,
    LABEL_PREFIX,
    Run,
    has_ratings,
    is_by_system,
    measure_values,
    no_ratings_error,
)
from crscore_eval.validity.agreement import Numbers, system_ratings

UNDER, OVER = "underestimated", "overestimated"

WIDE = 0.5
"""Minimum gap of a failure, as a share of the widest possible gap in its direction."""


def ratings_or_label(reviews: pd.DataFrame, measure: str, label: str | None = None) -> Numbers:
    """Return the ratings or the label that a measure is compared with; NaN for the ground truth.

    If `label` is given (with or without `label_`), it is that column. Otherwise, it is the ratings
    in the measure's dimension, else in relevance, else in any rated one, which names the series.

    Raises:
        InputError: nobody rated or labelled the reviews.
    """
    if label is not None:
        name = label if label in reviews else f"{LABEL_PREFIX}{label}"
        if name in reviews and reviews[name].notna().any():
            values: Numbers = reviews[name].astype(float)
            return values.where(is_by_system(reviews))
        raise InputError(f"no review has the label {label[:80]!r}", "choose another")
    for dimension in dict.fromkeys((measure, "relevance", *DIMENSIONS)):
        if dimension in DIMENSIONS:
            ratings = system_ratings(reviews, dimension)
            if ratings.notna().any():
                return ratings.rename(dimension)
    raise no_ratings_error(reviews)


def rank_gaps(scores: Numbers, ratings: Numbers) -> Numbers:
    """Return the rank of each review by score minus its rank by people, from -1 to 1.

    A rank is the share of judged reviews that are lower; ties count half. The gap is negative if
    the measure ranks the review lower than people do, and NaN without a score or rating.
    """
    ranks = _ranks(scores, ratings)
    gaps = (ranks["score"] - ranks["people"]) / len(ranks)
    return gaps.reindex(scores.index)


def widest_possible(scores: Numbers, ratings: Numbers) -> tuple[float, float]:
    """Return the widest gaps that any pairing of these scores and ratings gives, from 0 to 1.

    The first is of a review with the lowest score and the highest rating, the second of one with
    the highest score and the lowest rating. Ties narrow both.
    """
    ranks = _ranks(scores, ratings)
    low, high = ranks.agg(["min", "max"]).to_numpy()
    under, over = np.fmax(high[::-1] - low, 0) / max(1, len(ranks))
    return float(under), float(over)


def _ranks(scores: Numbers, ratings: Numbers) -> pd.DataFrame:
    """Return the ranks of the reviews that have both."""
    return pd.DataFrame({"score": scores, "people": ratings}, dtype=float).dropna().rank()


def failing_reviews(
    scores: Numbers,
    ratings: Numbers,
    rule: str = "gaps",
    scale: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return a row for each review that fails, with its index and in the order of the table.

    `scale` has the worst and the best rating for the rule `paper`, by default those in `ratings`.
    Columns: failure (`underestimated` or `overestimated`), gap (from `rank_gaps`), score, people.
    Nothing fails if all scores or all ratings are equal.

    Raises:
        InputError: there is no such rule.
    """
    if rule not in {"gaps", "paper"}:
        raise InputError(f"there is no rule {rule[:80]!r}", "choose gaps or paper")
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
        is_under, is_over = judged["gap"] <= -WIDE * under, judged["gap"] >= WIDE * over
    failure = pd.Series("", judged.index).mask(is_under, UNDER).mask(is_over, OVER)
    failing = judged.assign(failure=failure)[failure != ""]
    return failing[["failure", "gap", "score", "people"]]


def widest_first(reviews: pd.DataFrame, gaps: Numbers) -> "pd.Index[int]":
    """Return the index of the reviews with a gap, the widest first, directions alternating.

    Of equal gaps, the review with the fewest pairs of sentence and pseudo-reference is first,
    because it is the easiest to read.
    """
    n_pairs = reviews["n_sentences"] * reviews["n_pseudo_references"]
    order = pd.DataFrame({"width": gaps.abs(), "n_pairs": n_pairs, "is_over": gaps > 0}).dropna()
    order = order.sort_values(["width", "n_pairs"], ascending=[False, True], kind="stable")
    is_later = order["is_over"] != bool(order["is_over"].iloc[:1].sum())
    order = order.assign(turn=order.groupby("is_over").cumcount(), is_later=is_later)
    return order.sort_values(["turn", "is_later"], kind="stable").index


def failure_cases(run: Run, tau: float | None = None) -> pd.DataFrame | None:
    """Return `failing_reviews` by relevance, the widest gap first; None if nobody rated."""
    if not has_ratings(run.reviews):
        return None
    scores = measure_values(run.reviews, "relevance", tau)
    failing = failing_reviews(scores, ratings_or_label(run.reviews, "relevance"))
    return failing.loc[widest_first(run.reviews, failing["gap"])]
