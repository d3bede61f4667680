"""Reviews that a measure gets most wrong, by either of two rules, and what they are like.

`gaps` ranks the reviews by the measure and by people, and takes those whose two ranks are at least
`WIDE` apart. `paper` is the rule of section 5.4 and appendix E.1: reviews in the lowest fifth of
the scores that people rate best, and in the highest fifth that they rate worst. The paper does not
say whether a fifth is of the reviews or of the scale; of the reviews is closer to its figures
(overestimated: 3.74 % in the paper, 3.28 % of the reviews, 1.82 % of the scale). The lowest fifth
includes its upper edge, since half of all scores are 0; for the same reason the highest includes
the highest score.

By both rules, at most a tenth of the judged reviews fail in each direction: the widest gaps.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.data.study import GROUND_TRUTH
from crscore_eval.metrics.traits import has_inline_code
from crscore_eval.statistics import ClusterBootstrap, Estimate
from crscore_eval.table import DIMENSIONS, LABEL, Run, has_ratings, measure_values
from crscore_eval.validity.agreement import correlation, mean, n_words, ratings

if TYPE_CHECKING:
    Numbers = pd.Series[float]

UNDER, OVER = "underestimated", "overestimated"

WIDE = 0.5
"""Smallest gap between a review's two ranks that counts as a failure, as a share of the reviews."""

MAX_SHARE = 0.1
"""Largest share of the judged reviews that fail in one direction."""


def people_to_compare(reviews: pd.DataFrame, measure: str, label: str | None = None) -> "Numbers":
    """Return what people said that a measure is compared with; NaN for the ground truth.

    With `label`, that label (with or without `label_`). Else the ratings in the dimension of the
    measure, or in relevance, or in what people rated. The name of the series says which.

    Raises:
        InputError: nobody rated or labelled the reviews.
    """
    if label is not None:
        name = label if label in reviews else f"{LABEL}{label}"
        if name in reviews and reviews[name].notna().any():
            values: Numbers = reviews[name].astype(float)
            return values.mask(reviews["system"] == GROUND_TRUTH)
        raise InputError(f"no review has the label {label[:80]!r}; choose another")
    for dimension in dict.fromkeys((measure, "relevance", *DIMENSIONS)):
        if dimension in DIMENSIONS:
            rated = ratings(reviews, dimension)
            if rated.notna().any():
                return rated.rename(dimension)
    raise InputError("nobody rated these reviews; rate some, or choose a label")


def rank_gaps(scores: "Numbers", people: "Numbers") -> "Numbers":
    """Return the rank of each review by score less its rank by people, from -1 to 1.

    A rank is the share of judged reviews that are lower; ties count half. Negative if the
    measure ranks the review lower than people do. NaN for a review without score or rating.
    """
    is_judged = scores.notna() & people.notna()
    by_score, by_people = (values.where(is_judged).rank() for values in (scores, people))
    return (by_score - by_people) / max(1, int(is_judged.sum()))


def failures(scores: "Numbers", people: "Numbers", rule: str = "gaps") -> pd.DataFrame:
    """Return the reviews that fail, in order of the table.

    The index is that of the failing reviews: `reviews.loc[failures.index]` selects them. Columns:
    failure (`underestimated` or `overestimated`), gap (see `rank_gaps`), score, people. Nothing
    fails if all scores or all ratings are the same.

    Raises:
        InputError: there is no such rule.
    """
    if rule not in {"gaps", "paper"}:
        raise InputError(f"there is no rule {rule[:80]!r}; choose gaps or paper")
    columns = {"gap": rank_gaps(scores, people), "score": scores, "people": people}
    judged = pd.DataFrame(columns).dropna()
    n_most = int(MAX_SHARE * len(judged))
    if judged.empty or (judged[["score", "people"]].nunique() == 1).any():
        is_under = is_over = judged["gap"].isna()  # nothing tells reviews apart
    elif rule == "paper":
        score, rating = judged["score"], judged["people"]
        lowest, highest = (1.0, 5.0) if people.name in DIMENSIONS else (rating.min(), rating.max())
        low, high = np.quantile(score, [0.2, 0.8])
        is_low = (score <= low) & (score < score.max())
        is_high = ((score > high) | (score == score.max())) & (score > score.min())
        is_under, is_over = is_low & (rating >= highest), is_high & (rating <= lowest)
    else:
        is_under, is_over = judged["gap"] <= -WIDE, judged["gap"] >= WIDE
    widest = judged["gap"].abs().sort_values(ascending=False, kind="stable").index
    kinds = pd.Series("", judged.index)
    for name, fails in ((UNDER, is_under), (OVER, is_over)):
        kinds[widest[fails[widest]][:n_most]] = name
    failing = judged.assign(failure=kinds)[kinds != ""]
    return failing[["failure", "gap", "score", "people"]]


def widest_first(reviews: pd.DataFrame, gaps: "Numbers") -> "pd.Index[int]":
    """Return the index of the reviews with a gap, the widest first, both directions in turn.

    Of equal gaps, the one with the fewest sentences and pseudo-references is first, because it
    shows at a glance what matched.
    """
    pairs = reviews["n_sentences"] * reviews["n_pseudo_references"]
    order = pd.DataFrame({"width": gaps.abs(), "pairs": pairs, "is_over": gaps > 0}).dropna()
    order = order.sort_values(["width", "pairs"], ascending=[False, True], kind="stable")
    return order.groupby("is_over").cumcount().sort_values(kind="stable").index


def failure_cases(run: Run, tau: float | None = None) -> pd.DataFrame | None:
    """Return `failures` of relevance at `tau`, the widest gap first; None if nobody rated."""
    if not has_ratings(run.reviews):
        return None
    scores = measure_values(run.reviews, "relevance", tau)
    failing = failures(scores, people_to_compare(run.reviews, "relevance"))
    return failing.loc[widest_first(run.reviews, failing["gap"])]


def failure_traits(
    reviews: pd.DataFrame,
    scores: "Numbers",
    people: "Numbers",
    failing: pd.DataFrame,
    bootstrap: ClusterBootstrap,
) -> Iterator[tuple[str, str, Estimate]]:
    """Compare failures with all judged reviews and with the rest (appendix E.1).

    Yield row, column and figure. Rows `underestimated`, `overestimated`, `all` and `rest` have
    `reviews` (number), `share` (of the judged ones) and means: pseudo-references, share that quotes
    code, words, sentences. Rows `without` and `within` have the correlations of all but the
    failures, and of the failures. Within, it is negative by construction.
    """
    judged = scores.notna() & people.notna()
    kind = failing["failure"].reindex(reviews.index)
    groups = {UNDER: kind == UNDER, OVER: kind == OVER, "all": judged, "rest": judged & kind.isna()}
    traits = {
        "pseudo_references": reviews["n_pseudo_references"].astype(float),
        "inline_code": reviews["review"].map(has_inline_code).astype(float),
        "words": n_words(reviews),
        "sentences": reviews["n_sentences"].astype(float),
    }
    for name, chosen in groups.items():
        yield name, "reviews", Estimate(float(chosen.sum()))
        yield name, "share", mean(reviews, chosen * 1.0, bootstrap, judged)
        for trait, values in traits.items():
            yield name, trait, mean(reviews, values, bootstrap, chosen)
    for name, chosen in (("without", groups["rest"]), ("within", kind.notna())):
        if chosen.any():
            agreement = correlation(reviews, scores, people, bootstrap, chosen)
            yield name, "spearman", agreement.spearman
            yield name, "kendall", agreement.kendall
