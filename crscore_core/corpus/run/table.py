"""Scored reviews -> the content of a Parquet file."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzers import AnalyzerResult, Status
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.run.recipe import Recipe
from crscore_core.corpus.run.stages import ScoredReview
from crscore_core.corpus.run.units import ScoredPart
from crscore_core.scoring import split_sentences
from crscore_core.scoring.review_score import ReviewScore

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["parquet_of_table", "schema_of_scores", "scored_part"]


def schema_of_scores(*, matrices: bool) -> "pa.Schema":
    """The columns of a run.

    `row` is the number of the review in the corpus, `change` that of its change among the
    distinct ones. `sentence_maxima` and `reference_maxima` are the best similarities of each
    sentence and of each pseudo-reference, from which the scores at any tau follow. The scores,
    `calibrated_relevance`, and `human_` and a dimension are null where there are none. With
    `matrices` also the texts of both, and `similarity`, pseudo-reference after pseudo-reference.
    """
    import pyarrow as pa

    text, texts, numbers = pa.string(), pa.list_(pa.string()), pa.list_(pa.float32())
    columns = {
        "row": pa.int64(), "id": text, "system": text, "language": text, "change": pa.int64(),
        **{name: pa.float64() for name in (*DIMENSIONS, "calibrated_relevance", "tau")},
        "n_pseudo_references": pa.int32(), "n_sentences": pa.int32(), "warnings": texts,
        "sentence_maxima": numbers, "reference_maxima": numbers,
        **{f"human_{name}": pa.float64() for name in DIMENSIONS}, "signature": text,
    }  # fmt: skip
    if matrices:
        columns |= {"pseudo_references": texts, "sentences": texts, "similarity": numbers}
    return pa.schema(list(columns.items()))


def scored_part(number: int, reviews: Sequence[ScoredReview], recipe: Recipe) -> ScoredPart:
    """The reviews as a part of a run; the same reviews give the same bytes."""
    import pyarrow as pa

    rows = [_row(one, recipe.tau, matrices=recipe.matrices) for one in reviews]
    table = pa.Table.from_pylist(rows, schema_of_scores(matrices=recipe.matrices))
    unscored = table.column("relevance").null_count
    return ScoredPart(number, len(rows), unscored, parquet_of_table(table))


def parquet_of_table(table: "pa.Table") -> bytes:
    """A table as the content of a Parquet file."""
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _row(one: ScoredReview, tau: float, *, matrices: bool) -> dict[str, Any]:
    review = one.review
    row = {
        "row": review.row, "id": review.id, "system": review.system,
        "language": one.language or None, "change": review.change, "tau": tau,
        **{f"human_{name}": getattr(review.ratings, name) for name in DIMENSIONS},
    }  # fmt: skip
    if one.score is None:
        return row | {
            "n_pseudo_references": 0,
            "n_sentences": len(split_sentences(review.text)),
            "warnings": [f"cannot be scored: {one.left_out}"],
            "sentence_maxima": [],
            "reference_maxima": [],
        }
    return row | _scores(one.score) | (_matrix(one.score) if matrices else {})


def _scores(score: ReviewScore) -> dict[str, Any]:
    similarity = score.similarity
    return {
        **{name: getattr(score, name) for name in (*DIMENSIONS, "calibrated_relevance")},
        "n_pseudo_references": similarity.shape[0],
        "n_sentences": similarity.shape[1],
        "warnings": [*score.warnings, *_unseen(score.references.analyzers)],
        "sentence_maxima": similarity.max(axis=0) if similarity.size else [],
        "reference_maxima": similarity.max(axis=1) if similarity.size else [],
        "signature": str(score.signature),
    }


def _matrix(score: ReviewScore) -> dict[str, Any]:
    return {
        "pseudo_references": [one.text for one in score.pseudo_references],
        "sentences": list(score.sentence_texts),
        "similarity": np.ravel(score.similarity),
    }


def _unseen(results: Sequence[AnalyzerResult]) -> list[str]:
    """What no analyzer looked at, so that smells may be missing among the pseudo-references."""
    return [
        f"{one.path or 'a hunk'} was not analysed ({one.name}: {one.reason})"
        for one in results
        if one.status is Status.NOT_ANALYSED
    ]
