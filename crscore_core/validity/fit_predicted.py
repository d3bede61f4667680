"""Data sets with labels -> models of predicted ratings, and their agreement on what is left out.

Relevance is fitted to the ratings of the human study, the three probabilities to the labels of
ClearCRC. Nobody in these data recites identifiers, pastes code or reads claims back, and few
reviews are about another change. Fits of relevance therefore see made-up reviews beside the rated
ones, which count as rated lowest: every review beside another change (weight `MISPLACED_WEIGHT`),
and reviews that copy (`COPIED`, weight `COPIED_WEIGHT`). Fits of the probabilities see the copies
of one in `COPIED_EVERY` patches. Made-up reviews are of the changes that a fit may see, and are
never among the reviews that figures are measured on.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison, compare_corpus
from crscore_core.corpus.metrics import prediction_features
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, CorpusReview
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES, OF_STYLE
from crscore_core.predicted.fit import RIDGE, GradedRows, fit_models
from crscore_core.predicted.model import (
    RATINGS,
    AdditiveModel,
    BesideRel,
    FittedModel,
    HeldOut,
    Provenance,
    Transfer,
)
from crscore_core.predicted.seen import SeenChanges
from crscore_core.scoring import Encoder, usual_tau
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import ClusterBootstrap, ClusteredMatches, ClusteredPairs
from crscore_core.statistics.bootstrap import Statistic
from crscore_core.statistics.decisions import ClusteredDecisions
from crscore_core.validity.attacks import ATTACKS, Target, added_lines

FIT_CLAIMS = ("study", "symbolic")
"""Pseudo-references that reviews of the study are compared with: its own, and those that this
package makes of the diffs alone. One model is fitted to both, so that it serves both."""

FOLDS = 5
"""Number of groups of changes that are left out in turn."""

STUDY_RIDGE = 100.0
"""Weight of the penalty of relevance, see `RIDGE`."""

MISPLACED_WEIGHT = 1.0
COPIED_WEIGHT = 0.1
COPIED_EVERY = 10

COPIED = (
    "identifiers",
    "the added lines",
    "the claims",
    "shuffled claims",
    "claims, one word changed",
)
"""Names of the attacks that made-up reviews are taken from; there is a praise beside them."""

_PRAISE = (
    "Great work, this looks good to me!",
    "Nice change, thanks. The code is clean and easy to read, well done.",
    "LGTM, ship it.",
    "This change improves the code quality and makes it more readable. Good job!",
    "Looks fine, approved.",
)
_LABELS = {
    "relevant": "relevance",
    "informative": "informativeness",
    "well_expressed": "expression",
}
_IS_STYLE = np.array([feature.name in OF_STYLE for feature in FEATURES])
_STUDY, _CLEARCRC = "study", "clearcrc"
_RIDGES = {_STUDY: STUDY_RIDGE, _CLEARCRC: RIDGE}
_ADDED = {
    _STUDY: "each review beside another change, and reviews that copy change or claims, as rated 1",
    _CLEARCRC: f"reviews that copy change or claims of one patch in {COPIED_EVERY}, as labelled 0",
}
_LONGEST = 5_000  # characters of a made-up review

MADE_UP = "made up"
"""System of the made-up reviews that copy."""

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Reviews of one data set as rows: rated ones, and made-up ones.

    `features`, (n, n features), are NaN for a review without content. `change` and `other` number
    the changes that a row was made of: the same, except where a review stands beside another
    change. `rel` is Rel at the encoder's preset tau_gt. `labels` has the value of each label,
    (n,); made-up reviews have NaN, and weights.
    """

    name: str
    features: Array
    change: NDArray[np.intp]
    other: NDArray[np.intp]
    system: NDArray[np.str_]
    claims: NDArray[np.str_]
    weights: Array
    is_made: Flags
    rel: Array
    labels: Mapping[str, Array]

    @property
    def can_be_scored(self) -> Flags:
        """True for each review that has features, (n,)."""
        return np.asarray(np.isfinite(self.features).all(axis=1))

    def graded(self, label: str, left: Flags) -> tuple[GradedRows, int]:
        """Return the rows to fit a label to, with the number of its grades.

        `left`, (n,), marks rows that may be seen; made-up ones have the lowest grade.
        """
        values = self.labels[label]
        lowest, n_grades = (RATINGS[0], len(RATINGS)) if self.name == _STUDY else (0, 2)
        chosen = left & self.can_be_scored & (self.is_made | ~np.isnan(values))
        grades = np.where(self.is_made, 0, values - lowest)[chosen].astype(np.intp)
        features = self.features[chosen]
        if label == "relevance":
            features = np.where(_IS_STYLE, 0.0, features)
        return GradedRows(features, grades, self.weights[chosen]), n_grades

    def without_changes(self, held_out: Flags) -> Flags:
        """Mark rows that no change of the held out rows had a part in, (n,)."""
        changes = np.unique(self.change[held_out])
        return ~np.isin(self.change, changes) & ~np.isin(self.other, changes)


def labelled_rows(
    name: str, comparisons: Sequence[CorpusComparison], encoder: Encoder
) -> LabelledRows:
    """Turn the reviews of a data set into rows, and make up reviews of the same changes.

    The comparisons are of the same changes, each with other pseudo-references.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    numbers: dict[str, int] = {}
    for comparison in comparisons:
        for change in comparison.changes:
            numbers.setdefault(change.id, len(numbers))
    parts = [_rows(name, comparison, numbers) for comparison in comparisons]
    parts += [_made_up(name, comparison, numbers, encoder) for comparison in comparisons]

    def joined(column: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, column) for part in parts])

    return LabelledRows(
        name,
        joined("features"),
        joined("change"),
        joined("other"),
        joined("system"),
        joined("claims"),
        joined("weights"),
        joined("is_made"),
        joined("rel"),
        {
            label: np.concatenate([part.labels[label] for part in parts])
            for label in parts[0].labels
        },
    )


def _rows(
    name: str,
    comparison: CorpusComparison,
    numbers: Mapping[str, int],
    other: Sequence[int] | None = None,
    weights: Sequence[float] | None = None,
) -> LabelledRows:
    """Rows of the reviews of one comparison; made up where `weights` are given."""
    reviews = comparison.reviews
    change = [numbers[comparison.changes[review.change].id] for review in reviews]
    labels = ("relevance",) if name == _STUDY else tuple(_LABELS.values())
    tau = usual_tau(comparison.encoder, comparison.claims)
    return LabelledRows(
        name,
        prediction_features(comparison),
        np.array(change, dtype=np.intp),
        np.array(change if other is None else other, dtype=np.intp),
        comparison.system,
        np.array([comparison.claims] * len(reviews), dtype=np.str_),
        np.ones(len(reviews)) if weights is None else np.array(weights),
        np.full(len(reviews), weights is not None),
        comparison.scores([tau])[DIMENSIONS.index("relevance"), 0],
        {
            label: np.array(
                [
                    (review.ratings.relevance if name == _STUDY else None)
                    or review.labels.get(label, np.nan)
                    for review in reviews
                ],
                dtype=np.float64,
            )
            for label in labels
        },
    )


def _made_up(
    name: str, comparison: CorpusComparison, numbers: Mapping[str, int], encoder: Encoder
) -> LabelledRows:
    """Rows of made-up reviews: each review beside another change, and reviews that copy."""
    draw = random.Random(0)  # noqa: S311 - no secret
    of_language: dict[str, list[int]] = {}
    for place, change in enumerate(comparison.changes):
        of_language.setdefault(change.language, []).append(place)
    made: list[list[tuple[CorpusReview, int, float]]] = [[] for _ in comparison.changes]
    for review in comparison.reviews:
        language = comparison.changes[review.change].language
        places = of_language[language] if len(of_language[language]) > 1 else range(len(made))
        if others := [place for place in places if place != review.change]:
            made[draw.choice(others)].append(
                (
                    CorpusReview(review.id, review.system, review.text),
                    numbers[comparison.changes[review.change].id],
                    MISPLACED_WEIGHT,
                )
            )
    for change, reviews in zip(comparison.changes, made, strict=True):
        claims = tuple(reference.text for reference in change.references)
        target = Target(change.diff, claims, added_lines(change.diff), "", "")
        texts = {attack: ATTACKS[attack](target)[:_LONGEST] for attack in COPIED}
        texts["praise"] = draw.choice(_PRAISE)
        reviews.extend(
            (CorpusReview(attack, MADE_UP, text), numbers[change.id], COPIED_WEIGHT)
            for attack, text in texts.items()
        )
    compared = compare_corpus(
        comparison.claims,
        [
            (change, [review for review, _, _ in reviews])
            for change, reviews in zip(comparison.changes, made, strict=True)
        ],
        encoder,
    )
    flat = [row for reviews in made for row in reviews]
    return _rows(
        name, compared, numbers, [other for _, other, _ in flat], [weight for _, _, weight in flat]
    )


@dataclass(frozen=True, slots=True)
class FittedPredictions:
    """The models of all predictions, in order, and what relevance is worth on other data."""

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
        labelled_rows(_STUDY, study, encoder),
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
                _STUDY,
                study,
                (
                    *fitting.spearman("change", by_change),
                    *fitting.spearman("system", by_system),
                ),
                fitting.beside_rel(relevance, by_change),
            ),
        )
    ]
    for name, label in _LABELS.items():
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
    return 1 + FOLDS + len(systems) + len(_LABELS) * (1 + FOLDS) + 1 + 3 * FOLDS


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
            _STUDY: (by_change, of_study.score(clearcrc.features)),
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
            left = {_STUDY: "change", _CLEARCRC: "patch"}
            own = left if fitted_to == "both" else {fitted_to: left[fitted_to]}
            measured = (
                *self.spearman(own.get(_STUDY, "nothing"), on_study),
                *self.auc(own.get(_CLEARCRC, "nothing"), "relevance", on_clearcrc)[:1],
            )
            rows += [Transfer(fitted_to, each) for each in measured]
        return tuple(rows)


def _beside_rel(rows: LabelledRows, left_out: str, chosen: Flags, scores: Array) -> BesideRel:
    """Agree scores and Rel with relevance on the chosen rows: rho with ratings, AUC of a label."""
    people, change = rows.labels["relevance"][chosen], rows.change[chosen]

    def statistic(values: Array) -> Statistic:
        counted = count_unscored(values[chosen])
        if rows.name == _STUDY:
            return ClusteredPairs(counted, people, change).spearman
        return ClusteredMatches(counted, people == 1, change).auc

    bootstrap = ClusterBootstrap(int(rows.change.max()) + 1)
    rel, predicted, difference = bootstrap.compare(statistic(rows.rel), statistic(scores))
    measure = "spearman" if rows.name == _STUDY else "auc"
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
        sha256=_checksum(comparisons),
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


def _checksum(comparisons: Sequence[CorpusComparison]) -> str:
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
