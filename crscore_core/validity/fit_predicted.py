"""Data sets with labels -> models of predicted ratings, and their agreement on what is left out.

Relevance is fitted to the ratings of the human study, the three probabilities to the labels of
ClearCRC. Fits of relevance see all made-up reviews of `labelled_rows`, fits of the probabilities
the copies of one in `COPIED_EVERY` patches.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import RIDGE, fit_models
from crscore_core.predicted.model import (
    AdditiveModel,
    BesideRel,
    FittedModel,
    HeldOut,
    Provenance,
    Transfer,
)
from crscore_core.predicted.seen import SeenChanges
from crscore_core.scoring import Encoder
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import ClusterBootstrap, ClusteredMatches, ClusteredPairs
from crscore_core.statistics.bootstrap import Statistic
from crscore_core.statistics.decisions import ClusteredDecisions
from crscore_core.validity.labelled_rows import (
    LABELS,
    MADE_UP,
    STUDY,
    LabelledRows,
    labelled_rows,
)

FIT_CLAIMS = ("study", "symbolic")
"""Pseudo-references that reviews of the study are compared with: its own, and those that this
package makes of the diffs alone. One model is fitted to both, so that it serves both."""

FOLDS = 5
"""Number of groups of changes that are left out in turn."""

STUDY_RIDGE = 100.0
"""Weight of the penalty of relevance, see `RIDGE`."""

COPIED_EVERY = 10
"""Fits of the probabilities see the copies of one patch in this many."""

_CLEARCRC = "clearcrc"
_RIDGES = {STUDY: STUDY_RIDGE, _CLEARCRC: RIDGE}
_ADDED = {
    STUDY: "each review beside another change, and reviews that copy change or claims, as rated 1",
    _CLEARCRC: f"reviews that copy change or claims of one patch in {COPIED_EVERY}, as labelled 0",
}

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FittedPredictions:
    """The models of all predictions, in order, and the transfer table of relevance."""

    models: tuple[FittedModel, ...]
    transfer: tuple[Transfer, ...]


def fit_predictions(
    study: Sequence[CorpusComparison],
    clearcrc: CorpusComparison,
    encoder: Encoder,
    progress: Callable[[], None] = lambda: None,
) -> FittedPredictions:
    """Fit all models, and measure them on what is left out; `progress` is called after each fit.

    The comparisons of the study are by the same encoder, each with other pseudo-references.

    Raises:
        CalibrationError: the data are too small, or encoders differ.
        EncoderError: the encoder cannot be loaded.
    """
    if {comparison.encoder for comparison in (*study, clearcrc)} != {encoder.name}:
        raise CalibrationError("models belong to one encoder; the comparisons are of several")
    fitting = _Fitting(
        labelled_rows(STUDY, study, encoder),
        labelled_rows(_CLEARCRC, [clearcrc], encoder),
        progress,
    )
    rated = fitting.study
    relevance = fitting.fitted([(rated, "relevance", np.ones_like(rated.is_made))])[0]
    by_change = fitting.held_out(rated, "relevance", fitting.folds(rated))
    by_system = fitting.held_out(rated, "relevance", fitting.systems())
    models = [
        FittedModel(
            "relevance",
            encoder.name,
            relevance,
            _provenance(
                "CRScore human study (Naik et al.), second phase",
                STUDY,
                study,
                (
                    *fitting.spearman("change", by_change),
                    *fitting.spearman("system", by_system),
                ),
                fitting.beside_rel(relevance, by_change),
            ),
        )
    ]
    for name, label in LABELS.items():
        rows = fitting.clearcrc
        seen = ~rows.is_made
        seen |= (rows.system == MADE_UP) & (rows.change % COPIED_EVERY == 0)
        model = fitting.fitted([(rows, label, seen)])[0]
        scores = fitting.held_out(rows, label, fitting.folds(rows), seen)
        models.append(
            FittedModel(
                name,
                encoder.name,
                model,
                _provenance(
                    f"ClearCRC (Chen et al., FSE 2025), label {label}",
                    _CLEARCRC,
                    [clearcrc],
                    fitting.auc("patch", label, scores),
                ),
            )
        )
    return FittedPredictions(tuple(models), fitting.transfer(relevance, by_change))


def number_of_fits(study: Sequence[CorpusComparison]) -> int:
    """Count the fits of `fit_predictions`."""
    systems = {review.system for comparison in study for review in comparison.reviews}
    return 1 + FOLDS + len(systems) + len(LABELS) * (1 + FOLDS) + 1 + 3 * FOLDS


class _Fitting:
    """The rows of both data sets, and the fits that figures need."""

    def __init__(
        self, study: LabelledRows, clearcrc: LabelledRows, progress: Callable[[], None]
    ) -> None:
        self.study, self.clearcrc, self._progress = study, clearcrc, progress

    def fitted(self, data: Sequence[tuple[LabelledRows, str, Flags]]) -> tuple[AdditiveModel, ...]:
        """Fit a model for each data set at once; flags mark the rows that may be seen.

        The penalty is that of the first data set.
        """
        rows = [rows.graded(label, left) for rows, label, left in data]
        ridge = _RIDGES[data[0][0].name]
        models = fit_models([graded for graded, _ in rows], [count for _, count in rows], ridge)
        self._progress()
        return models

    def folds(self, rows: LabelledRows) -> NDArray[np.intp]:
        """Deal the changes to folds in a fixed random order: the fold of each row, (n,)."""
        changes = np.unique(rows.change)
        if changes.size < FOLDS:
            raise CalibrationError(
                f"{changes.size} changes cannot be left out in {FOLDS} groups; fit to more"
            )
        dealt = np.random.default_rng(0).permutation(changes.size) % FOLDS
        return np.asarray(dealt[np.searchsorted(changes, rows.change)])

    def systems(self) -> NDArray[np.intp]:
        """Number the systems of the study, (n,); made-up reviews have -1."""
        names, systems = np.unique(self.study.system, return_inverse=True)
        return np.where(np.isin(names, [MADE_UP])[systems], -1, systems)

    def held_out(
        self,
        rows: LabelledRows,
        label: str,
        group: NDArray[np.intp],
        seen: Flags | None = None,
        *,
        beside: LabelledRows | None = None,
    ) -> Array:
        """Score each review by a model fitted without its group; NaN for made-up reviews.

        Fits see the rows that `seen` marks, by default all, and all of `beside`. Groups of
        systems leave out the reviews of a system; groups of changes all that was made of a change.
        """
        scores = np.full(group.size, np.nan)
        by_system = bool((group < 0).any())
        for number in range(int(group.max()) + 1):
            chosen = group == number
            left = ~chosen if by_system else rows.without_changes(chosen)
            data = [(rows, label, left if seen is None else left & seen)]
            if beside is not None:
                data.append((beside, "relevance", np.ones_like(beside.is_made)))
            wanted = chosen & ~rows.is_made & rows.can_be_scored
            if not wanted.any():
                continue
            scores[wanted] = self.fitted(data)[0].score(rows.features[wanted])
        return scores

    def spearman(self, left_out: str, scores: Array) -> tuple[HeldOut, ...]:
        """Agree scores of the study's rows with the ratings, once for each kind of claims."""
        return tuple(beside.measured for beside in self._on_study(left_out, scores))

    def beside_rel(self, of_study: AdditiveModel, by_change: Array) -> tuple[BesideRel, ...]:
        """Set relevance beside Rel: on the study held out by change, on ClearCRC never seen."""
        rows = self.clearcrc
        chosen = ~rows.is_made & ~np.isnan(rows.labels["relevance"])
        scores = of_study.score(rows.features)
        return (
            *self._on_study("change", by_change),
            _beside_rel(rows, "nothing", chosen, scores),
        )

    def _on_study(self, left_out: str, scores: Array) -> Iterator[BesideRel]:
        rows = self.study
        is_rated = ~rows.is_made & ~np.isnan(rows.labels["relevance"])
        is_rated &= rows.system != GROUND_TRUTH
        for claims in dict.fromkeys(rows.claims.tolist()):
            yield _beside_rel(rows, left_out, is_rated & (rows.claims == claims), scores)

    def auc(self, left_out: str, label: str, scores: Array) -> tuple[HeldOut, ...]:
        """Agree scores of ClearCRC's rows with a label: AUC, and balanced accuracy.

        A review is decided to have the label where its probability exceeds the share of reviews
        that have it among the patches of the other folds.
        """
        rows = self.clearcrc
        bootstrap = ClusterBootstrap(int(rows.change.max()) + 1)
        chosen = ~rows.is_made & ~np.isnan(rows.labels[label])
        values, is_yes = count_unscored(scores[chosen]), rows.labels[label][chosen] == 1
        change = rows.change[chosen]
        fold = self.folds(rows)[chosen]
        usual = [is_yes[fold != number].mean() for number in range(FOLDS)]
        decided = values > np.array(usual)[fold]
        figures = {
            "auc": ClusteredMatches(values, is_yes, change).auc,
            "balanced accuracy": ClusteredDecisions(decided, is_yes, change).balanced_accuracy,
        }
        claims = str(rows.claims[0])
        return tuple(
            HeldOut(left_out, _CLEARCRC, claims, values.size, name, bootstrap.estimate(figure))
            for name, figure in figures.items()
        )

    def transfer(self, of_study: AdditiveModel, by_change: Array) -> tuple[Transfer, ...]:
        """Measure relevance fitted to either data set, and to both, on each of them.

        What is fitted and measured on the same data is held out by change.
        """
        study, clearcrc = self.study, self.clearcrc
        everything = np.ones_like(clearcrc.is_made)
        of_clearcrc = self.fitted([(clearcrc, "relevance", everything)])[0]
        scores = {
            STUDY: (by_change, of_study.score(clearcrc.features)),
            _CLEARCRC: (
                of_clearcrc.score(study.features),
                self.held_out(clearcrc, "relevance", self.folds(clearcrc)),
            ),
            "both": (
                self.held_out(study, "relevance", self.folds(study), beside=clearcrc),
                self.held_out(clearcrc, "relevance", self.folds(clearcrc), beside=study),
            ),
        }
        rows = []
        for fitted_to, (on_study, on_clearcrc) in scores.items():
            left = {STUDY: "change", _CLEARCRC: "patch"}
            own = left if fitted_to == "both" else {fitted_to: left[fitted_to]}
            measured = (
                *self.spearman(own.get(STUDY, "nothing"), on_study),
                *self.auc(own.get(_CLEARCRC, "nothing"), "relevance", on_clearcrc)[:1],
            )
            rows += [Transfer(fitted_to, each) for each in measured]
        return tuple(rows)


def _beside_rel(rows: LabelledRows, left_out: str, chosen: Flags, scores: Array) -> BesideRel:
    """Agree scores and Rel with relevance on the chosen rows: rho with ratings, AUC of a label."""
    people, change = rows.labels["relevance"][chosen], rows.change[chosen]

    def statistic(values: Array) -> Statistic:
        counted = count_unscored(values[chosen])
        if rows.name == STUDY:
            return ClusteredPairs(counted, people, change).spearman
        return ClusteredMatches(counted, people == 1, change).auc

    bootstrap = ClusterBootstrap(int(rows.change.max()) + 1)
    rel, predicted, difference = bootstrap.compare(statistic(rows.rel), statistic(scores))
    measure = "spearman" if rows.name == STUDY else "auc"
    claims = str(rows.claims[chosen][0])
    measured = HeldOut(left_out, rows.name, claims, people.size, measure, predicted)
    return BesideRel(measured, rel, difference)


def _provenance(
    data: str,
    name: str,
    comparisons: Sequence[CorpusComparison],
    held_out: tuple[HeldOut, ...],
    beside_rel: tuple[BesideRel, ...] = (),
) -> Provenance:
    return Provenance(
        data=data,
        sha256=checksum(comparisons),
        changes=max(len(comparison.changes) for comparison in comparisons),
        ratings=max(len(comparison.reviews) for comparison in comparisons),
        seen=SeenChanges.of(
            [change for comparison in comparisons for change in comparison.seen_changes]
        ),
        claims=tuple(comparison.claims for comparison in comparisons),
        added=_ADDED[name],
        ridge=_RIDGES[name],
        held_out=held_out,
        beside_rel=beside_rel,
        version=package_version(),
        command="crscore data fit",
    )


def checksum(comparisons: Sequence[CorpusComparison]) -> str:
    """SHA-256 of every text and label that a fit reads."""
    rows = [
        [
            comparison.claims,
            comparison.changes[review.change].id,
            review.system,
            review.text,
            review.ratings.relevance,
            sorted(review.labels.items()),
            review.references,
        ]
        for comparison in comparisons
        for review in comparison.reviews
    ]
    return hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode("ascii")).hexdigest()
