"""The figures of the paper's validation: three tiles, and every table."""

from itertools import groupby

import pandas as pd
import streamlit as st

from crscore_core.scoring import DEFAULT_ENCODER
from crscore_eval.data.shipped import shipped_pairs, shipped_study
from crscore_eval.data.study_run import score_addressed_pairs
from crscore_eval.formatting import format_figure
from crscore_eval.table import Run
from crscore_eval.validity.shown_tables import (
    INTERVALS_NOTE,
    ShownTable,
    column_title,
    row_title,
    shown_tables,
    wide_table,
)
from crscore_eval.validity.tables import validity_tables
from pages.components.current_run import system_title
from pages.components.downloads import offer_tables
from pages.components.tables import show_texts

_FIRST_COLUMN = {
    **dict.fromkeys(("human_means_0_to_1", "metric_means"), "system"),
    **dict.fromkeys(("claim_quality", "review_level_by_language"), "language"),
    **dict.fromkeys(("procedure_taus", "thresholds", "matching"), "threshold"),
    **dict.fromkeys(("failures", "system_level"), ""),
}
"""Head of the first column by table; for other tables it is `dimension`."""

_TILES = {
    "review_level": "Reviews, relevance",
    "no_threshold": "Reviews, without a threshold",
    "system_level": "Systems, relevance",
}
_FIGURES = ("recomputed", "low", "high", "paper")


@st.cache_data(max_entries=16, show_spinner="Resampling changes")
def cached_tables(cache_key: str, tau: float, _run: Run, *, is_study: bool) -> pd.DataFrame:  # noqa: ARG001 - a key
    """Return the figures of all tables at a tau, as `validity_tables` does."""
    if not is_study:
        return validity_tables(_run, tau)
    study, encoder = shipped_study(), _run.settings["encoder"]
    pairs = shipped_pairs() if encoder == DEFAULT_ENCODER else score_addressed_pairs(study, encoder)
    return validity_tables(_run, tau, study, pairs)


def show_tiles(tables: pd.DataFrame) -> None:
    """Show Spearman's correlation with people, and the paper's figures, in tiles."""
    spearman = tables[
        (tables["column"] == "spearman") & tables["row"].isin(["relevance", "systems"])
    ]
    tiles = []
    for table, title in _TILES.items():
        rows = spearman[spearman["table"] == table]
        if not rows.empty:
            figures = {name: format_figure(rows[name].iloc[0], missing="–") for name in _FIGURES}
            tiles.append((title, figures))
    if not tiles:
        return
    st.header("Spearman's correlation with people", anchor=False)
    for column, (title, figures) in zip(st.columns(len(tiles)), tiles, strict=True):
        with column:
            st.metric(title, figures["recomputed"])
            paper = "" if figures["paper"] == "–" else f"; the paper: {figures['paper']}"
            interval = f"95% interval {figures['low']} to {figures['high']}"
            st.caption(f"{'no interval' if figures['low'] == '–' else interval}{paper}")
    st.caption(INTERVALS_NOTE)
    if tables["paper"].notna().any():  # the human study, whatever its claims
        st.caption(
            "The presets of tau were computed on these changes, so at a preset these figures may "
            "be optimistic."
        )


def show_tables(tables: pd.DataFrame, run: Run, tau: float) -> None:
    """Show each table, and offer all of them as files."""
    st.header("Tables", anchor=False)
    paper = " The paper's figures have their own rows." if tables["paper"].notna().any() else ""
    st.caption(f"In parentheses: 95% intervals. {INTERVALS_NOTE}{paper}")
    shown = list(shown_tables(tables, tau))
    texts = {table.heading: _cells(table) for table in shown}
    offer_tables("All tables", tables, texts, run, tau)
    for _, group in groupby(shown, key=lambda table: table.table):
        of_name = list(group)
        with st.expander(of_name[0].heading):
            for table in of_name:
                if len(of_name) > 1:
                    st.caption(f"At tau {table.tau:.3f}")
                show_texts(texts[table.heading])


def _cells(table: ShownTable) -> pd.DataFrame:
    readable = table.figures.assign(
        row=table.figures["row"].map(lambda row: system_title(row_title(row))),
        column=table.figures["column"].map(column_title),
    )
    first_column = _FIRST_COLUMN.get(table.table, "dimension")
    return wide_table(readable).rename(columns={"row": first_column})
