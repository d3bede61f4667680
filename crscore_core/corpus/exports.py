"""Scored reviews as files that people take away, and that every reader of a corpus takes back."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from crscore_core.corpus.reviews import ComparedChange, Reviews
from crscore_core.scoring.references import ReferenceKind, statement_document
from crscore_core.text import csv_text, whole_text

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("csv", "jsonl", "parquet")
"""Endings of the files that `export_reviews` makes."""

_MADE_OF_DIFF = "symbolic"
_NAMES = {
    "review": "id",
    "text": "review",
    "pseudo_references": "n_pseudo_references",
    "sentences": "n_sentences",
}


def made_with(comparison: Reviews, tau: float) -> dict[str, str | float]:
    """The settings behind the scores of a comparison at `tau`; every file repeats them."""
    return {"tau": tau, "encoder": comparison.encoder, "claims_by": comparison.claims}


def export_reviews(comparison: Reviews, tau: float, ending: str) -> bytes:
    """Write all reviews with their changes, ratings and scores at `tau`, in one of `FORMATS`.

    The columns are those of `rows_with_changes`. Import takes the file back without renaming a
    column, with the same changes, reviews, ratings and labels.
    """
    made = made_with(comparison, tau)
    rows = comparison.frame(tau, is_shown=True)
    if ending == "csv":
        return reviews_csv(rows, comparison, made).encode()
    whole = rows_with_changes(rows, comparison, made)
    if ending == "jsonl":
        records = (map(_plain, row) for row in whole.itertuples(index=False, name=None))
        objects = (dict(zip(whole.columns, record, strict=True)) for record in records)
        return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in objects).encode()
    return bytes(whole.to_parquet(compression="zstd", index=False))


def rows_with_changes(
    rows: "pd.DataFrame", comparison: Reviews, made: Mapping[str, Any]
) -> "pd.DataFrame":
    """Rows of `Reviews.frame` with what they are about, named as import knows the columns.

    `id` and `review` (the text) come first, then `change` (an id), `title`, `language`, `diff` and
    `claims`, JSON, empty where they are made of the diff; the other columns of the rows follow,
    then `warnings`, and each row repeats `made`. The index is the position of each review in
    `comparison`.
    """
    numbers = [comparison[position].change for position in rows.index]
    changes = [comparison.changes[number] for number in numbers]
    claims = {number: _claims_text(comparison.changes[number]) for number in set(numbers)}
    named = rows.rename(columns=_NAMES)
    named["title"] = [change.title for change in changes]
    named["diff"] = [change.diff for change in changes]
    named["claims"] = [claims[number] for number in numbers]
    named["warnings"] = ["; ".join(comparison[at].warnings) for at in rows.index]
    first = ["id", "system", "review", "change", "title", "language", "diff", "claims"]
    named = named[[*first, *(name for name in named.columns if name not in first)]]
    for name in (*first, "warnings"):
        named[name] = named[name].map(whole_text, na_action="ignore")
    for name, value in made.items():
        named[name] = value
    return named


def reviews_csv(rows: "pd.DataFrame", comparison: Reviews, made: Mapping[str, Any]) -> str:
    """Write `rows_with_changes` as CSV.

    Empty cells are no score or no rating, and no text is one that a spreadsheet takes for a
    formula.
    """
    whole = rows_with_changes(rows, comparison, made)
    cells = whole.itertuples(index=False, name=None)
    return csv_text([whole.columns, *(map(_plain, row) for row in cells)])


def given_claims(references: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]] | None:
    """Return the claims among pseudo-references as import reads them.

    None where all of them are made of the diff, as import makes them again.
    """
    claims = [one for one in references if one["kind"] != ReferenceKind.SMELL]
    return None if all(one["source"] == _MADE_OF_DIFF for one in claims) else claims


def _claims_text(change: ComparedChange) -> str | None:
    claims = given_claims(list(map(statement_document, change.references)))
    return None if claims is None else json.dumps(claims, ensure_ascii=False)


def _plain(value: object) -> object:
    """A number or text as Python's own; None for NaN."""
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain
