"""Tables of figures with a fixed number of digits and empty cells for missing figures."""

import pandas as pd
import streamlit as st

from pages.components.text import safe_table


def show_figures(table: pd.DataFrame, digits: int = 3) -> None:
    """Show all rows of a table; fractions have `digits` digits after the point."""
    cells, config = safe_table(table), {}
    for name in cells.columns[[pd.api.types.is_float_dtype(kind) for kind in cells.dtypes]]:
        config[name] = st.column_config.NumberColumn(format=f"%.{digits}f")
        if cells[name].isna().any():  # a column of numbers would show "None"
            cells[name] = ["" if pd.isna(value) else f"{value:.{digits}f}" for value in cells[name]]
            config[name] = st.column_config.TextColumn(alignment="right")
    st.dataframe(cells, hide_index=True, height="content", column_config=config)
