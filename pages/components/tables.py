"""Tables of figures on a page, and as LaTeX for a paper."""

import pandas as pd
import streamlit as st

from crscore_core.text import counted
from crscore_eval.table import Run
from pages.components.text import safe_table

_ESCAPED = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "_%&#${}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_LONG = 40
"""Most rows that fit a page of a paper."""


def show_figures(table: pd.DataFrame, digits: int = 3) -> None:
    """Show all rows of a table; fractions have `digits` digits."""
    shown, config = safe_table(table), {}
    for name in shown.columns[[pd.api.types.is_float_dtype(kind) for kind in shown.dtypes]]:
        config[name] = st.column_config.NumberColumn(format=f"%.{digits}f")
        if shown[name].isna().any():  # which a column of numbers would show as "None"
            shown[name] = ["" if pd.isna(value) else f"{value:.{digits}f}" for value in shown[name]]
            config[name] = st.column_config.TextColumn(alignment="right")
    st.dataframe(shown, hide_index=True, height="content", column_config=config)


def latex_table(table: pd.DataFrame, title: str, name: str, run: Run, tau: float | None) -> str:
    """Return a table as LaTeX whose caption says what it was computed from.

    `tau` is None if the figures do not depend on it. LaTeX needs the packages named at the top.
    """
    caption = (
        f"{title}. Data: {run.settings['name']}, {counted(len(run.changes), 'change')}; encoder: "
        f"{run.settings['encoder']}; claims: {run.settings['claims']}"
        f"{'' if tau is None else f'; tau: {tau:.3f}'}. 95% intervals resample changes."
    )
    text = table.to_latex(
        index=False,
        escape=True,
        longtable=len(table) > _LONG,
        caption=caption.translate(_ESCAPED),
        label=f"tab:{name}".replace(" ", "-"),
    )
    return f"% \\usepackage{{booktabs,longtable}}\n{text}"
