"""Specificity of pseudo-references: they fit reviews of their own change better than others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring import Encoder, SplitReviews, compare_each
from crscore_core.scoring.metric import harmonic_mean
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_mean

GOOD = 4
"""Relevance, as people rate it, from which a review is surely about its change."""

_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Specificity:
    """Shares over `reviews` reviews rated `GOOD` or better, the ground truth left out.

    `own_fits_better` is the share of all other changes whose pseudo-references fit a review worse
    than its own change's do, and `own_fits_best` the share of reviews that no other change's fit
    as well.
    """

    reviews: int
    own_fits_better: Estimate
    own_fits_best: Estimate


def specificity(
    comparison: CorpusComparison, encoder: Encoder, bootstrap: ClusterBootstrap
) -> Specificity | None:
    """Compare good reviews with the pseudo-references of every change.

    The fit of pseudo-references to a review is its relevance without a threshold: the harmonic
    mean of the mean best similarity of its sentences and that of the pseudo-references. None
    where there is no such review, or only one change.
    """
    is_good = comparison.is_judged & (comparison.ratings[:, _RELEVANCE] >= GOOD)
    good = [
        review
        for review, is_chosen in zip(comparison.reviews, is_good, strict=True)
        if is_chosen and review.sentences
    ]
    references = {review.change: review.references for review in comparison.reviews}
    if not good or len(references) < 2:
        return None
    worded = {
        (change, reference.text): reference.wordings
        for change in references
        for reference in comparison.changes[change].references
        if reference.wordings
    }
    wordings = [
        worded.get((change, text), ()) for change, texts in references.items() for text in texts
    ]
    fit = _fit(
        list(references.values()),
        tuple(wordings) if worded else (),
        [review.sentences for review in good],
        encoder,
    )
    rows = {change: row for row, change in enumerate(references)}
    own = fit[[rows[review.change] for review in good], np.arange(len(good))]
    worse = (fit < own).sum(axis=0)
    others = len(references) - 1
    changes = [review.change for review in good]
    return Specificity(
        len(good),
        clustered_mean(worse / others, changes, bootstrap),
        clustered_mean((worse == others).astype(np.float64), changes, bootstrap),
    )


def _fit(
    references: Sequence[Texts],
    wordings: tuple[Texts, ...],
    reviews: Sequence[Texts],
    encoder: Encoder,
) -> Array:
    """Fit of the pseudo-references of each change to each review: (n changes, n reviews).

    `wordings` are those of all pseudo-references, as `SplitReviews` has them.
    """
    texts = tuple(text for of_change in references for text in of_change)
    sentences = tuple(sentence for review in reviews for sentence in review)
    ((compared,),) = compare_each(encoder, [SplitReviews(texts, (), (sentences,), wordings)])
    similarity = compared.similarity.astype(np.float64)
    best_of_sentences = np.maximum.reduceat(similarity, _starts(references), axis=0)
    best_of_references = np.maximum.reduceat(similarity, _starts(reviews), axis=1)
    return harmonic_mean(
        np.maximum(_means(best_of_sentences.T, reviews).T, 0),
        np.maximum(_means(best_of_references, references), 0),
    )


def _means(rows: Array, groups: Sequence[Texts]) -> Array:
    """The mean of the rows of each group, which follow one another: (n groups, n columns)."""
    sizes = np.array([len(group) for group in groups])
    means: Array = np.add.reduceat(rows, _starts(groups), axis=0) / sizes[:, None]
    return means


def _starts(groups: Sequence[Texts]) -> NDArray[np.intp]:
    """Start of each group of texts; the groups follow one another, and none is empty."""
    return np.cumsum([0, *(len(group) for group in groups[:-1])])
