"""The study -> a model that predicts how relevant people would find a review."""

import hashlib
import json
from collections.abc import Callable, Sequence

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import calibration_features
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import (
    FOLDS,
    RIDGE,
    SEEDS,
    RatedReviews,
    agreement,
    fit_model,
    scores_by_change,
    scores_by_system,
)
from crscore_core.predicted.model import CalibratedModel, HeldOut, Provenance
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import ClusterBootstrap

CALIBRATION_CLAIMS = ("study", "symbolic")
"""Pseudo-references that reviews are compared with: the study's own, and those that this package
makes of the diffs alone. One model is fitted to both, so that it serves both."""


def calibrate(
    comparisons: Sequence[CorpusComparison], progress: Callable[[], None] = lambda: None
) -> CalibratedModel:
    """Fit a model to the rated reviews of all comparisons, and measure it on what is left out.

    The comparisons are of one study by one encoder, each with other pseudo-references. Agreement
    is over the reviews other than the ground truth (paper, section 5.2), with `count_unscored`.
    `progress` is called after each of `number_of_fits` fits.

    Raises:
        CalibrationError: the study is too small, or encoders differ.
    """
    encoders = {comparison.encoder for comparison in comparisons}
    if len(encoders) != 1:
        raise CalibrationError("a model belongs to one encoder; the comparisons are of several")
    reviews = rated_reviews(comparisons)
    ordinal = fit_model(reviews)
    progress()
    scores_without = {
        "change": scores_by_change(reviews, progress=progress),
        "system": scores_by_system(reviews, progress=progress),
    }
    n_changes = int(reviews.changes.max()) + 1
    bootstrap = ClusterBootstrap(n_changes)
    is_judged = reviews.systems != GROUND_TRUTH
    held_out = []
    for left_out, scores in scores_without.items():
        for comparison in comparisons:
            chosen = is_judged & (reviews.claims == comparison.claims)
            spearman = agreement(reviews, count_unscored(scores), chosen, bootstrap)
            held_out.append(HeldOut(left_out, comparison.claims, int(chosen.sum()), spearman))
    return CalibratedModel(
        encoders.pop(),
        ordinal,
        Provenance(
            data="CRScore human study (Naik et al.), second phase",
            sha256=_checksum(comparisons),
            changes=n_changes,
            ratings=max(len(comparison.reviews) for comparison in comparisons),
            claims=tuple(comparison.claims for comparison in comparisons),
            ridge=RIDGE,
            held_out=tuple(held_out),
            version=package_version(),
            command="crscore study calibrate",
        ),
    )


def number_of_fits(comparisons: Sequence[CorpusComparison]) -> int:
    """Count the fits of `calibrate`: one to all reviews, and one without each group."""
    systems = {review.system for comparison in comparisons for review in comparison.reviews}
    return 1 + FOLDS * len(SEEDS) + len(systems)


def rated_reviews(comparisons: Sequence[CorpusComparison]) -> RatedReviews:
    """Turn the rated reviews of all comparisons, one after the other, into rows of numbers.

    A change has the same number in all comparisons.
    """
    numbers: dict[str, int] = {}
    for comparison in comparisons:
        for change in comparison.changes:
            numbers.setdefault(change.id, len(numbers))
    rows = [(comparison, review) for comparison in comparisons for review in comparison.reviews]
    return RatedReviews(
        np.concatenate([calibration_features(comparison) for comparison in comparisons]),
        np.array([review.ratings.relevance for _, review in rows], dtype=np.intp),
        np.array(
            [numbers[comparison.changes[review.change].id] for comparison, review in rows],
            dtype=np.intp,
        ),
        np.array([review.system for _, review in rows], dtype=np.str_),
        np.array([comparison.claims for comparison, _ in rows], dtype=np.str_),
    )


def _checksum(comparisons: Sequence[CorpusComparison]) -> str:
    """SHA-256 of every text and rating that a fit reads."""
    rows = [
        [
            comparison.claims,
            comparison.changes[review.change].id,
            review.system,
            review.text,
            review.ratings.relevance,
            review.references,
        ]
        for comparison in comparisons
        for review in comparison.reviews
    ]
    return hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode("ascii")).hexdigest()
