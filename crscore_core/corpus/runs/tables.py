"""A comparison <-> the content of Parquet files, exactly."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import (
    ComparedChange,
    ComparedReview,
    CorpusComparison,
    LeftOut,
)
from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.errors import CorpusError
from crscore_core.scoring.references import PseudoReference, ReferenceKind

__all__ = ["FILES", "comparison_of_files", "files_of_comparison"]

FILES = ("changes.parquet", "reviews.parquet", "remarks.parquet")
"""The changes with their pseudo-references, the reviews with their similarities, and what is said
of single changes: those left out with the reason, and warnings, which have no id."""

Rows = Mapping[str, Sequence[Any]]


def files_of_comparison(comparison: CorpusComparison) -> Mapping[str, bytes]:
    """The content of each of `FILES`.

    Raises:
        CorpusError: a text that no file can hold.
    """
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    reference = pa.struct(
        [("text", text), ("kind", text), ("source", text), ("path", text), ("line", pa.int64())]
    )
    schemas = (
        {"id": text, "language": text, "diff": text, "title": text,
         "references": pa.list_(reference)},
        {"change": pa.int32(), "id": text, "system": text, "text": text,
         **{f"human_{name}": pa.float64() for name in DIMENSIONS},
         "references": texts, "sentences": texts, "n_references": pa.int32(),
         "n_sentences": pa.int32(), "similarity": pa.list_(pa.float32())},
        {"id": text, "text": text},
    )  # fmt: skip
    rows = (_changes(comparison), _reviews(comparison), _remarks(comparison))
    return {
        name: _parquet(columns, pa.schema(list(schema.items())))
        for name, columns, schema in zip(FILES, rows, schemas, strict=True)
    }


def comparison_of_files(encoder: str, claims: str, files: Mapping[str, bytes]) -> CorpusComparison:
    """Read what `files_of_comparison` wrote; `files` has the content of each of `FILES`.

    Raises:
        CorpusError: it is not that.
    """
    import pyarrow as pa

    try:
        changes, reviews, remarks = (_rows(files[name]) for name in FILES)
        compared = tuple(_change(row) for row in changes)
        texts = [tuple(reference.text for reference in change.references) for change in compared]
        return CorpusComparison(
            encoder,
            claims,
            compared,
            tuple(LeftOut(row["id"], row["text"]) for row in remarks if row["id"] is not None),
            tuple(_review(row, texts) for row in reviews),
            tuple(row["text"] for row in remarks if row["id"] is None),
        )
    except (pa.ArrowException, KeyError, IndexError, TypeError, ValueError, OSError) as error:
        raise CorpusError("its tables are not those of a run") from error


def _parquet(columns: Rows, schema: Any) -> bytes:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa
    from pyarrow import parquet

    file = io.BytesIO()
    try:
        parquet.write_table(pa.table(dict(columns), schema=schema), file, compression="zstd")
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise CorpusError(f"the run holds what no Parquet file can ({error})") from error
    return file.getvalue()


def _rows(content: bytes) -> list[dict[str, Any]]:
    import pyarrow as pa
    from pyarrow import parquet

    table = parquet.read_table(pa.BufferReader(content))
    # As arrays of numpy, which share memory and are many times faster than lists of Python.
    matrices = (
        table.column("similarity").combine_chunks() if "similarity" in table.column_names else None
    )
    if matrices is None:
        found: list[dict[str, Any]] = table.to_pylist()
        return found
    rows: list[dict[str, Any]] = table.drop_columns(["similarity"]).to_pylist()
    values = matrices.values.to_numpy(zero_copy_only=False)
    ends = matrices.offsets.to_numpy()
    for row, start, end in zip(rows, ends[:-1], ends[1:], strict=True):
        row["similarity"] = values[start:end]
    return rows


def _changes(comparison: CorpusComparison) -> Rows:
    return {
        "id": [change.id for change in comparison.changes],
        "language": [change.language for change in comparison.changes],
        "diff": [change.diff for change in comparison.changes],
        "title": [change.title for change in comparison.changes],
        "references": [[asdict(one) for one in change.references] for change in comparison.changes],
    }


def _change(row: Mapping[str, Any]) -> ComparedChange:
    references = tuple(
        PseudoReference(
            one["text"], ReferenceKind(one["kind"]), one["source"], one["path"], one["line"]
        )
        for one in row["references"]
    )
    return ComparedChange(row["id"], row["language"], row["diff"], references, row["title"])


def _reviews(comparison: CorpusComparison) -> Rows:
    reviews = comparison.reviews
    texts = [
        tuple(reference.text for reference in change.references) for change in comparison.changes
    ]
    return {
        "change": [review.change for review in reviews],
        "id": [review.id for review in reviews],
        "system": [review.system for review in reviews],
        "text": [review.text for review in reviews],
        **{
            f"human_{name}": [getattr(review.ratings, name) for review in reviews]
            for name in DIMENSIONS
        },
        # None where they are those of the change, which they are unless somebody chose.
        "references": [
            None if review.references == texts[review.change] else review.references
            for review in reviews
        ],
        "sentences": [review.sentences for review in reviews],
        "n_references": [review.similarity.shape[0] for review in reviews],
        "n_sentences": [review.similarity.shape[1] for review in reviews],
        "similarity": [_flat(review.similarity) for review in reviews],
    }


def _flat(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(matrix, dtype=np.float32).ravel()


def _review(row: Mapping[str, Any], texts: Sequence[tuple[str, ...]]) -> ComparedReview:
    if row["change"] < 0:
        raise IndexError(row["change"])
    of_change = texts[row["change"]]
    return ComparedReview(
        row["change"],
        row["id"],
        row["system"],
        row["text"],
        Ratings(*(row[f"human_{name}"] for name in DIMENSIONS)),
        of_change if row["references"] is None else tuple(row["references"]),
        tuple(row["sentences"]),
        row["similarity"].reshape(row["n_references"], row["n_sentences"]),
    )


def _remarks(comparison: CorpusComparison) -> Rows:
    left_out = comparison.left_out
    return {
        "id": [*(one.id for one in left_out), *(None for _ in comparison.warnings)],
        "text": [*(one.reason for one in left_out), *comparison.warnings],
    }
