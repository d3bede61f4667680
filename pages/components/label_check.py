"""The check that people rated or labelled enough reviews to compare scores with."""

import streamlit as st

from crscore_core.text import counted
from crscore_eval.metrics import labels_by_name
from crscore_eval.statistics import MIN_CHANGES
from crscore_eval.table import Run


def has_enough_labels(run: Run) -> bool:
    """Return True if people rated or labelled reviews of enough changes; otherwise say so."""
    changes = run.reviews["change"]
    labels = labels_by_name(run.reviews).values()
    n_changes = max((changes[label.notna()].nunique() for label in labels), default=0)
    if n_changes >= MIN_CHANGES:
        return True
    rated = f"People rated reviews of {counted(n_changes, 'change')}; {MIN_CHANGES} are needed."
    st.info(rated if n_changes else "Nobody has rated these reviews.")
    st.page_link("pages/rate.py", label="Rate some of them", icon=":material/star:")
    return False
