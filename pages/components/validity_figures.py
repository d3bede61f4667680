"""The figures of the paper's validation: three tiles, and every table."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from crscore_eval.data import shipped_pairs, shipped_study
from crscore_eval.export import latex_table, wide_table
from crscore_eval.figures import format_figure
from crscore_eval.table import Run
from crscore_eval.validity import (
    column_digits,
    column_title,
    row_title,
    table_info,
    validity_tables,
)
from crscore_eval.validity.tables import AT_TAU
from pages.components.current_run import system_title
from pages.components.downloads import offer_file
from pages.components.tables import show_figures
from pages.components.text import safe_table

_FIRST_COLUMN = {
    **dict.fromkeys(("human_means_0_to_1", "metric_means", "rankings"), "system"),
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
    study, pairs = (shipped_study(), shipped_pairs()) if is_study else (None, None)
    return validity_tables(_run, tau, study, pairs)


def show_tiles(run: Run, tables: pd.DataFrame) -> None:
    """Show Spearman's correlation with people, and the paper's figures, in tiles."""
    st.header("Spearman's correlation with people", anchor=False)
    spearman = tables[tables["column"] == "spearman"]
    tiles = []
    for table, title in _TILES.items():
        rows = spearman[spearman["table"] == table]
        rows = rows[rows["row"].isin(["relevance", ""])] if len(rows) > 1 else rows
        if not rows.empty:
            figures = {name: format_figure(rows[name].iloc[0], missing="–") for name in _FIGURES}
            tiles.append((title, figures))
    for column, (title, figures) in zip(st.columns(max(1, len(tiles))), tiles, strict=False):
        with column:
            st.metric(title, figures["recomputed"])
            paper = "" if figures["paper"] == "–" else f"; the paper: {figures['paper']}"
            st.caption(f"95% interval {figures['low']} to {figures['high']}{paper}")
    if run.settings.get("claims") == "study":
        st.caption(
            "The presets of tau were computed on these changes, so at a preset these figures may "
            "be optimistic."
        )


def show_tables(tables: pd.DataFrame, run: Run, tau: float) -> None:
    """Show each table, and offer each table and all tables as CSV and as LaTeX."""
    st.header("Tables", anchor=False)
    st.caption("In parentheses: 95% intervals over changes. Rows from the paper have its figures.")
    roles = tables[tables["table"] == "procedure_taus"].set_index("row")["recomputed"]
    taus = {"": tau, **roles}
    _offer_tables("All tables", "validity", tables, run, taus)
    for name, figures in tables.groupby("table", sort=False):
        info = table_info(str(name))
        with st.expander(f"{info.title} ({info.source})" if info.source else info.title):
            show_figures(_cells(str(name), figures))
            _offer_tables("This table", str(name).replace(" ", "-"), figures, run, taus)


def _offer_tables(
    label: str, name: str, tables: pd.DataFrame, run: Run, taus: Mapping[str, float]
) -> None:
    with st.container(horizontal=True):
        csv = safe_table(tables)
        offer_file(f"{label} (CSV)", lambda: csv.to_csv(index=False), f"crscore-{name}.csv")
        offer_file(
            f"{label} (LaTeX)", lambda: tables_as_latex(tables, run, taus), f"crscore-{name}.tex"
        )


def _cells(name: str, figures: pd.DataFrame) -> pd.DataFrame:
    readable = figures.assign(
        row=figures["row"].map(lambda row: system_title(row_title(row))),
        column=figures["column"].map(column_title),
    )
    cells = wide_table(readable, [column_digits(name, column) for column in figures["column"]])
    return cells.rename(columns={"row": _FIRST_COLUMN.get(name.partition(" at ")[0], "dimension")})


def tables_as_latex(tables: pd.DataFrame, run: Run, taus: Mapping[str, float]) -> str:
    """Return tables as LaTeX; `taus` has the tau of each role, and under "" the current tau."""
    parts = []
    for name, figures in tables.groupby("table", sort=False):
        base, _, role = str(name).partition(" at ")
        tau = taus[role] if base in AT_TAU else None
        caption = f"{table_info(str(name)).title}."
        parts.append(latex_table(_cells(str(name), figures), caption, str(name), run, tau))
    return "\n".join(parts)
