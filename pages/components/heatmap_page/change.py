"""What the matrix is about, and what has none."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from crscore_core.corpus.comparison import CorpusComparison, LeftOut
from pages.components.heatmap_page.choice import Choice
from pages.components.markup import diff_view, plain_text

__all__ = ["show_change", "show_left_out"]

_MOST_ROWS = 500


def show_change(comparison: CorpusComparison, choice: Choice) -> None:
    """The diff, and the review if it is one, behind a line to click at."""
    change = comparison.changes[choice.change]
    with st.expander("The change and its review" if len(choice.reviews) == 1 else "The change"):
        if len(choice.reviews) == 1:
            plain_text(comparison.reviews[choice.reviews[0]].text)
        if change.diff:
            diff_view(change.diff, change.language or None)
        else:
            st.caption("The diff is not known.")
    if choice.left_out:
        st.info(
            f"The first {len(choice.reviews)} reviews are side by side; the change has "
            f"{choice.left_out:,} more."
        )


def show_left_out(left_out: Sequence[LeftOut]) -> None:
    """The changes that have no matrix, and why."""
    if not left_out:
        return
    with st.expander(f"Changes that have no matrix: {len(left_out):,}"):
        rows = [{"change": one.id, "why": one.reason} for one in left_out[:_MOST_ROWS]]
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        if len(left_out) > _MOST_ROWS:
            st.caption(f"The first {_MOST_ROWS} of them.")
