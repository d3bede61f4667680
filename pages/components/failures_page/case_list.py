"""The list of reviews, from which one is chosen."""

import functools
import hashlib

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from pages.components.failures_page.rows import Cases
from pages.components.failures_page.rule import SCORE_NAMES
from pages.components.names import system_name
from pages.components.text import shorten

__all__ = ["CASE", "MOST_LISTED", "show_list"]

CASE = "case"
"""The key of the review that is shown, by its id; in the URL under the same name."""

MOST_LISTED = 1_000
"""What one list holds; the filters find the others."""

_TEXT_WIDTH = 200
_HEIGHT = 320
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_RATING = st.column_config.NumberColumn(format="%.3g")


def show_list(cases: Cases, positions: NDArray[np.intp], case: int | None) -> None:
    """Show the reviews at these positions in this order, the row of the case chosen.

    A row that is chosen becomes the case.
    """
    listed = positions[:MOST_LISTED]
    ids = [cases.source.comparison.reviews[at].id for at in listed]
    # Another list has another key: what was chosen in one of other rows means nothing in it.
    digest = hashlib.blake2b(listed.tobytes(), digest_size=8).hexdigest()
    key = f"failures_list_{digest}"
    shown = np.flatnonzero(listed == case).tolist()
    st.session_state[key] = {"selection": {"rows": shown}}
    st.dataframe(
        _columns(cases, listed),
        key=key,
        hide_index=True,
        height=_HEIGHT if len(listed) > 8 else "auto",
        on_select=functools.partial(_choose, key, ids, shown),
        selection_mode="single-row",
        column_config={
            **dict.fromkeys(SCORE_NAMES.values(), _NUMBER),
            **dict.fromkeys((f"people's {name}" for name in DIMENSIONS), _RATING),
        },
        alt=f"{len(listed):,} reviews; choose a row to see the review below.",
    )


def _choose(key: str, ids: list[str], shown: list[int]) -> None:
    """Take the row for the case, but for the one chosen for the person, which comes back too."""
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows != shown and rows[0] < len(ids):
        st.session_state[CASE] = ids[rows[0]]


def _columns(cases: Cases, listed: NDArray[np.intp]) -> pd.DataFrame:
    rows = cases.rows.iloc[listed]
    columns: dict[str, object] = {}
    score = "relevance"
    if cases.chosen is not None and cases.failures is not None:
        score = cases.chosen.score
        dimension = cases.failures.compared.dimension
        columns["failure"] = rows["failure"]
        columns[SCORE_NAMES[score]] = rows[score]
        columns[f"people's {dimension}"] = rows[f"human_{dimension}"]
    else:
        columns[SCORE_NAMES[score]] = rows[score]
    columns |= {
        "system": [system_name(cases.source, system) for system in rows["system"]],
        "language": rows["language"],
        "change": rows["change"],
        "review": [shorten(text, _TEXT_WIDTH) for text in rows["text"]],
        "words": rows["words"],
        "pseudo-references": rows["pseudo_references"],
        "inline code": rows["inline_code"],
        "id": rows["review"],
    }
    return pd.DataFrame(columns)
