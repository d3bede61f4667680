"""Agreement of scores and other metrics with people, compared with the paper's figures."""

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.data.shipped import shipped_pairs, shipped_study
from crscore_eval.formatting import figure_cell
from crscore_eval.metrics.values import labels_by_name
from crscore_eval.table import Run, is_by_system, run_signature
from crscore_eval.validity.shown_tables import INTERVALS_NOTE, shown_tables, wide_table
from crscore_eval.validity.tables import agreement_rows, validity_tables
from pages.components.current_run import STUDY, current_cache_key, current_key, current_run
from pages.components.downloads import offer_tables, show_signature
from pages.components.measure_choice import require_labels
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error, escape_markdown
from pages.components.url import choose_option
from pages.components.validity_metrics import show_metrics


@st.cache_data(max_entries=16, show_spinner="Resampling changes")
def _tables(cache_key: str, tau: float, _run: Run, *, is_study: bool) -> pd.DataFrame:  # noqa: ARG001 - a key
    study = (shipped_study(), shipped_pairs()) if is_study else ()
    return validity_tables(_run, tau, *study)


def _show_agreement(tables: pd.DataFrame) -> None:
    rows = agreement_rows(tables)
    if rows.empty:
        return
    st.header("Spearman's correlation of relevance with people", anchor=False)
    figures = rows[["recomputed", "low", "high"]].to_numpy()
    table = pd.DataFrame({"of": rows["of"], "at": rows["at"]}).assign(
        **{"correlation (95% interval)": [figure_cell(*row) for row in figures]},
        n=rows["n"].astype(int),
        paper=rows["paper"],
    )
    show_texts(table.dropna(axis="columns", how="all").reset_index(drop=True))
    presets = "Presets of tau come from these changes, so figures may be optimistic."
    st.caption(f"{INTERVALS_NOTE} {presets if tables['paper'].notna().any() else ''}")


def _show_tables(tables: pd.DataFrame, run: Run, tau: float) -> None:
    """Show one of the tables, and offer all of them as files."""
    st.header("Tables", anchor=False)
    texts = {
        table.heading: wide_table(
            table.figures.assign(
                row=table.figures["row_title"], column=table.figures["column_title"]
            )
        ).rename(columns={"row": ""})
        for table in shown_tables(tables, tau)
    }
    titles = dict(zip(map(str, range(len(texts))), texts, strict=True))
    chosen = choose_option("Table", titles, "table", "0", label_visibility="collapsed")
    show_texts(texts[titles[chosen]])
    paper = " The paper's figures have their own rows." if tables["paper"].notna().any() else ""
    note = f"In parentheses: 95% intervals. {INTERVALS_NOTE}{paper}"
    st.caption(note)
    signature = str(run_signature(run.settings, tau))
    offer_tables("All tables", tables, texts, dict.fromkeys(texts, note), signature)
    show_signature(signature)


@st.fragment
def _show(run: Run) -> None:
    is_study, cache_key = current_key() == STUDY, current_cache_key()
    reviews = counted(int(is_by_system(run.reviews).sum()), "review")
    data = f"{run.settings['name']}, {counted(len(run.changes), 'change')}"
    st.markdown(f"**{reviews}**, without reference reviews. {escape_markdown(f'Data: {data}.')}")
    tau = run_tau_slider(run)
    if not require_labels(run, labels_by_name(run.reviews).values()):
        return
    try:
        tables = _tables(cache_key, tau, run, is_study=is_study)
    except InputError as error:
        st.info(describe_error(error))
        return
    _show_agreement(tables)
    show_metrics(cache_key, tau, run, is_study=is_study)
    _show_tables(tables, run, tau)


run = current_run()
if run is not None:
    _show(run)
