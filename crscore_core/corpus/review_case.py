"""One review of a corpus read at one threshold, and chosen reviews as files to take away."""

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison
from crscore_core.corpus.metrics import METRICS
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import label_column
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.scoring.metric import matches, score
from crscore_core.scoring.references import PseudoReference, statement_document
from crscore_core.scoring.review_score import ReviewSentence, read_sentences
from crscore_core.scoring.signature import package_version
from crscore_core.text import as_cell

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CaseReference:
    """A pseudo-reference; `best_similarity` is None where the review has no sentence."""

    reference: PseudoReference
    is_covered: bool
    best_similarity: float | None


@dataclass(frozen=True, slots=True, eq=False)
class ReviewCase:
    """A review, its change, and what each part of both adds to the scores at `tau`.

    `scores` has a value from 0 to 1 for each of `DIMENSIONS`, None for a review without
    sentences. `is_match` marks pairs that exceed
    tau, in the shape of the review's similarity: (n pseudo-references, n sentences).
    """

    tau: float
    change: ComparedChange
    review: ComparedReview
    scores: Mapping[str, float | None]
    sentences: tuple[ReviewSentence, ...]
    references: tuple[CaseReference, ...]
    is_match: NDArray[np.bool_]


def review_case(comparison: CorpusComparison, position: int, tau: float) -> ReviewCase:
    """Read the review at a position of the comparison."""
    review = comparison.reviews[position]
    change = comparison.changes[review.change]
    similarity, is_match = review.similarity, matches(review.similarity, tau)
    scores = score(similarity, tau) if similarity.size else None
    references = tuple(
        CaseReference(
            reference,
            bool(is_match[row].any()),
            float(similarity[row].max()) if review.sentences else None,
        )
        for row, reference in enumerate(change.references)
    )
    return ReviewCase(
        tau,
        change,
        review,
        {name: getattr(scores, name, None) for name in DIMENSIONS},
        read_sentences(review.sentences, similarity, tau),
        references,
        is_match,
    )


def made_with(comparison: CorpusComparison, tau: float) -> dict[str, str | float]:
    """The settings behind the scores of a comparison at `tau`; every file repeats them."""
    return {"tau": tau, "encoder": comparison.encoder, "claims": comparison.claims}


def reviews_csv(rows: "pd.DataFrame", made: Mapping[str, str | float]) -> str:
    """Rows of a `ReviewTable`, with further columns if they have any, as CSV.

    Every row repeats `made`. Empty cells are no score or no rating, and no text is one that a
    spreadsheet takes for a formula.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*rows.columns, *made])
    for row in rows.itertuples(index=False, name=None):
        writer.writerow([as_cell(_plain(value)) for value in (*row, *made.values())])
    return text.getvalue()


def reviews_document(
    rows: "pd.DataFrame", comparison: CorpusComparison, tau: float, made: Mapping[str, str | float]
) -> dict[str, Any]:
    """The same rows as a document, each with what its parts add to the scores at `tau`.

    The index of `rows` is the position of each review in `comparison`. None is no score or no
    rating.
    """
    reviews = []
    for position, *values in rows.itertuples(name=None):
        fields = dict(zip(rows.columns, map(_plain, values), strict=True))
        case = review_case(comparison, position, tau)
        compared_with = [
            statement_document(one.reference)
            | {"covered": one.is_covered, "best_similarity": one.best_similarity}
            for one in case.references
        ]
        said = [asdict(sentence) for sentence in case.sentences]
        parts = {"title": case.change.title, "compared_with": compared_with, "said": said}
        reviews.append(fields | parts)
    return {**made, "reviews": reviews}


def run_document(table: ReviewTable, tau: float) -> dict[str, Any]:
    """Everything that scores rest on, and the scores, as JSON can hold it; None for no number."""
    comparison = table.comparison
    rows = table.shown_at(tau)
    judged = [*(f"human_{name}" for name in DIMENSIONS), *map(label_column, comparison.labels)]
    kept = [*judged, *DIMENSIONS, *METRICS]
    numbers = rows[kept].to_dict("records")
    return {
        "version": package_version(),
        **made_with(comparison, tau),
        "changes": [
            {
                "id": change.id,
                "title": change.title,
                "language": change.language or None,
                "diff": change.diff,
                "pseudo_references": list(map(statement_document, change.references)),
            }
            for change in comparison.changes
        ],
        "left_out": [asdict(change) for change in comparison.left_out],
        "warnings": list(comparison.warnings),
        "reviews": [
            {
                "id": review.id,
                "change": comparison.changes[review.change].id,
                "system": review.system,
                "text": review.text,
                "sentences": list(review.sentences),
                **{str(name): _plain(value) for name, value in of_review.items()},
            }
            for review, of_review in zip(comparison.reviews, numbers, strict=True)
        ],
    }


def _plain(value: object) -> object:
    """A number or text as Python's own; None for NaN."""
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain
