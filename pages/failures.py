"""Reviews on which metric and people disagree."""

import streamlit as st

from pages.components.failures_browse import show_cases
from pages.components.failures_common import show_common
from pages.components.failures_rule import Cases, choose_rule, judgements
from pages.components.failures_scatter import choose_in_scatter
from pages.components.offers import choose_view
from pages.components.source.model import Source
from pages.components.source.switch import current_source, lead_to_data
from pages.components.tau import tau_slider

_VIEWS = ("Cases", "What they have in common")


@st.fragment
def _show(source: Source) -> None:
    """Show all that depends on tau."""
    tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    choices = judgements(source)
    if not choices:
        lead_to_data(
            "Failure cases are reviews that people rate far better or worse than the metric does, "
            "and nobody rated these. Import a file with the columns `conciseness`, "
            "`comprehensiveness` or `relevance`, each from 1 to 5, or with labels such as "
            "`label_useful`, 0 or 1, beside the reviews. Until then, this page lists them, those "
            "first that predicted relevance and Rel place most differently."
        )
        show_cases(Cases(source, tau, source.table.at(tau)), frozenset())
        return
    rows = source.table.at(tau)
    chosen = choose_rule(source, rows, choices)
    if chosen is None:
        return
    cases = Cases(source, tau, rows, chosen)
    if cases.failures is None:
        return
    points = choose_in_scatter(cases, cases.failures, chosen)
    if choose_view("View", _VIEWS, "failures_view") == _VIEWS[1]:
        show_common(cases, cases.failures)
    else:
        show_cases(cases, points)


st.title("Failure cases")
st.markdown(
    "Reviews that the metric **underestimates**, with a low score although people rate them well, "
    "or **overestimates**, with a high score although people rate them badly: which, and why."
)
source = current_source()
if source is not None:
    _show(source)
