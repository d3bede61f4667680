"""Similarity at finding what people say a review addresses (section 4.3, Table 4)."""

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

_WORDLESS = -1.0
"""The similarity of a review without sentences to anything: as low as a cosine can be."""


@dataclass(frozen=True, slots=True, eq=False)
class AddressedPairs:
    """Pairs of a review and a pseudo-reference of its change, one after the other.

    `similarity`, (n pairs,), is that of the most similar sentence of the review. `is_match` is
    true where people say that the review addresses the pseudo-reference. `change` numbers the
    `n_changes` changes that have pairs, from 0.
    """

    similarity: NDArray[np.float64]
    is_match: NDArray[np.bool_]
    change: NDArray[np.intp]
    n_changes: int


@dataclass(frozen=True, slots=True)
class MatchingRow:
    """Precision, recall and F1 of "more similar than tau" at finding what people call addressed."""

    tau: float
    precision: Estimate
    recall: Estimate
    f1: Estimate


def addressed_pairs(study: HumanStudy, encoder: Encoder) -> AddressedPairs | None:
    """Pair every review for which people noted what it addresses with its pseudo-references.

    The ground truth is left out. Pseudo-references that people called unnecessary count, since
    people noted them too. Every distinct text is encoded once. None where people noted nothing
    for any review.
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
    matches = _matches(pairs, bootstrap)
    found = matches.at(taus, np.vstack([np.ones(pairs.n_changes), bootstrap.weights]))

    def estimate(values: NDArray[np.float64]) -> Estimate:
        return Estimate(number_or_none(values[0]), bootstrap.interval_of(values[1:]))

    columns = zip(taus, found.precision.T, found.recall.T, found.f1.T, strict=True)
    return tuple(MatchingRow(float(tau), *map(estimate, figures)) for tau, *figures in columns)


def average_precision(pairs: AddressedPairs, bootstrap: ClusterBootstrap) -> Estimate:
    """Average precision over all taus; without value where people found no match.

    The definition is scikit-learn's: no area is interpolated. Guessing has the share of matches
    as average precision. Intervals resample changes.

    Raises:
        StatisticsError: the bootstrap is not of the `n_changes` of the pairs.
    """
    return bootstrap.estimate(_matches(pairs, bootstrap).average_precision)


def _matches(pairs: AddressedPairs, bootstrap: ClusterBootstrap) -> ClusteredMatches:
    if bootstrap.weights.shape[1] != pairs.n_changes:
        raise StatisticsError(
            f"the bootstrap is of {bootstrap.weights.shape[1]} changes, but the pairs are of "
            f"{pairs.n_changes}"
        )
    return ClusteredMatches(pairs.similarity, pairs.is_match, pairs.change)
