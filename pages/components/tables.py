"""Tables of figures with fixed digits and empty cells for missing figures."""

import pandas as pd
import streamlit as st

from pages.components.text import safe_table


def show_figures(table: pd.DataFrame, digits: int = 3) -> None:
    """Show all rows of a table; fractions have `digits` digits."""
    shown, config = safe_table(table), {}
    for name in shown.columns[[pd.api.types.is_float_dtype(kind) for kind in shown.dtypes]]:
        config[name] = st.column_config.NumberColumn(format=f"%.{digits}f")
        if shown[name].isna().any():  # which a column of numbers would show as "None"
            shown[name] = ["" if pd.isna(value) else f"{value:.{digits}f}" for value in shown[name]]
            config[name] = st.column_config.TextColumn(alignment="right")
    st.dataframe(shown, hide_index=True, height="content", column_config=config)
