"""What sets failures of the metric apart, and what they do to it (section 5.4, appendix E.1)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import has_inline_code
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_mean
from crscore_core.validity.correlations import Correlation, correlate
from crscore_core.validity.failures import Failures

__all__ = ["FailureStudy", "ReviewTraits", "study_failures"]


@dataclass(frozen=True, slots=True)
class ReviewTraits:
    """Means over some reviews: how many they are, and what they are like.

    `share` is of all reviews that were looked at, `inline_code` of these reviews, both from 0 to
    1. `pseudo_references` counts those that each review is compared with, `words` what blanks
    separate, and `sentences` those that the metric sees.
    """

    cases: int
    share: Estimate
    pseudo_references: Estimate
    inline_code: Estimate
    words: Estimate
    sentences: Estimate


@dataclass(frozen=True, slots=True)
class FailureStudy:
    """Failures beside all reviews, and beside `rest`, those that are none.

    What sets failures apart shows beside the rest, as they are among all themselves; the paper
    has figures of all. Intervals resample changes.

    `without` is the correlation of the score with people's ratings over all reviews but the
    ground truth and the failures, `within` that of the failures alone; None where there are none.
    Within, it is negative by construction: low scores were chosen for high ratings, and the
    other way round.
    """

    underestimated: ReviewTraits
    overestimated: ReviewTraits
    all: ReviewTraits
    rest: ReviewTraits
    without: Correlation | None
    within: Correlation | None


def study_failures(
    comparison: CorpusComparison, failures: Failures, bootstrap: ClusterBootstrap
) -> FailureStudy:
    """Compare failures, found in `comparison`, with all its reviews and with the others.

    Raises:
        StatisticsError: the bootstrap is of fewer changes than the comparison.
    """
    both = np.union1d(failures.underestimated, failures.overestimated)
    rest = np.setdiff1d(failures.judged, both)
    scores, change = failures.compared.scores, comparison.change
    people = comparison.ratings[:, DIMENSIONS.index(failures.compared.dimension)]

    def traits(chosen: NDArray[np.intp]) -> ReviewTraits:
        return _traits(comparison, chosen, failures.judged, bootstrap)

    def correlation(chosen: NDArray[np.intp]) -> Correlation | None:
        return correlate(scores[chosen], people[chosen], change[chosen], bootstrap)

    return FailureStudy(
        traits(failures.underestimated),
        traits(failures.overestimated),
        traits(failures.judged),
        traits(rest),
        correlation(rest),
        correlation(both),
    )


def _traits(
    comparison: CorpusComparison,
    chosen: NDArray[np.intp],
    judged: NDArray[np.intp],
    bootstrap: ClusterBootstrap,
) -> ReviewTraits:
    reviews = [comparison.reviews[at] for at in chosen]

    def mean(trait: Callable[[ComparedReview], int]) -> Estimate:
        values = [trait(review) for review in reviews]
        return clustered_mean(values, comparison.change[chosen], bootstrap)

    return ReviewTraits(
        len(reviews),
        clustered_mean(np.isin(judged, chosen), comparison.change[judged], bootstrap),
        mean(lambda one: len(one.references)),
        mean(lambda one: has_inline_code(one.text)),
        mean(lambda one: len(one.text.split())),
        mean(lambda one: len(one.sentences)),
    )
