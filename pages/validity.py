"""Agreement of the scores with people, next to the paper's figures, and other metrics."""

import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.data import GROUND_TRUTH
from crscore_eval.export import data_line
from crscore_eval.metrics import labels
from crscore_eval.table import Run
from pages.components.controls import tau_slider
from pages.components.data import STUDY, current_key, current_run, current_state
from pages.components.text import escape_markdown
from pages.components.validity_data import choose_data
from pages.components.validity_metrics import show_metrics
from pages.components.validity_tables import show_answer, show_tables, tables_of

_WIDE = 780  # pixels


def _say_basis(run: Run, *, is_study: bool) -> None:
    """Show what all figures are computed from."""
    reviews = int((run.reviews["system"] != GROUND_TRUTH).sum())
    text = f"**{counted(reviews, 'review')}**, without reference reviews. "
    st.markdown(
        f"{text}{escape_markdown(data_line(run))}."
        + (" The paper's encoder is mxbai-embed-large-v1." if is_study else "")
    )


@st.fragment
def _show(run: Run) -> None:
    """Show the choices, the answer at this tau, the metrics, and the tables below them."""
    is_study = current_key() == STUDY
    top = st.container()
    state = current_state()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if is_study:
            state, run = choose_data(state, run)
        with st.container(width=_WIDE):
            tau = tau_slider(run.settings["encoder"], run.settings["claims"], run.settings["tau"])
    with top:
        _say_basis(run, is_study=is_study)
    if not labels(run.reviews):
        st.info("Nobody has rated these reviews, so agreement with people is unknown.")
        st.page_link("pages/rate.py", label="Rate some of them", icon=":material/star:")
        return
    try:
        tables = tables_of(state, tau, run, is_study=is_study)
    except InputError as error:
        st.info(escape_markdown(str(error)))
        return
    show_answer(run, tables)
    show_metrics(state, tau, run)
    show_tables(tables, run, tau)


run = current_run()
if run is not None:
    _show(run)
