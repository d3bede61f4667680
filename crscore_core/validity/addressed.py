"""Similarity at finding what people say a review addresses (section 4.3, Table 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.datasets.study.corpus import STUDY_CLAIMS
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.scoring import Encoder, split_sentences
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.similarity import compare
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredMatches,
    Estimate,
    number_or_none,
)
from crscore_core.text import whole_text

_WORDLESS = -1.0
"""The similarity of a review without sentences to anything: as low as a cosine can be."""


@dataclass(frozen=True, slots=True)
class MatchingRow:
    """Precision, recall and F1 of "more similar than tau" at finding what people call addressed."""

    tau: float
    precision: Estimate
    recall: Estimate
    f1: Estimate


def addressed_pairs(study: HumanStudy, encoder: Encoder) -> ClusteredMatches | None:
    """Pair every review for which people noted what it addresses with its pseudo-references.

    The similarity is that of the review's most similar sentence; a match is what people say that
    the review addresses; clusters are the changes that have pairs. The ground truth is left out.
    Pseudo-references that people called unnecessary count, since people noted them too. Every
    distinct text is encoded once. None where people noted nothing for any review.
    """
    changes = [
        change for change in study.changes if change.references and change.reviews_with_addressed
    ]
    if not changes:
        return None
    compared = compare(
        encoder,
        [
            (
                [
                    PseudoReference(reference.text, reference.kind, STUDY_CLAIMS, None, None)
                    for reference in change.references
                ],
                [split_sentences(whole_text(one.text)) for one in change.reviews_with_addressed],
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
    return ClusteredMatches(
        np.concatenate(similarity), np.concatenate(is_match), np.concatenate(positions)
    )


def matching_table(
    pairs: ClusteredMatches, taus: Sequence[float], bootstrap: ClusterBootstrap
) -> tuple[MatchingRow, ...]:
    """Precision, recall and F1 at each of `taus` (Table 4); intervals resample changes.

    Raises:
        InputError: the bootstrap is of fewer clusters than the pairs, or a tau is not finite.
    """
    found = pairs.at(taus, np.vstack([np.ones_like(bootstrap.weights[:1]), bootstrap.weights]))

    def estimate(values: NDArray[np.float64]) -> Estimate:
        return Estimate(number_or_none(values[0]), bootstrap.interval_of(values[1:]))

    columns = zip(taus, found.precision.T, found.recall.T, found.f1.T, strict=True)
    return tuple(MatchingRow(float(tau), *map(estimate, figures)) for tau, *figures in columns)
