"""Choice of a measure, and the ratings needed to compare it with people."""

from collections.abc import Iterable, Mapping

import pandas as pd
import streamlit as st

from crscore_core.text import counted
from crscore_eval.metrics.values import named_measure
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import DEFAULT_MEASURE, PEOPLE, Run, measure_names
from pages.components.url import choose_option

_DEFAULT_ORDER = "by default"


def choose_measure(run: Run, *, for_systems: bool = False) -> str | None:
    """Offer the measures of the reviews; return the choice, stored in the URL as `measure`.

    With `for_systems`, the choice is separate, is stored as `by`, and includes people's ratings. It
    defaults to None, which leaves the choice to `order_systems`.
    """
    names = [name for name in measure_names(run.reviews) if for_systems or name != PEOPLE]
    titles = {name: named_measure(run, name).title for name in names}
    default = DEFAULT_MEASURE
    if for_systems:
        default = _DEFAULT_ORDER
        titles = {_DEFAULT_ORDER: "automatic"} | titles
    chosen = choose_option(
        "Order by" if for_systems else "Measure",
        titles,
        "by" if for_systems else "measure",
        default,
        help="Relevance, conciseness and comprehensiveness depend on tau; the others do not. "
        "By default, reviewers are ordered by people's ratings of worth if there are enough, "
        "otherwise by their ratings of relevance, otherwise by relevance.",
        width=280,
    )
    return None if chosen == _DEFAULT_ORDER else chosen


def choose_label(headings: Mapping[str, str]) -> str:
    """Offer people's ratings and labels by their headings; the choice is in the URL as `label`."""
    first = next(iter(headings))
    return choose_option("People's rating or label", headings, "label", first, width=330)


def require_labels(run: Run, labels: Iterable["pd.Series[float]"]) -> bool:
    """Return True if one of `labels` covers enough changes; otherwise, show what is missing."""
    changes = run.reviews["change"]
    n_changes = max((changes[label.notna()].nunique() for label in labels), default=0)
    if n_changes >= MIN_CHANGES:
        return True
    covered = f"{n_changes:,} of {counted(changes.nunique(), 'change')} have them"
    st.info(f"Ratings or labels of at least {MIN_CHANGES} changes are needed here; {covered}.")
    if changes.nunique() < MIN_CHANGES:
        st.page_link("pages/data.py", label="Choose other data", icon=":material/database:")
        return False
    st.page_link(
        "pages/rate.py",
        label="Rate some reviews",
        icon=":material/star:",
        query_params={"questions": "metric"},
    )
    return False
