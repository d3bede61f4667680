"""Agreement of scores and other metrics with people, compared with the paper's figures."""

import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.metrics.values import labels_by_name
from crscore_eval.table import Run, is_by_system
from pages.components.current_run import STUDY, current_cache_key, current_key, current_run
from pages.components.require_labels import require_labels
from pages.components.signature import show_signature
from pages.components.study_variant import choose_claims_and_encoder
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error, escape_markdown
from pages.components.validity_figures import cached_tables, show_tables, show_tiles
from pages.components.validity_metrics import show_metrics


def _show_basis(run: Run, *, is_study: bool) -> None:
    """Show the data of all figures."""
    reviews = counted(int(is_by_system(run.reviews).sum()), "review")
    data = f"{run.settings['name']}, {counted(len(run.changes), 'change')}"
    st.markdown(
        f"**{reviews}**, without reference reviews. "
        + escape_markdown(f"Data: {data}.")
        + (" The paper's encoder is mxbai-embed-large-v1." if is_study else "")
    )


@st.fragment
def _show(run: Run) -> None:
    """Show the choice of data and tau, the agreement of scores and metrics, and all tables."""
    is_study = current_key() == STUDY
    top = st.container()
    cache_key = current_cache_key()
    if is_study:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            cache_key, run = choose_claims_and_encoder(cache_key, run)
    tau = run_tau_slider(run)
    with top:
        _show_basis(run, is_study=is_study)
    if not require_labels(run, labels_by_name(run.reviews).values()):
        return
    try:
        tables = cached_tables(cache_key, tau, run, is_study=is_study)
    except InputError as error:
        st.info(describe_error(error))
        return
    show_tiles(tables)
    show_metrics(cache_key, tau, run, is_study=is_study)
    show_tables(tables, run, tau)
    show_signature(run, tau)


run = current_run()
if run is not None:
    _show(run)
