"""Tables of a run as Parquet: a row a review with its scores, a row a change."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.corpus.reading import label_column
from crscore_core.errors import CorpusError
from crscore_core.scoring.metric import Maxima
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import whole_text

if TYPE_CHECKING:
    import pyarrow as pa

ItemT = TypeVar("ItemT")

_MOST_CHARACTERS = 8_000_000
_ROWS_A_FILE = 1000


@dataclass(frozen=True, slots=True, eq=False)
class RunReview:
    """A review as a run keeps it; `similarity` is float32, (n pseudo-references, n sentences).

    `row` is its number in the corpus, `change` the number of its change. `references` are the
    texts of the pseudo-references where somebody chose others than those of the change.
    """

    row: int
    change: int
    id: str
    system: str
    language: str
    text: str
    ratings: Ratings
    sentences: Sequence[str]
    similarity: NDArray[np.float32]
    warnings: Sequence[str] = ()
    signature: str | None = None
    references: Sequence[str] | None = None
    labels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunChange:
    """A change as a run keeps it; `left_out` says why its reviews have no scores, None if so."""

    number: int
    id: str
    language: str
    title: str
    diff: str
    references: Sequence[PseudoReference] = ()
    warnings: Sequence[str] = ()
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The content of a file of a run: its number, rows, and those of them without scores."""

    number: int
    rows: int
    unscored: int
    content: bytes


class Filling:
    """Numbers of groups that are filled one after the other, each with at most `most` members."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._number = self._taken = self._characters = 0

    def take(self, characters: int) -> int:
        """Return the group that has room for a member of so many characters."""
        full = self._taken >= self._most or self._characters + characters > _MOST_CHARACTERS
        if self._taken and full:
            self._number += 1
            self._taken = self._characters = 0
        self._taken += 1
        self._characters += characters
        return self._number


def pieces(items: Iterable[ItemT], size: Callable[[ItemT], int]) -> Iterator[list[ItemT]]:
    """Cut items into lists that fit into memory; `size` counts the characters of an item."""
    filling = Filling(_ROWS_A_FILE)
    for _, group in groupby(items, lambda item: filling.take(size(item))):
        yield list(group)


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
        "text": text, "pseudo_references": texts, "sentences": texts, "similarity": numbers,
        **{label_column(name): pa.float64() for name in labels},
    }  # fmt: skip
    return pa.schema(list(columns.items()))


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
    return pa.schema(list(columns.items()))


def reviews_part(
    number: int, reviews: Sequence[RunReview], tau: float, labels: Sequence[str] = ()
) -> ScoredPart:
    """Score reviews at `tau` and write them as a part; the same reviews give the same bytes.

    `labels` names those of the whole run, which every part has a column of. A review without
    sentences or without pseudo-references has null scores.

    Raises:
        CorpusError: a text that no Parquet file can hold.
    """
    maxima = Maxima.of(review.similarity for review in reviews)
    scores = maxima.at([tau])
    columns: dict[str, list[Any]] = {
        **_columns(reviews, "row", "id", "system", "change", "warnings"),
        **_columns(reviews, "signature", "text", "sentences"),
        "language": [review.language or None for review in reviews],
        **{name: _without_nan(getattr(scores, name)[0]) for name in DIMENSIONS},
        "no_threshold": _without_nan(maxima.no_threshold()[-1]),
        "tau": [tau] * len(reviews),
        "n_pseudo_references": [review.similarity.shape[0] for review in reviews],
        "n_sentences": [review.similarity.shape[1] for review in reviews],
        "sentence_maxima": _cut(maxima.of_sentences, maxima.n_sentences),
        "reference_maxima": _cut(maxima.of_references, maxima.n_references),
        **{
            f"human_{name}": ratings
            for name, ratings in _columns([each.ratings for each in reviews], *DIMENSIONS).items()
        },
        "pseudo_references": [review.references for review in reviews],
        "similarity": [np.ravel(review.similarity) for review in reviews],
        **{label_column(name): [each.labels.get(name) for each in reviews] for name in labels},
    }
    unscored = sum(score is None for score in columns["relevance"])
    return ScoredPart(number, len(reviews), unscored, _parquet(columns, review_schema(labels)))


def changes_part(number: int, changes: Sequence[RunChange]) -> ScoredPart:
    """Write changes as a part, of which those left out count as unscored.

    Raises:
        CorpusError: a text that no Parquet file can hold.
    """
    columns = {
        **_columns(changes, "number", "id", "title", "diff", "warnings", "left_out"),
        "language": [change.language or None for change in changes],
        "pseudo_references": [
            [
                {
                    **asdict(reference),
                    "text": whole_text(reference.text),
                    "wordings": list(map(whole_text, reference.wordings)),
                }
                for reference in change.references
            ]
            for change in changes
        ],
    }
    unscored = sum(change.left_out is not None for change in changes)
    return ScoredPart(number, len(changes), unscored, _parquet(columns, change_schema()))


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


def _columns(rows: Sequence[object], *names: str) -> dict[str, list[Any]]:
    return {name: [getattr(row, name) for row in rows] for name in names}


def _parquet(columns: dict[str, Any], schema: "pa.Schema") -> bytes:
    import pyarrow as pa

    try:
        return parquet_of_table(pa.table(columns, schema=schema))
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise CorpusError(f"the run holds what no Parquet file can ({error})") from error


def _cut(values: NDArray[np.float64], lengths: NDArray[np.intp]) -> list[NDArray[np.float32]]:
    """Cut best similarities, one review after the other, into a list for each review."""
    return np.split(values.astype(np.float32), np.cumsum(lengths)[:-1]) if lengths.size else []


def _without_nan(scores: Iterable[float]) -> list[float | None]:
    return [None if np.isnan(score) else float(score) for score in scores]
