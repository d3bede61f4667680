"""People's own work in the study: codes of claims, double ratings, mean ratings of systems."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means, means_by_system
from crscore_core.datasets.study.model import (
    STUDY_LANGUAGES,
    SYSTEMS,
    ClaimCode,
    HumanStudy,
    SharedRating,
    StudyChange,
)
from crscore_core.errors import InputError
from crscore_eval.statistics import (
    ClusterBootstrap,
    ClusteredRatings,
    Estimate,
    clustered_ratio,
)

_COUNTED = (ClaimCode.CORRECT, ClaimCode.INCORRECT, ClaimCode.UNVERIFIABLE)


@dataclass(frozen=True, slots=True)
class ClaimQuality:
    """Rates in percent of the `claims` that count (section 4.1, Table 1).

    Accuracy, error rate and unverifiable rate are the shares that people call correct, incorrect
    and unverifiable: they sum to 100. The missing rate is the number of claims that people added,
    for every 100 that count; it may exceed 100. Claims that nobody coded, and those that the code
    book calls incomplete or ambiguous (Table 8), count nowhere.
    """

    claims: int
    accuracy: Estimate
    error_rate: Estimate
    unverifiable_rate: Estimate
    missing_rate: Estimate


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Krippendorff's alpha on the ordinal scale, by dimension (section 4.2).

    `reviews` of `changes` changes have two ratings or more. The intervals resample changes; with
    the few that the study has they are rough, and rather too narrow than too wide.
    """

    reviews: int
    changes: int
    alpha: Mapping[str, Estimate]


def claim_quality(changes: Sequence[StudyChange], n_resamples: int = 1000) -> ClaimQuality:
    """Rate the claims of changes by people's codes; intervals resample changes.

    Raises:
        InputError: there is no change.
    """
    if not changes:
        raise InputError("the study has no change whose claims people could have coded")
    bootstrap = ClusterBootstrap(len(changes), n_resamples)
    codes = [[claim.code for claim in change.coded_claims] for change in changes]
    counted = [sum(code in _COUNTED for code in of_change) for of_change in codes]

    def percent(numbers: Sequence[int]) -> Estimate:
        return clustered_ratio([100 * number for number in numbers], counted, bootstrap)

    correct, incorrect, unverifiable = (
        percent([of_change.count(code) for of_change in codes]) for code in _COUNTED
    )
    missing = percent([len(change.added_claims) for change in changes])
    return ClaimQuality(sum(counted), correct, incorrect, unverifiable, missing)


def claim_quality_by_language(
    study: HumanStudy, n_resamples: int = 1000
) -> Mapping[str, ClaimQuality]:
    """Table 1: the quality of claims by language, each key of `STUDY_LANGUAGES` with changes."""
    changes = {
        language: [change for change in study.changes if change.language == language]
        for language in STUDY_LANGUAGES
    }
    return {name: claim_quality(some, n_resamples) for name, some in changes.items() if some}


def rater_agreement(
    ratings: Sequence[SharedRating], n_resamples: int = 1000
) -> RaterAgreement | None:
    """Agreement of raters in each of `DIMENSIONS`; None where they share no review."""
    if not ratings:
        return None
    alpha = {
        name: agreement_on(
            [(rating.change, [getattr(one, name) for one in rating.ratings]) for rating in ratings],
            n_resamples=n_resamples,
        )
        for name in DIMENSIONS
    }
    return RaterAgreement(len(ratings), len({rating.change for rating in ratings}), alpha)


def agreement_on(
    answers: Sequence[tuple[int, Sequence[float]]],
    *,
    is_nominal: bool = False,
    n_resamples: int = 1000,
) -> Estimate:
    """Krippendorff's alpha, ordinal or nominal, of answers; intervals resample changes.

    Each of one or more items has a number of its change, and the answers that two raters or more
    gave.
    """
    change, of_items = zip(*answers, strict=True)
    _, cluster = np.unique(change, return_inverse=True)
    width = max(map(len, of_items))
    table = [[*of_item, *[None] * (width - len(of_item))] for of_item in of_items]
    ratings = ClusteredRatings(table, cluster)
    bootstrap = ClusterBootstrap(int(cluster.max()) + 1, n_resamples)
    return bootstrap.estimate(functools.partial(ratings.alpha, is_nominal=is_nominal))


def human_means(changes: Sequence[StudyChange], n_resamples: int = 1000) -> Means:
    """Each system's mean ratings, brought from 1..5 to 0..1, by dimension (Table 10, left).

    All rated reviews count, those of the ground truth and of changes without pseudo-references
    too. Intervals resample changes.
    """
    rated = [
        (position, review.system, review.rating)
        for position, change in enumerate(change for change in changes if change.is_rated)
        for review in change.reviews
        if review.rating
    ]
    change = np.array([position for position, _, _ in rated])
    names = np.array([system for _, system, _ in rated])
    values = np.array([[getattr(rating, name) for name in DIMENSIONS] for _, _, rating in rated])
    return means_by_system(
        (values.T - 1) / 4,
        names,
        change,
        ClusterBootstrap(int(change.max()) + 1, n_resamples),
        [system for system in SYSTEMS if system in names],
    )
