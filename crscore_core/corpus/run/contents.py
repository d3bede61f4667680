"""A comparison of reviews <-> the tables of a run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import (
    ComparedChange,
    ComparedReview,
    CorpusComparison,
    LeftOut,
)
from crscore_core.corpus.model import DIMENSIONS, UNRATED, Ratings
from crscore_core.corpus.reading import label_column
from crscore_core.corpus.reading.importing import UniqueIds
from crscore_core.corpus.run.document import RunDocument
from crscore_core.corpus.run.folder import RunFolder, part_name
from crscore_core.corpus.run.table import (
    RunChange,
    RunReview,
    lists_of,
    pieces,
    reviews_part,
)
from crscore_core.scoring import Precision, usual_tau
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.scoring.signature import package_version

if TYPE_CHECKING:
    import pyarrow as pa

_PEOPLE = [f"human_{name}" for name in DIMENSIONS]

_PLAIN = ("change", "id", "system", "n_pseudo_references", "n_sentences")
_READ = ("text", "pseudo_references", "sentences", "similarity", "warnings")

SHOWN_COLUMNS = [*_PLAIN, *_PEOPLE, *_READ]
"""Columns of the reviews that `comparison_of_tables` reads."""


def write_comparison(
    folder: RunFolder,
    comparison: CorpusComparison,
    name: str,
    corpus: str = "",
    *,
    created: datetime | None,
) -> None:
    """Write a comparison as a run, scored at the tau of its encoder.

    See `RunDocument` for name, corpus and created.

    Raises:
        BatchError: a file cannot be written.
        CorpusError: a text that no Parquet file can hold.
    """
    tau = usual_tau(comparison.encoder, comparison.claims)
    cut = pieces(_reviews(comparison), lambda review: len(review.text) + review.similarity.size)
    parts = tuple(
        folder.write_part(part_name(number), reviews_part(number, reviews, tau, comparison.labels))
        for number, reviews in enumerate(cut)
    )
    folder.finish(
        RunDocument(
            {
                "encoder": comparison.encoder,
                "precision": comparison.precision,
                "claims": comparison.claims,
                "analyzers": comparison.analyzers,
                "tau": tau,
                "version": package_version(),
            },
            len(comparison.changes) + len(comparison.left_out),
            0,
            parts,
            folder.write_changes(_changes(comparison)),
            name,
            corpus,
            None if created is None else created.isoformat(),
            comparison.warnings,
            comparison.labels,
        )
    )


def _changes(comparison: CorpusComparison) -> Iterator[RunChange]:
    for number, change in enumerate(comparison.changes):
        yield RunChange(
            number, change.id, change.language, change.title, change.diff, change.references
        )
    for number, bare in enumerate(comparison.left_out, start=len(comparison.changes)):
        yield RunChange(number, bare.id, "", "", "", left_out=bare.reason)


def _reviews(comparison: CorpusComparison) -> Iterator[RunReview]:
    texts = [
        tuple(reference.text for reference in change.references) for change in comparison.changes
    ]
    for position, review in enumerate(comparison.reviews):
        yield RunReview(
            position + 1,
            review.change,
            review.id,
            review.system,
            comparison.changes[review.change].language,
            review.text,
            review.ratings,
            review.sentences,
            review.similarity,
            review.warnings,
            references=None if review.references == texts[review.change] else review.references,
            labels=review.labels,
        )


def comparison_of_tables(
    document: RunDocument,
    changes: Iterable["pa.Table"],
    reviews: Iterable["pa.Table"],
    labels: Sequence[str],
    warnings: Sequence[str],
) -> CorpusComparison:
    """Make a comparison of the tables of a run, whose reviews have columns of these labels.

    Raises:
        KeyError, IndexError, TypeError, ValueError: the tables do not fit each other.
    """
    compared: list[ComparedChange] = []
    left_out: list[LeftOut] = []
    remarks = list(warnings)
    position: dict[int, int] = {}
    ids = UniqueIds()
    for row in (row for table in changes for row in table.to_pylist()):
        change_id = ids.take(row["id"])
        remarks += (f"{change_id}: {warning}" for warning in row["warnings"])
        if row["left_out"] is not None:
            left_out.append(LeftOut(change_id, row["left_out"]))
            continue
        references = tuple(
            PseudoReference(
                **{
                    **values,
                    "kind": ReferenceKind(values["kind"]),
                    "wordings": tuple(values["wordings"]),
                }
            )
            for values in row["pseudo_references"]
        )
        position[row["number"]] = len(compared)
        compared.append(
            ComparedChange(change_id, row["language"] or "", row["diff"], references, row["title"])
        )
    texts = [tuple(reference.text for reference in change.references) for change in compared]
    read = [review for table in reviews for review in _compared(table, position, texts, labels)]
    return CorpusComparison(
        str(document.settings["encoder"]),
        str(document.settings["claims"]),
        tuple(compared),
        tuple(left_out),
        tuple(_with_own_ids(read, compared)),
        tuple(remarks),
        analyzers=bool(document.settings["analyzers"]),
        precision=Precision(document.settings["precision"]),
    )


def _compared(
    table: "pa.Table",
    position: Mapping[int, int],
    texts: Sequence[tuple[str, ...]],
    labels: Sequence[str],
) -> Iterator[ComparedReview]:
    """Reviews of a part whose changes have pseudo-references; their matrices share memory."""
    columns: list[Iterable[Any]] = [
        table.column(name).to_pylist()
        for name in (*_PLAIN, "text", "pseudo_references", "warnings", *_PEOPLE)
    ]
    columns += (_cut_lists(table, name) for name in ("sentences", "similarity"))
    judged = [table.column(label_column(name)).to_pylist() for name in labels]
    columns.append(zip(*judged, strict=True) if judged else [()] * table.num_rows)
    for (
        number, review_id, system, n_rows, n_columns, text, references, warnings, *ratings,
        sentences, similarity, values,
    ) in zip(*columns, strict=True):  # fmt: skip
        at = position.get(number)
        if at is None:
            continue
        yield ComparedReview(
            at,
            review_id,
            system,
            text,
            UNRATED if ratings == [None] * len(DIMENSIONS) else Ratings(*ratings),
            texts[at] if references is None else tuple(references),
            tuple(sentences.tolist()),
            similarity.reshape(n_rows, n_columns),
            {name: value for name, value in zip(labels, values, strict=True) if value is not None},
            tuple(warnings or ()),
        )


def _cut_lists(table: "pa.Table", name: str) -> list[NDArray[Any]]:
    """Return the list of each row, all of them views of one array."""
    values, lengths = lists_of(table, name)
    return np.split(values, np.cumsum(lengths)[:-1]) if lengths.size else []


def _with_own_ids(
    reviews: Sequence[ComparedReview], changes: Sequence[ComparedChange]
) -> Iterator[ComparedReview]:
    """Give each review an id that no other has; most have one already."""
    counts = Counter(review.id for review in reviews)
    ids = UniqueIds(review_id for review_id, count in counts.items() if count == 1)
    for review in reviews:
        if counts[review.id] > 1:
            own = ids.take(f"{changes[review.change].id}/{review.system}")
            yield replace(review, id=own)
        else:
            yield review
