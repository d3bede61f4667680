"""The similarity matrix of one change, with one of its reviews or several side by side."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.maxima import Sweep, sweep
from crscore_core.corpus.reviews import ComparedReview, Reviews
from crscore_core.errors import InputError
from crscore_core.scoring import metric
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import as_text

_COLUMNS = (
    "review", "system", "sentence_number", "sentence", "pseudo_reference_number", "kind",
    "pseudo_reference", "cosine",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ChangeMatrix:
    """Similarity of the sentences of some reviews to the pseudo-references of their change.

    `similarity` is float32, (n pseudo-references, n sentences), the columns review by review.
    """

    references: tuple[PseudoReference, ...]
    reviews: tuple[ComparedReview, ...]
    similarity: NDArray[np.float32]

    @cached_property
    def columns(self) -> tuple[slice, ...]:
        """The columns of each review; none of one without sentences."""
        ends = np.cumsum([len(review.sentences) for review in self.reviews]).tolist()
        return tuple(map(slice, [0, *ends], ends))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of all reviews, one a column."""
        return tuple(sentence for review in self.reviews for sentence in review.sentences)

    @cached_property
    def review_of(self) -> tuple[int, ...]:
        """The position of each column's review among `reviews`."""
        return tuple(at for at, review in enumerate(self.reviews) for _ in review.sentences)

    @cached_property
    def best_of_sentences(self) -> NDArray[np.float64]:
        """The best similarity of each sentence, (n sentences,)."""
        return self._best(axis=0)

    @cached_property
    def best_of_references(self) -> NDArray[np.float64]:
        """The best similarity of each pseudo-reference, (n pseudo-references,).

        The sentences of all reviews compete; NaN where there are none.
        """
        return self._best(axis=1)

    def scores(self, tau: float) -> tuple[metric.Scores | None, ...]:
        """Con, Comp and Rel of each review, None of one that cannot be scored."""
        return tuple(metric.score(part, tau) if part.size else None for part in self._parts())

    def no_threshold(self) -> tuple[metric.Scores | None, ...]:
        """The scores of each review without a threshold, None of one that cannot be scored."""
        return tuple(metric.no_threshold(part) if part.size else None for part in self._parts())

    def curves(self) -> tuple[Sweep | None, ...]:
        """The scores of each review at `metric.TAUS`, None of one that cannot be scored."""
        return tuple(sweep(part, metric.TAUS) if part.size else None for part in self._parts())

    def _parts(self) -> list[NDArray[np.float32]]:
        return [self.similarity[:, columns] for columns in self.columns]

    def _best(self, axis: int) -> NDArray[np.float64]:
        if not self.similarity.size:
            return np.full(self.similarity.shape[1 - axis], np.nan)
        best: NDArray[np.float64] = self.similarity.astype(np.float64).max(axis=axis)
        return best


def change_matrix(comparison: Reviews, positions: Sequence[int]) -> ChangeMatrix:
    """The matrix of the reviews at `positions` of a comparison, in that order.

    Raises:
        InputError: there is none, or they are not of one change.
    """
    reviews = [comparison[position] for position in positions]
    if len({review.change for review in reviews}) != 1:
        raise InputError("a similarity matrix is of reviews of one change")
    return ChangeMatrix(
        comparison.changes[reviews[0].change].references,
        tuple(reviews),
        np.concatenate([review.similarity for review in reviews], axis=1),
    )


def matrix_csv(matrix: ChangeMatrix) -> str:
    """CSV with a row for each pair of a sentence and a pseudo-reference, cosines in full.

    Both are numbered from 1, as pages do. No text is a formula for a spreadsheet program.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    for column, sentence in enumerate(matrix.sentences):
        review = matrix.reviews[matrix.review_of[column]]
        said = (as_text(review.id), as_text(review.system), column + 1, as_text(sentence))
        for row, reference in enumerate(matrix.references):
            cosine = float(matrix.similarity[row, column])
            text_of = as_text(reference.text)
            writer.writerow((*said, row + 1, reference.kind.value, text_of, cosine))
    return text.getvalue()
