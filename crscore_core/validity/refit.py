"""People's own ratings -> predicted relevance that is refitted to them, around the shipped model.

Few ratings say little, so slopes are held close to those of the shipped model (`REFIT_RIDGE`), and
thresholds by `PRIOR` ratings' worth of what that model expects. Both were chosen by the simulation
of `benchmarks.refit`: ratings of some languages of the human study, refitted around a model of the
others.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import prediction_features
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.two_orders import FEWEST_RATED, FEWEST_RATED_CHANGES
from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import GradedRows, fit_model
from crscore_core.predicted.model import (
    RATINGS,
    AdditiveModel,
    FittedModel,
    HeldOut,
    Provenance,
)
from crscore_core.predicted.model_file import estimate_document, model_text, shipped_model
from crscore_core.predicted.seen import SeenChanges
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import ClusterBootstrap, ClusteredPairs, Estimate
from crscore_core.validity.fit_predicted import FOLDS, checksum

REFIT_RIDGE = 30.0
"""Weight of the penalty on slopes that differ from the shipped ones."""

PRIOR = 10.0
"""Ratings that the expectations of the shipped model are worth."""

GAINS = "0.001 with 50 ratings, 0.005 with 200 and 0.015 with 800"
"""Mean gain in Spearman by `benchmarks.refit`, for people."""

_VERDICTS = (
    "The refit is not clearly better: stay with the shipped model, or rate more.",
    "The refit is better.",
    "The refit is worse: stay with the shipped model.",
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Refit:
    """Predicted relevance refitted to people's own ratings, beside the shipped model.

    `refitted` and `shipped` are Spearman's rho with the ratings, of reviews whose changes the
    refit had left out; `difference` is the first less the second, in the same resamples of
    changes.
    """

    model: FittedModel
    refitted: Estimate
    shipped: Estimate
    difference: Estimate

    @property
    def ratings(self) -> int:
        """Number of the ratings."""
        return self.model.provenance.ratings

    @property
    def verdict(self) -> str:
        """Say in sentences what the refit is worth, and what one may expect of such a number."""
        return (
            f"Predicted relevance, refitted to {self.ratings:,} ratings of "
            f"{self.model.provenance.changes:,} changes, agrees with them on changes that it left "
            f"out by Spearman {self.refitted}, the shipped model by {self.shipped}: difference "
            f"{self.difference}. {_VERDICTS[self.difference.sign]} On average, simulated with "
            f"the human study, a refit gains {GAINS}."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the figures and the verdict as JSON has them."""
        figures = {
            "refitted": self.refitted,
            "shipped": self.shipped,
            "difference": self.difference,
        }
        return {
            "ratings": self.ratings,
            "changes": self.model.provenance.changes,
            **{name: estimate_document(figure) for name, figure in figures.items()},
            "verdict": self.verdict,
        }

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The files of the folder that `CRSCORE_PREDICTED` may name, by name."""
        return {f"{self.model.predicts}.json": model_text(self.model).encode()}


def too_few(ratings: int, changes: int) -> str:
    """Say why so many ratings of so many changes are no data to refit to; nothing if they are."""
    if ratings >= FEWEST_RATED and changes >= FEWEST_RATED_CHANGES:
        return ""
    return (
        f"{ratings:,} ratings of {changes:,} changes are too few to refit predicted "
        f"relevance: rate {FEWEST_RATED} reviews of {FEWEST_RATED_CHANGES} changes at least"
    )


def refit(comparison: CorpusComparison) -> Refit:
    """Refit predicted relevance to the ratings of a comparison, and measure what that is worth.

    Ratings of relevance count, from 1 to 5, a mean of several for the two grades beside it; those
    of references do not. Measured is by `FOLDS` folds of changes, each predicted without it. The
    ratings should not be those of the human study, which the shipped model knows.

    Raises:
        CalibrationError: there is no shipped model for the encoder, or the ratings are fewer than
            `FEWEST_RATED`, of fewer than `FEWEST_RATED_CHANGES` changes, or all equal.
    """
    shipped = shipped_model("relevance", comparison.encoder)
    if shipped is None:
        raise CalibrationError(
            f"predicted relevance has no model for the encoder {comparison.encoder[:80]!r}; score "
            "the reviews with the embedded one"
        )
    features = prediction_features(comparison)
    rated = comparison.is_judged & np.isfinite(features).all(axis=1)
    people = comparison.ratings[rated, DIMENSIONS.index("relevance")]
    features, places = features[rated], comparison.change[rated]
    changes, change = np.unique(places, return_inverse=True)
    if few := too_few(people.size, changes.size):
        raise CalibrationError(few)
    if np.ptp(people) == 0:
        raise CalibrationError(f"all ratings are {people[0]:g}: nothing can be fitted to them")
    fold = (np.random.default_rng(0).permutation(changes.size) % FOLDS)[change]
    scores = np.empty(people.size)
    for number in range(FOLDS):
        out = fold == number
        scores[out] = fitted_around(shipped.model, features[~out], people[~out]).score(
            features[out]
        )
    bootstrap = ClusterBootstrap(changes.size)
    before, after, difference = bootstrap.compare(
        ClusteredPairs(shipped.model.score(features), people, change).spearman,
        ClusteredPairs(scores, people, change).spearman,
    )
    known = shipped.provenance
    provenance = Provenance(
        data=f"people's own ratings, around: {known.data}",
        sha256=checksum([comparison]),
        changes=changes.size,
        ratings=people.size,
        seen=known.seen.with_others(
            SeenChanges.of([comparison.seen_changes[place] for place in changes])
        ),
        claims=(comparison.claims,),
        added="",
        ridge=REFIT_RIDGE,
        held_out=(HeldOut("change", "own", comparison.claims, people.size, "spearman", after),),
        beside_rel=(),
        version=package_version(),
        command="crscore data fit --ratings",
    )
    model = fitted_around(shipped.model, features, people)
    fitted = FittedModel("relevance", comparison.encoder, model, provenance)
    return Refit(fitted, after, before, difference)


def fitted_around(
    model: AdditiveModel, features: ArrayLike, ratings: Array, ridge: float = REFIT_RIDGE
) -> AdditiveModel:
    """Fit to reviews, (n, n features), and their ratings, (n,), close to a model.

    Beside the ratings stand those that the model expects, `PRIOR` of them in all. So a fit has a
    threshold between grades that nobody gave.
    """
    rows = np.asarray(features, dtype=np.float64)
    above = np.hstack([np.ones((len(rows), 1)), model.above(rows), np.zeros((len(rows), 1))])
    grades = np.arange(len(RATINGS))
    nearness = np.maximum(0, 1 - np.abs(ratings[:, None] - RATINGS[0] - grades))
    weights = nearness - np.diff(above, axis=1) * PRIOR / len(rows)
    repeated = np.repeat(rows, grades.size, axis=0)
    counted = GradedRows(repeated, np.tile(grades, len(rows)), weights.ravel())
    return fit_model(counted, grades.size, ridge, around=model)
