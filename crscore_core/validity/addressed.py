"""Whether similarity finds what people say a review addresses (section 4.3, Table 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.study.model import HumanStudy
from crscore_core.errors import StatisticsError
from crscore_core.scoring import Encoder, compare_each, split_reviews
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredMatches,
    Estimate,
    number_or_none,
)

__all__ = [
    "AddressedPairs",
    "CurvePoint",
    "MatchingCurve",
    "MatchingRow",
    "addressed_pairs",
    "matching_curve",
    "matching_table",
]

_WORDLESS = -1.0
"""The similarity of a review without sentences to anything: as low as a cosine can be."""


@dataclass(frozen=True, slots=True, eq=False)
class AddressedPairs:
    """Pairs of a review and a pseudo-reference of its change, one after the other.

    `similarity`, (n pairs,), is that of the most similar sentence of the review, and `is_match`
    whether people say that the review addresses the pseudo-reference. `change` numbers the
    `n_changes` changes that have pairs, from 0. `encoder` names what made the similarities.
    """

    encoder: str
    similarity: NDArray[np.float64]
    is_match: NDArray[np.bool_]
    change: NDArray[np.intp]
    n_changes: int


@dataclass(frozen=True, slots=True)
class MatchingRow:
    """How well "more similar than tau" finds what people call addressed; shares from 0 to 1."""

    tau: float
    precision: Estimate
    recall: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the precision-recall curve, with the tau it belongs to."""

    tau: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class MatchingCurve:
    """Precision and recall at rising taus, and what sums them up.

    There are no points where people found no match. `share_of_matches` is the precision of
    calling everything addressed, and the average precision of guessing. `best` is the row of the
    tau with the highest F1, the lowest of several; it was chosen on the pairs it is measured on,
    so its F1 is a bit too high.
    """

    points: tuple[CurvePoint, ...]
    average_precision: Estimate
    share_of_matches: float
    best: MatchingRow


def addressed_pairs(study: HumanStudy, encoder: Encoder) -> AddressedPairs | None:
    """Pair every review for which people noted what it addresses with its pseudo-references.

    The ground truth is left out. Pseudo-references that people called unnecessary are among
    those of the change, since people noted them too. Every distinct text is encoded once. None
    where people noted nothing for any review.
    """
    changes = [
        change for change in study.changes if change.references and change.reviews_with_addressed
    ]
    if not changes:
        return None
    compared = compare_each(
        encoder,
        [
            split_reviews(
                (reference.text for reference in change.references),
                (review.text for review in change.reviews_with_addressed),
            )
            for change in changes
        ],
    )
    similarity, is_match, positions = [], [], []
    for position, (change, comparisons) in enumerate(zip(changes, compared, strict=True)):
        numbers = np.arange(1, len(change.references) + 1)
        for review, comparison in zip(change.reviews_with_addressed, comparisons, strict=True):
            similarity.append(comparison.similarity.max(axis=1, initial=_WORDLESS))
            is_match.append(np.isin(numbers, review.addressed))
            positions.append(np.full(numbers.size, position))
    return AddressedPairs(
        encoder.name,
        np.concatenate(similarity).astype(np.float64),
        np.concatenate(is_match),
        np.concatenate(positions),
        len(changes),
    )


def matching_table(
    pairs: AddressedPairs, taus: Sequence[float], bootstrap: ClusterBootstrap
) -> tuple[MatchingRow, ...]:
    """Precision, recall and F1 at each of `taus` (Table 4); intervals resample changes.

    Raises:
        StatisticsError: the bootstrap is not of the `n_changes` of the pairs, or a tau is not
            finite.
    """
    return _rows(_matches(pairs, bootstrap), taus, bootstrap)


def matching_curve(
    pairs: AddressedPairs, bootstrap: ClusterBootstrap, most_points: int = 200
) -> MatchingCurve:
    """The precision-recall curve of all taus, thinned evenly, and its average precision.

    Average precision is scikit-learn's: no area is interpolated. Intervals resample changes.

    Raises:
        StatisticsError: as for `matching_table`.
    """
    matches = _matches(pairs, bootstrap)
    once = np.ones((1, pairs.n_changes))
    found = matches.at(matches.taus, once)
    precision, recall, f1 = found.precision[0], found.recall[0], np.nan_to_num(found.f1[0])
    thinned = np.linspace(0, f1.size - 1, min(most_points, f1.size)).round().astype(int)
    points = tuple(
        CurvePoint(float(found.taus[at]), float(precision[at]), float(recall[at]))
        for at in np.unique(thinned)
        if not np.isnan(recall[at])
    )
    average = Estimate(
        number_or_none(matches.average_precision(once)[0]),
        bootstrap.interval(matches.average_precision),
    )
    (best,) = _rows(matches, [float(found.taus[f1.argmax()])], bootstrap)
    return MatchingCurve(points, average, float(pairs.is_match.mean()), best)


def _matches(pairs: AddressedPairs, bootstrap: ClusterBootstrap) -> ClusteredMatches:
    if bootstrap.weights.shape[1] != pairs.n_changes:
        raise StatisticsError(
            f"the bootstrap is of {bootstrap.weights.shape[1]} changes, but the pairs are of "
            f"{pairs.n_changes}"
        )
    return ClusteredMatches(pairs.similarity, pairs.is_match, pairs.change)


def _rows(
    matches: ClusteredMatches, taus: Sequence[float], bootstrap: ClusterBootstrap
) -> tuple[MatchingRow, ...]:
    observed = matches.at(taus, np.ones((1, bootstrap.weights.shape[1])))
    resampled = matches.at(taus, bootstrap.weights)

    def estimate(value: NDArray[np.float64], samples: NDArray[np.float64], column: int) -> Estimate:
        return Estimate(number_or_none(value[0, column]), bootstrap.interval_of(samples[:, column]))

    return tuple(
        MatchingRow(
            float(tau),
            estimate(observed.precision, resampled.precision, column),
            estimate(observed.recall, resampled.recall, column),
            estimate(observed.f1, resampled.f1, column),
        )
        for column, tau in enumerate(taus)
    )
