"""Systems in order of people's ratings or of a measure, and where their reviews differ."""

import streamlit as st

from crscore_core.errors import InputError
from crscore_eval.export.shown import pairs_caption, pairs_table, systems_caption
from crscore_eval.metrics.values import figures_signature
from crscore_eval.ranking.order import (
    Order,
    answered_measures,
    deciding_measure,
    mean_words,
    order_systems,
)
from crscore_eval.ranking.verdict import order_basis, verdict
from crscore_eval.table import DIMENSIONS, PEOPLE_ORDER, SCORES, Run
from pages.components.current_run import current_cache_key, current_run, system_title
from pages.components.downloads import offer_run, offer_tables, show_signature
from pages.components.measure_choice import choose_measure
from pages.components.rankings_runs import choose_earlier_run, show_two_runs
from pages.components.rankings_systems import choose_subset, show_changes, show_systems
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error, escape_markdown
from pages.components.url import choose_view

_VIEWS = {"systems": "Systems", "runs": "Two runs"}


@st.cache_data(max_entries=16, show_spinner="Comparing systems")
def _order(cache_key: str, part: str, by: str | None, tau: float | None, _run: Run) -> Order:  # noqa: ARG001 - keys
    return order_systems(_run, by, tau)


def _show_verdict(order: Order) -> None:
    heading, *others = map(escape_markdown, verdict(order, system_title))
    st.markdown("\n".join([f"## {heading}", *(f"- {sentence}" for sentence in others)]))
    st.caption(escape_markdown(order_basis(order)))


@st.fragment
def _show(run: Run) -> None:
    is_two_runs = choose_view("View", _VIEWS, "rankings_view") == "runs"
    top = st.container()
    with st.container(horizontal=True):
        earlier = choose_earlier_run() if is_two_runs else None
        by = choose_measure(run, for_systems=True)
        decides = deciding_measure(run)
        whole = run
        part, run = choose_subset(run)
        chosen = by
        if by is None and decides in answered_measures(run):
            by = decides  # even if the part alone has too few answers
    tau = run_tau_slider(run)
    if is_two_runs:
        if earlier is None:
            st.info("Choose a run to compare with, such as the reviews of an earlier prompt.")
        else:
            show_two_runs(run, whole, earlier, chosen, tau)
        return
    depends_on_tau = by is None or by in {*DIMENSIONS, *PEOPLE_ORDER}
    try:
        order = _order(current_cache_key(), part, by, tau if depends_on_tau else None, run)
    except InputError as error:
        top.info(describe_error(error))
        return
    with top:
        _show_verdict(order)
        offer_run(run, tau, by)
    tables = {"Systems": show_systems(order, mean_words(run))}
    notes = {"Systems": systems_caption(order), "Pairs of systems": pairs_caption(order)}
    if not order.left_out.empty:
        st.caption(
            "Not compared: "
            + ", ".join(
                escape_markdown(f"{system_title(system)} ({reason})")
                for system, reason in order.left_out[["system", "reason"]].to_numpy().tolist()
            )
        )
    if not order.pairs.empty:
        with st.expander(f"All pairs of systems: {len(order.pairs):,}"):
            tables["Pairs of systems"] = pairs_table(order, system_title)
            show_texts(tables["Pairs of systems"])
            st.caption(escape_markdown(notes["Pairs of systems"]))
    of = f"by {order.by.title}, {run.settings['name']}"
    titled = {f"{name} {of}": table for name, table in tables.items() if len(table)}
    noted = {f"{name} {of}": note for name, note in notes.items()}
    measures = [one.name for one in (order.by, order.other_measure) if one]
    signature = figures_signature(run.settings, measures, tau)
    named = dict(zip(("measure", "other_measure"), measures, strict=False))
    offer_tables("Rankings", order.systems.assign(**named), titled, noted, signature)
    if len(order.systems) > 1:
        st.header("Where systems differ", anchor=False)
        show_changes(run, order, tau)
    scored = [one.title for one in (order.by, order.other_measure) if one and one.name in SCORES]
    show_signature(signature, " and ".join(scored) or "the figures")


run = current_run()
if run is not None:
    _show(run)
