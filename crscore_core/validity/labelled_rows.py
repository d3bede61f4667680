"""Data sets with labels -> rows that models are fitted to, made-up reviews among them.

Nobody in these data recites identifiers, pastes code or reads claims back, and few reviews are
about another change. Fits therefore see made-up reviews beside the rated ones, which count as rated
lowest: every review beside another change (weight `MISPLACED_WEIGHT`), and reviews that copy
(`COPIED`, weight `COPIED_WEIGHT`). Made-up reviews are of the changes that a fit may see, and are
never among the reviews that figures are measured on.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison, compare_corpus
from crscore_core.corpus.metrics import prediction_features
from crscore_core.corpus.model import DIMENSIONS, CorpusReview
from crscore_core.predicted.features import FEATURES, OF_STYLE
from crscore_core.predicted.fit import GradedRows
from crscore_core.predicted.model import RATINGS
from crscore_core.scoring import Encoder, usual_tau
from crscore_core.validity.attacks import ATTACKS, Target, added_lines

STUDY = "study"
"""Name of the data set whose labels are ratings from 1 to 5; others have labels of 0 and 1."""

MISPLACED_WEIGHT = 1.0
COPIED_WEIGHT = 0.1

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
LABELS = {
    "relevant": "relevance",
    "informative": "informativeness",
    "well_expressed": "expression",
}
"""Predictions of probabilities, each with the label of ClearCRC that it predicts."""

_IS_STYLE = np.array([feature.name in OF_STYLE for feature in FEATURES])
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
        lowest, n_grades = (RATINGS[0], len(RATINGS)) if self.name == STUDY else (0, 2)
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
    labels = ("relevance",) if name == STUDY else tuple(LABELS.values())
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
                    (review.ratings.relevance if name == STUDY else None)
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
