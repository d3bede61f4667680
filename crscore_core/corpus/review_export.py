"""Chosen reviews of a corpus with their scores, as files to take away."""

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.review_case import review_case
from crscore_core.text import as_cell

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["made_with", "reviews_csv", "reviews_document"]


def made_with(comparison: CorpusComparison, tau: float) -> dict[str, str | float]:
    """How the scores of a comparison at `tau` came about, as `made` says in every file."""
    return {"tau": tau, "encoder": comparison.encoder, "claims": comparison.claims}


def reviews_csv(rows: "pd.DataFrame", made: Mapping[str, str | float]) -> str:
    """Rows of a `ReviewTable`, with further columns if they have any, as CSV.

    `made` says in every row how the scores came about. Empty cells are no score or no rating,
    and no text is one that a spreadsheet takes for a formula.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*rows.columns, *made])
    for row in rows.itertuples(index=False, name=None):
        writer.writerow([as_cell(_value(value)) for value in (*row, *made.values())])
    return text.getvalue()


def reviews_document(
    rows: "pd.DataFrame", comparison: CorpusComparison, tau: float, made: Mapping[str, str | float]
) -> dict[str, Any]:
    """The same rows as a document, each with what its parts add to the scores at `tau`.

    The index of `rows` is the position of each review in `comparison`. None is no score or no
    rating.
    """
    return {
        **made,
        "reviews": [
            {name: _value(value) for name, value in zip(rows.columns, row, strict=True)}
            | _parts(comparison, position, tau)
            for position, row in zip(
                rows.index, rows.itertuples(index=False, name=None), strict=True
            )
        ],
    }


def _parts(comparison: CorpusComparison, position: int, tau: float) -> dict[str, Any]:
    case = review_case(comparison, position, tau)
    return {
        "title": case.change.title,
        "compared_with": [
            asdict(one.reference)
            | {"covered": one.is_covered, "best_similarity": one.best_similarity}
            for one in case.references
        ],
        "said": [
            {
                "text": one.text,
                "on_topic": one.is_on_topic,
                "best_similarity": one.best_similarity,
                "best_reference": one.best_reference,
            }
            for one in case.sentences
        ],
    }


def _value(value: object) -> object:
    """A number or text as Python's own; None where there is none."""
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain
