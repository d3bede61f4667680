"""The table of scored reviews, a row each, and that of their changes, as Arrow and Parquet."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.maxima import Maxima
from crscore_core.corpus.model import DIMENSIONS, CorpusChange, CorpusReview
from crscore_core.corpus.reading import label_column
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import whole_text

if TYPE_CHECKING:
    import pyarrow as pa


def review_schema(labels: Iterable[str] = ()) -> "pa.Schema":
    """Columns of the reviews, labels by their names last; docs/scaling.md says what each holds."""
    import pyarrow as pa

    text, texts, numbers = pa.string(), pa.list_(pa.string()), pa.list_(pa.float32())
    columns = {
        "row": pa.int64(), "id": text, "system": text, "language": text, "change": pa.int64(),
        **{name: pa.float64() for name in (*DIMENSIONS, "no_threshold", "tau")},
        "n_pseudo_references": pa.int32(), "n_sentences": pa.int32(), "warnings": texts,
        "sentence_maxima": numbers, "reference_maxima": numbers,
        **{f"human_{name}": pa.float64() for name in DIMENSIONS}, "signature": text,
        "text": text, "sentences": texts, "similarity": numbers,
        **{label_column(name): pa.float64() for name in labels},
    }  # fmt: skip
    return _schema(
        columns,
        "row id system change text sentences similarity tau n_pseudo_references n_sentences",
    )


def change_schema() -> "pa.Schema":
    """Columns of the changes; docs/scaling.md says what each holds."""
    import pyarrow as pa

    text = pa.string()
    reference = pa.struct(
        [
            *((name, text) for name in ("text", "kind", "source", "path")),
            ("line", pa.int64()),
            ("wordings", pa.list_(text)),
        ]
    )
    columns = {
        "number": pa.int64(), "id": text, "language": text, "title": text, "diff": text,
        "pseudo_references": pa.list_(reference), "warnings": pa.list_(text), "left_out": text,
    }  # fmt: skip
    return _schema(columns, "number id title diff pseudo_references warnings")


_MAY_BE_NULL = {"path", "line", "wordings"}
_SCORES = (*DIMENSIONS, "no_threshold", "tau", "sentence_maxima", "reference_maxima", "similarity")


def table_of_parquet(content: bytes, schema: "pa.Schema") -> "pa.Table":
    """Read the columns of `schema` from the content of a Parquet file.

    Raises:
        KeyError, ValueError: a column is missing or of another type, a required cell or a value in
            a list is null, a count is negative, or a score or a cosine is not finite.
        pa.ArrowException: it is no Parquet file, or a damaged one.
    """
    import pyarrow as pa
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(content))
    if any(file.schema_arrow.field(one.name).type != one.type for one in schema):
        raise ValueError("a column is of another type")
    table = file.read(schema.names).select(schema.names).cast(schema)
    for name in schema.names:
        _check_column(name, table[name].combine_chunks())
    return table


def _check_column(name: str, values: "pa.Array") -> None:
    import pyarrow as pa

    if is_list := pa.types.is_list(values.type):
        values = values.flatten()
    parts = [values]
    if pa.types.is_struct(values.type):
        parts += [values.field(one.name) for one in values.type if one.name not in _MAY_BE_NULL]
    if is_list and any(part.null_count for part in parts):
        raise ValueError(f"a value in {name} is missing")
    if pa.types.is_integer(values.type) and (values.to_numpy(zero_copy_only=False) < 0).any():
        raise ValueError(f"a number in {name} is negative")
    if name in _SCORES:
        scores = values.drop_null().to_numpy(zero_copy_only=False)
        if not np.isfinite(scores).all():
            raise ValueError(f"a number in {name} is not finite")


def _schema(columns: Mapping[str, "pa.DataType"], required: str) -> "pa.Schema":
    import pyarrow as pa

    return pa.schema(
        [pa.field(name, of, nullable=name not in required.split()) for name, of in columns.items()]
    )


@dataclass(frozen=True, slots=True, eq=False)
class ReviewResult:
    """A review and what scoring it gave: a row of the table of reviews.

    `change` is the number of its change. `similarity` is float32,
    (n pseudo-references, n sentences). `signature` is None where its change was left out.
    """

    review: CorpusReview
    change: int
    language: str
    sentences: Sequence[str]
    similarity: NDArray[np.float32]
    warnings: Sequence[str] = ()
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """A change and its pseudo-references: a row of the table of changes.

    `left_out` says why its reviews have no scores, None where they have.
    """

    number: int
    change: CorpusChange
    language: str
    references: Sequence[PseudoReference] = ()
    warnings: Sequence[str] = ()
    left_out: str | None = None


def reviews_table(
    rows: Sequence[ReviewResult], tau: float, labels: Sequence[str] = ()
) -> "pa.Table":
    """Score reviews at `tau`; `labels` names the labels that have a column.

    A review without sentences or without pseudo-references has null scores.
    """
    reviews = [row.review for row in rows]
    maxima = Maxima.of(row.similarity for row in rows)
    scores = maxima.at([tau])
    return _table(
        {
            **_columns(rows, "change", "signature", "sentences", "warnings"),
            **_columns(reviews, "row", "id", "system", "text"),
            "language": [row.language or None for row in rows],
            **{name: _without_nan(getattr(scores, name)[0]) for name in DIMENSIONS},
            "no_threshold": _without_nan(maxima.no_threshold()[-1]),
            "tau": [tau] * len(rows),
            "n_pseudo_references": [row.similarity.shape[0] for row in rows],
            "n_sentences": [row.similarity.shape[1] for row in rows],
            "sentence_maxima": _cut(maxima.of_sentences, maxima.n_sentences),
            "reference_maxima": _cut(maxima.of_references, maxima.n_references),
            **{f"human_{name}": [getattr(one.ratings, name) for one in reviews]
               for name in DIMENSIONS},
            "similarity": [np.ravel(row.similarity) for row in rows],
            **{label_column(name): [one.labels.get(name) for one in reviews] for name in labels},
        },
        review_schema(labels),
    )  # fmt: skip


def changes_table(rows: Sequence[ChangeResult]) -> "pa.Table":
    """Write changes with their pseudo-references as a table."""
    return _table(
        {
            **_columns(rows, "number", "warnings", "left_out"),
            **_columns([row.change for row in rows], "id", "title", "diff"),
            "language": [row.language or None for row in rows],
            "pseudo_references": [list(map(asdict, row.references)) for row in rows],
        },
        change_schema(),
    )


def parquet_of_table(table: "pa.Table") -> bytes:
    """Write a table as the content of a Parquet file."""
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def lists_of(table: "pa.Table", name: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the values of a column of lists one after the other, and the length of each list.

    A null counts as an empty list.
    """
    from pyarrow import compute

    lists = table.column(name).combine_chunks()
    lengths = compute.fill_null(compute.list_value_length(lists), 0)
    values = lists.flatten().to_numpy(zero_copy_only=False)
    return values, lengths.to_numpy(zero_copy_only=False).astype(np.intp)


def maxima_of_table(table: "pa.Table") -> Maxima:
    """Return the best similarities of reviews."""
    of_sentences, n_sentences = lists_of(table, "sentence_maxima")
    of_references, n_references = lists_of(table, "reference_maxima")
    return Maxima(
        of_sentences.astype(np.float64),
        n_sentences,
        of_references.astype(np.float64),
        n_references,
    )


def _columns(rows: Sequence[object], *names: str) -> dict[str, list[Any]]:
    return {name: [getattr(row, name) for row in rows] for name in names}


def _table(columns: dict[str, Any], schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    whole = {name: [_whole(value) for value in values] for name, values in columns.items()}
    return pa.table(whole, schema=schema)


def _whole(value: Any) -> Any:  # noqa: ANN401 - a cell
    """Return a cell with whole texts, as no file can hold others."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list | tuple):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    return value


def _cut(values: NDArray[np.float64], lengths: NDArray[np.intp]) -> list[NDArray[np.float32]]:
    """Cut best similarities, one review after the other, into a list for each review."""
    return np.split(values.astype(np.float32), np.cumsum(lengths)[:-1]) if lengths.size else []


def _without_nan(scores: Iterable[float]) -> list[float | None]:
    return [None if np.isnan(score) else float(score) for score in scores]
