"""A file as it is understood: its first reviews, and the rows that are set aside."""

import itertools

import pandas as pd
import streamlit as st

from crscore_core.corpus.model import DIMENSIONS, Corpus
from crscore_core.corpus.reading import ImportedCorpus, RejectedRow
from crscore_core.text import as_cell
from pages.components.data_page.counted import counted
from pages.components.markup import text_table

__all__ = ["show_import"]

_REVIEWS = 5
_MOST_LINES = 6
_MOST_CHARACTERS = 400
_MOST_REJECTED = 50


def show_import(imported: ImportedCorpus) -> None:
    """Show what is understood of a file, and what is not."""
    corpus = imported.corpus
    n_reviews = sum(len(change.reviews) for change in corpus.changes)
    n_rated = sum(
        any(getattr(review.ratings, name) is not None for name in DIMENSIONS)
        for change in corpus.changes
        for review in change.reviews
    )
    st.markdown(
        f"**{counted(n_reviews, 'review')}** of **{counted(len(corpus.changes), 'change')}**, "
        f"{n_rated:,} with ratings; **{counted(len(imported.rejected), 'row')}** set aside."
    )
    if imported.rejected:
        _show_rejected(imported.rejected)
    if n_reviews:
        st.markdown("The first reviews, as they are understood:")
        text_table(_first(corpus), wide=("review", "diff"))


def _first(corpus: Corpus) -> list[dict[str, object]]:
    reviews = ((change, review) for change in corpus.changes for review in change.reviews)
    return [
        {
            "id": review.id,
            "change": change.id,
            "system": review.system,
            "language": change.language or "by the diff",
            "review": _beginning(review.text),
            "diff": _beginning(change.diff),
            **{name: getattr(review.ratings, name) for name in DIMENSIONS},
        }
        for change, review in itertools.islice(reviews, _REVIEWS)
    ]


def _beginning(text: str) -> str:
    lines = text[:_MOST_CHARACTERS].split("\n")[:_MOST_LINES]
    beginning = "\n".join(lines)
    return beginning if beginning == text else f"{beginning} …"


def _show_rejected(rejected: tuple[RejectedRow, ...]) -> None:
    rows = pd.DataFrame(
        {
            "row": [row.number for row in rejected],
            "reason": [row.reason for row in rejected],
            "begins with": [row.excerpt for row in rejected],
        }
    )
    st.warning(
        "These rows cannot be used. The others are kept; to have these too, set them right in the "
        "file and give it again."
    )
    text_table(rows, wide=("reason",), most_rows=_MOST_REJECTED)
    st.download_button(
        "Download them as CSV",
        lambda: rows.map(as_cell).to_csv(index=False),
        "rejected-rows.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
