"""Ways to a review: the one before or after it, and a list of which a person chooses a row."""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.reviews import Reviews
from pages.components.text import safe_table

_HEIGHT = 320
_FEW = 8


def walk(
    reviews: Reviews, positions: NDArray[np.intp], shown: int | None, go: Callable[[str], None]
) -> None:
    """Show buttons to the reviews before and after the one that is shown, and its place.

    `positions` are those of the reviews to walk through, in order; `go` takes the id of one.
    """
    found = np.flatnonzero(positions == shown)
    place = int(found[0]) if found.size else None
    after = 0 if place is None else place + 1
    for label, icon, key, to in (
        ("Previous", ":material/arrow_back:", "P", None if not place else place - 1),
        ("Next", ":material/arrow_forward:", "N", after if after < positions.size else None),
    ):
        st.button(
            label,
            key=f"walk_{label.lower()}",
            icon=icon,
            shortcut=key,
            disabled=to is None,
            on_click=go,
            args=(None if to is None else reviews.ids[positions[to]],),
        )
    if place is not None:
        st.markdown(f"**{place + 1:,} of {positions.size:,}**", width="content")
    elif shown is not None:
        st.markdown(f"not among the {positions.size:,} of the list", width="content")


def show_review_list(
    name: str, rows: pd.DataFrame, shown: Sequence[int], keep: str, config: dict[str, Any]
) -> None:
    """Show reviews, with the rows `shown` chosen.

    A row that a person chooses puts its value in the column `id` under the session's key `keep`.
    `config` has what Streamlit shall know of columns.
    """
    ids = [str(review_id) for review_id in rows["id"]]
    # Another list has another key: what was chosen in one of other rows means nothing in it.
    digest = hashlib.blake2b(repr(ids).encode("utf-8", "surrogatepass"), digest_size=8)
    key = f"{name}_list_{digest.hexdigest()}"
    st.session_state[key] = {"selection": {"rows": list(shown)}}
    st.dataframe(
        safe_table(rows),
        key=key,
        hide_index=True,
        height=_HEIGHT if len(rows) > _FEW else "auto",
        on_select=functools.partial(_choose, key, ids, list(shown), keep),
        selection_mode="single-row",
        column_config=config,
        alt=f"{len(rows):,} reviews; choose a row to see the review below.",
    )


def _choose(key: str, ids: Sequence[str], shown: list[int], keep: str) -> None:
    """Take the chosen row, unless the page itself chose it."""
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows != shown and rows[0] < len(ids):
        st.session_state[keep] = ids[rows[0]]
