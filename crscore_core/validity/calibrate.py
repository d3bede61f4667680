"""The study -> a model that predicts how relevant its people found a review."""

import hashlib
import json
from collections.abc import Callable, Sequence

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.review_table import calibration_features
from crscore_core.errors import CalibrationError
from crscore_core.predicted.agreement import agreement
from crscore_core.predicted.cross_validation import (
    FOLDS,
    SEEDS,
    scores_by_change,
    scores_by_system,
)
from crscore_core.predicted.fit import RIDGE, fit_model
from crscore_core.predicted.model import CalibratedModel, HeldOut, Provenance
from crscore_core.predicted.rated_reviews import RatedReviews
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import ClusterBootstrap

__all__ = ["CALIBRATION_CLAIMS", "calibrate", "number_of_fits", "rated_reviews"]

CALIBRATION_CLAIMS = ("study", "symbolic")
"""The pseudo-references that reviews are compared with: those of the study, and those that this
package makes of the diffs alone. One model is fitted to both, so that it serves both."""

_COMMAND = "crscore study calibrate"
_DATA = "CRScore human study (Naik et al.), second phase"


def calibrate(
    comparisons: Sequence[CorpusComparison], progress: Callable[[], None] = lambda: None
) -> CalibratedModel:
    """Fit a model to the rated reviews of all comparisons, and measure it on what is left out.

    The comparisons are of one study by one encoder, each with other pseudo-references.
    Agreement is over the reviews that are not the ground truth (paper, section 5.2). `progress`
    is called after each of `number_of_fits` fits.

    Raises:
        CalibrationError: the study is too small, or encoders differ.
    """
    encoders = {comparison.encoder for comparison in comparisons}
    if len(encoders) != 1:
        raise CalibrationError("a model belongs to one encoder; the comparisons are of several")
    reviews = rated_reviews(comparisons)
    ordinal = fit_model(reviews)
    progress()
    scores = {
        "change": scores_by_change(reviews, progress=progress),
        "system": scores_by_system(reviews, progress=progress),
    }
    n_changes = int(reviews.changes.max()) + 1
    bootstrap = ClusterBootstrap(n_changes)
    judged = reviews.systems != GROUND_TRUTH
    held_out = tuple(
        HeldOut(
            left_out,
            comparison.claims,
            agreement(reviews, found, judged & (reviews.claims == comparison.claims), bootstrap),
        )
        for left_out, found in scores.items()
        for comparison in comparisons
    )
    return CalibratedModel(
        encoders.pop(),
        ordinal,
        Provenance(
            data=_DATA,
            sha256=_checksum(comparisons),
            changes=n_changes,
            ratings=max(len(comparison.reviews) for comparison in comparisons),
            claims=tuple(comparison.claims for comparison in comparisons),
            ridge=RIDGE,
            held_out=held_out,
            version=package_version(),
            command=_COMMAND,
        ),
    )


def number_of_fits(comparisons: Sequence[CorpusComparison]) -> int:
    """How many fits `calibrate` needs: one to all, and one without each group."""
    systems = {review.system for one in comparisons for review in one.reviews}
    return 1 + FOLDS * len(SEEDS) + len(systems)


def rated_reviews(comparisons: Sequence[CorpusComparison]) -> RatedReviews:
    """The rated reviews of all comparisons, one after the other, as rows of numbers.

    A change has one number in all of them.
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
    read = [
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
    return hashlib.sha256(json.dumps(read, separators=(",", ":")).encode("ascii")).hexdigest()
