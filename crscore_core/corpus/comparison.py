"""Every review of a corpus against the pseudo-references of its change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS, CorpusReview, Ratings
from crscore_core.corpus.rated_maxima import RatedMaxima
from crscore_core.scoring import Encoder, Precision, compare_each, split_reviews
from crscore_core.scoring.metric import Maxima
from crscore_core.scoring.pipeline import review_warnings
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.similarity import precision_of

SAME = ("encoder", "precision", "claims", "analyzers")
"""Settings that two runs must have in common for their scores to be compared."""


@dataclass(frozen=True, slots=True)
class ComparedChange:
    """A change and what its reviews are compared with; `language` is empty where unknown."""

    id: str
    language: str
    diff: str
    references: tuple[PseudoReference, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A change whose reviews cannot be scored, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class ComparedReview:
    """A review and how similar its sentences are to the pseudo-references of its change.

    `change` is the position of its change among those compared. `similarity` is float32,
    (n pseudo-references, n sentences). `labels` are those of `CorpusReview`. `warnings` say what a
    person should know about the review and its score, such as text that is hidden from its readers.
    """

    change: int
    id: str
    system: str
    text: str
    ratings: Ratings
    references: tuple[str, ...]
    sentences: tuple[str, ...]
    similarity: NDArray[np.float32]
    labels: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class CorpusComparison:
    """All reviews of changes that have pseudo-references, in the order of the corpus.

    `left_out` are the changes that have none. `encoder` and `claims` name what made the
    similarities, the encoder in `precision`, and `analyzers` says that smells are
    pseudo-references too; `warnings` say what is known of single changes.
    """

    encoder: str
    claims: str
    changes: tuple[ComparedChange, ...]
    left_out: tuple[LeftOut, ...]
    reviews: tuple[ComparedReview, ...]
    warnings: tuple[str, ...] = ()
    analyzers: bool = True
    precision: Precision = Precision.FLOAT32

    @cached_property
    def change(self) -> NDArray[np.intp]:
        """The position of each review's change, (n reviews,)."""
        return np.array([review.change for review in self.reviews], dtype=np.intp)

    @cached_property
    def system(self) -> NDArray[np.str_]:
        """The system that wrote each review, (n reviews,)."""
        return np.array([review.system for review in self.reviews], dtype=np.str_)

    @cached_property
    def language(self) -> NDArray[np.str_]:
        """The language of each review's change, (n reviews,)."""
        languages = np.array([change.language for change in self.changes], dtype=np.str_)
        return languages[self.change]

    @cached_property
    def ratings(self) -> NDArray[np.float64]:
        """Human ratings from 1 to 5: (n reviews, n dimensions), in order of `DIMENSIONS`.

        NaN where nobody rated.
        """
        return np.array(
            [[getattr(review.ratings, name) for name in DIMENSIONS] for review in self.reviews],
            dtype=np.float64,
        ).reshape(-1, len(DIMENSIONS))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels that reviews have, in the order in which they first occur."""
        return tuple(dict.fromkeys(name for review in self.reviews for name in review.labels))

    @cached_property
    def is_judged(self) -> NDArray[np.bool_]:
        """Mark the reviews that correlations of relevance are over; see `is_judged_in`."""
        return self.is_judged_in("relevance")

    def is_judged_in(self, dimension: str) -> NDArray[np.bool_]:
        """Mark the reviews rated in a dimension, without the ground truth (section 5.2)."""
        return self.rated_maxima.is_judged_in(dimension)

    @cached_property
    def rated_maxima(self) -> RatedMaxima:
        """Best similarities and ratings of the reviews: enough to score them at any tau."""
        systems, system = np.unique(self.system, return_inverse=True)
        return RatedMaxima(
            Maxima.of(review.similarity for review in self.reviews),
            tuple(systems.tolist()),
            system,
            self.ratings,
        )

    def scores(self, taus: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Con, Comp and Rel of each review: (n dimensions, n taus, n reviews), from 0 to 1.

        A review without sentences counts 0; see `count_unscored`.
        """
        return self.rated_maxima.scores(taus)


def compare_corpus(
    claims: str,
    changes: Sequence[tuple[ComparedChange, Sequence[CorpusReview]]],
    encoder: Encoder,
    left_out: Sequence[LeftOut] = (),
    warnings: Sequence[str] = (),
) -> CorpusComparison:
    """Compare reviews with the pseudo-references of their change, which `claims` names.

    Every distinct text is encoded once. A change without pseudo-references joins `left_out`.
    """
    kept = [(change, reviews) for change, reviews in changes if change.references]
    bare = [change for change, _ in changes if not change.references]
    split = [
        split_reviews(change.references, (review.text for review in reviews))
        for change, reviews in kept
    ]
    compared = tuple(
        ComparedReview(
            position, review.id, review.system, text, review.ratings, texts.references,
            sentences, comparison.similarity, labels=review.labels,
            warnings=review_warnings(text, sentences, comparison),
        )
        for position, ((_, reviews), texts, comparisons) in enumerate(
            zip(kept, split, compare_each(encoder, split), strict=True)
        )
        for review, text, sentences, comparison in zip(
            reviews, texts.reviews, texts.sentences, comparisons, strict=True
        )
    )  # fmt: skip
    no_references = "it gives no pseudo-references"
    return CorpusComparison(
        encoder.name,
        claims,
        tuple(change for change, _ in kept),
        (*left_out, *(LeftOut(change.id, no_references) for change in bare)),
        compared,
        tuple(warnings),
        precision=precision_of(encoder),
    )
