"""Reviews on which a measure and people disagree."""

import streamlit as st

from pages.components.failures_browse import show_cases, show_list
from pages.components.failures_common import show_common
from pages.components.failures_rule import choose_cases_of, is_rated
from pages.components.failures_scatter import choose_in_scatter
from pages.components.layout import two_columns
from pages.components.offers import choose_view
from pages.components.source.model import Source
from pages.components.source.switch import current_source, lead_to_data

_VIEWS = ("List", "What they have in common")


@st.fragment
def _show(source: Source) -> None:
    """Show all that depends on tau."""
    cases = choose_cases_of(source)
    if cases is None:
        return
    if not cases.failures.judged.size:
        st.info("No review has both a value of the measure and what it is compared with.")
        return
    left, right = two_columns()
    with left:
        points = choose_in_scatter(cases)
    listed = show_cases(cases, points, right)
    if choose_view("View", _VIEWS, "failures_view") == _VIEWS[1]:
        show_common(cases)
    else:
        show_list(cases, listed)


st.markdown(
    "Reviews that a measure **underestimates**, ranking them low although people rate them well, "
    "or **overestimates**, ranking them high although people rate them badly: which, and why."
)
source = current_source()
if source is not None:
    if is_rated(source) or source.comparison.labels:
        _show(source)
    else:
        lead_to_data(
            "Nobody rated these reviews, so nothing says where a measure is wrong. Rate some of "
            "them, or import a file with the columns `conciseness`, `comprehensiveness` or "
            "`relevance`, each from 1 to 5, or with labels such as `label_useful`, 0 or 1."
        )
        st.page_link("pages/rate.py", label="Rate reviews", icon=":material/star:")
