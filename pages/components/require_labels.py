"""The check that people rated or labelled enough reviews to compare a measure with them."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from crscore_core.text import counted
from crscore_eval.formatting import capitalize_first
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import Run, no_ratings_error
from pages.components.text import escape_markdown


def require_labels(run: Run, labels: Iterable["pd.Series[float]"]) -> bool:
    """Return True if one of `labels` has values in enough changes; otherwise say so."""
    changes = run.reviews["change"]
    n_changes = max((changes[label.notna()].nunique() for label in labels), default=0)
    if n_changes >= MIN_CHANGES:
        return True
    n_in_run = changes.nunique()
    if n_in_run < MIN_CHANGES:
        has = f"this run has only {counted(n_in_run, 'change')}"
        st.info(f"Ratings of at least {MIN_CHANGES} changes are needed here, and {has}.")
        st.page_link("pages/data.py", label="Choose other data", icon=":material/database:")
        return False
    few = f"Ratings or labels cover only {counted(n_changes, 'change')}."
    if not n_changes:
        few = f"{escape_markdown(capitalize_first(no_ratings_error(run.reviews).problem))}."
    st.info(f"{few} Ratings of at least {MIN_CHANGES} changes are needed here.")
    st.page_link("pages/rate.py", label="Rate some of them", icon=":material/star:")
    return False
